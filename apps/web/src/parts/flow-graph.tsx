import { graphlib, layout } from '@dagrejs/dagre';
import { Background, Controls, type Edge, MarkerType, type Node, Position, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import './flow-graph.css';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

export interface FlowNode {
  readonly id: string;
  readonly label: string;
  /** The node where work begins. */
  readonly entry?: boolean;
}
export interface FlowEdge {
  readonly source: string;
  readonly target: string;
  readonly label?: string;
  readonly dashed?: boolean;
}

const SIZE = { width: 176, height: 44 };
const NARROW = '(max-width: 639px)';
/** The assumed width of a letter, for the layout. */
const LETTER = 7;

/** Draws a hand-over graph with an automatic layout. The page also lists the same edges as text. */
export function FlowGraph({
  nodes,
  edges,
  label,
}: {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly label: string;
}) {
  const { t } = useTranslation('parts');
  const drawn = useMemo(() => place(nodes, edges, matchMedia(NARROW).matches), [nodes, edges]);
  return (
    <figure className="h-80 overflow-hidden rounded-card border bg-surface" aria-label={label}>
      <ReactFlow
        nodes={drawn.nodes}
        edges={drawn.edges}
        fitView
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        elementsSelectable={false}
        // Nodes are not tab stops, because the list says the same.
        nodesFocusable={false}
        edgesFocusable={false}
        disableKeyboardA11y
        ariaLabelConfig={{
          'controls.ariaLabel': t('graph.controls'),
          'controls.zoomIn.ariaLabel': t('graph.zoomIn'),
          'controls.zoomOut.ariaLabel': t('graph.zoomOut'),
          'controls.fitView.ariaLabel': t('graph.fit'),
        }}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </figure>
  );
}

/** Lays the graph out from left to right, or downwards on a phone. */
function place(
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
  isNarrow: boolean,
): { nodes: Node[]; edges: Edge[] } {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: isNarrow ? 'TB' : 'LR', nodesep: 28, ranksep: 40 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { ...SIZE });
  edges.forEach(({ source, target, label = '' }, index) => {
    graph.setEdge(source, target, { width: label.length * LETTER + 16, height: 24, labelpos: 'c' }, String(index));
  });
  layout(graph);
  return {
    nodes: nodes.map(({ id, label, entry = false }) => {
      const { x, y } = graph.node(id);
      return {
        id,
        position: { x: x - SIZE.width / 2, y: y - SIZE.height / 2 },
        data: { label },
        sourcePosition: isNarrow ? Position.Bottom : Position.Right,
        targetPosition: isNarrow ? Position.Top : Position.Left,
        className: `rounded-lg border bg-raised px-3 py-2 text-sm text-center ${entry ? 'border-accent font-semibold' : ''}`,
        style: { width: SIZE.width },
      };
    }),
    edges: edges.map(({ source, target, label, dashed = false }, index) => ({
      id: String(index),
      source,
      target,
      ...(label === undefined ? {} : { label, labelShowBg: true, labelBgPadding: [6, 3] as [number, number] }),
      ...(dashed ? { style: { strokeDasharray: '5 4' } } : {}),
      markerEnd: { type: MarkerType.ArrowClosed },
    })),
  };
}
