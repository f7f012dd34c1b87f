import { resolveBundleEntry, resolveEntryRole } from './entry.ts';
import { assumeType, findUnreachable, listMembers } from './graph.ts';
import { type Names, readNames } from './names.ts';
import type { Bundle, EdgeType, HandoffEdge, Team } from './types.ts';

export interface RouteEdge {
  readonly source: string;
  readonly target: string;
  readonly type: EdgeType;
  /** A CEL expression; null if the handoff is unconditional. */
  readonly condition: string | null;
  readonly priority: number | null;
  readonly label: string | null;
}

export interface TeamRoute {
  readonly id: string;
  readonly label: string;
  readonly topology: string | null;
  readonly concurrency: string | null;
  readonly entryRole: string;
  readonly members: string[];
  /** The edges in the order of the document. */
  readonly edges: RouteEdge[];
  /** The fallbacks for each role, in the order to try them. */
  readonly fallbacks: { readonly source: string; readonly targets: string[] }[];
  readonly unreachable: string[];
  readonly termination: string[];
  /** What to do on a failure; null if the team does not say. */
  readonly degradation: Readonly<Record<(typeof FAILURES)[number], string | null>>;
  readonly escalation: {
    readonly enabled: boolean;
    readonly condition: string | null;
    readonly maxRetries: number | null;
  };
}

export interface Routes {
  readonly entryRole: string;
  readonly teams: TeamRoute[];
}

const FAILURES = ['toolMissing', 'permDenied', 'modelWeak', 'timeout'] as const;

/**
 * Computes how work moves through a valid bundle (BN-12), with all defaults filled in. Every key is always present and
 * in the same order, so that the JSON of one bundle is always the same and a runner can be built on it.
 */
export function computeRoutes(bundle: Bundle): Routes {
  const names = readNames(bundle);
  const teams = (bundle.teams ?? []).map((team) => computeTeam(team, names));
  return { entryRole: resolveBundleEntry(bundle).id!, teams };
}

function computeTeam(team: Team, names: Names): TeamRoute {
  const entryRole = resolveEntryRole(names, team).id!;
  const edges = (team.handoffGraph ?? []).map((edge) => computeEdge(edge, names));
  const { humanEscalation: escalation, degradationStrategy: degradation } = team;
  return {
    id: team.id,
    label: team.label,
    topology: team.topology ?? null,
    concurrency: team.concurrencyMode ?? null,
    entryRole,
    members: listMembers(team, names),
    edges,
    fallbacks: orderFallbacks(edges),
    unreachable: findUnreachable(team, entryRole, names),
    termination: [...team.terminationRules],
    degradation: Object.fromEntries(FAILURES.map((failure) => [failure, degradation?.[failure] ?? null])) as Record<
      (typeof FAILURES)[number],
      string | null
    >,
    escalation: {
      enabled: escalation?.enabled ?? false,
      condition: escalation?.condition ?? null,
      maxRetries: escalation?.maxRetries ?? null,
    },
  };
}

function computeEdge(edge: HandoffEdge, names: Names): RouteEdge {
  const type = edge.type ?? assumeType(edge, names);
  return {
    source: edge.source,
    target: edge.target,
    type,
    condition: type === 'conditional' ? (edge.condition ?? null) : null,
    priority: edge.priority ?? null,
    label: edge.label ?? null,
  };
}

/** Sorts by priority, lowest first (BN-6); edges without a priority come last, in the order of the document. */
function orderFallbacks(edges: readonly RouteEdge[]): TeamRoute['fallbacks'] {
  const bySource = new Map<string, RouteEdge[]>();
  for (const edge of edges) {
    if (edge.type !== 'fallback') continue;
    const known = bySource.get(edge.source);
    if (known === undefined) bySource.set(edge.source, [edge]);
    else known.push(edge);
  }
  const rank = ({ priority }: RouteEdge) => priority ?? Number.POSITIVE_INFINITY;
  return [...bySource].map(([source, found]) => ({
    source,
    targets: found.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b))).map(({ target }) => target),
  }));
}
