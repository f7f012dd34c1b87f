import { displayText } from '@parley/documents';
import { type Bundle, computeRoutes, type RouteEdge, type TeamRoute } from '@parley/documents/bundle';
import { ArrowRight } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FlowGraph } from '../../parts/flow-graph.tsx';
import { Tag } from '../../parts/level.tsx';

/** Shows how work passes through each team, as a drawing and as a list with the same content. */
export function HandOvers({ bundle }: { readonly bundle: Bundle }) {
  const { t } = useTranslation('bundles');
  const { teams } = useMemo(() => computeRoutes(bundle), [bundle]);
  const names = useMemo(
    () => new Map([...bundle.roles, ...(bundle.kits ?? [])].map(({ id, label }) => [id, displayText(label, 60)])),
    [bundle],
  );
  if (teams.length === 0) return <p className="text-muted">{t('teamsNone')}</p>;
  return (
    <div className="grid gap-10">
      {teams.map((team) => (
        <Team key={team.id} team={team} names={names} />
      ))}
    </div>
  );
}

interface TeamProps {
  readonly team: TeamRoute;
  readonly names: ReadonlyMap<string, string>;
}

function Team({ team, names }: TeamProps) {
  const { t } = useTranslation('bundles');
  const nameOf = (id: string) => names.get(id) ?? id;
  const label = displayText(team.label, 80);
  const drawn = useMemo(() => {
    const ids = new Set([...team.members, ...team.edges.flatMap(({ source, target }) => [source, target])]);
    return {
      nodes: [...ids].map((id) => ({ id, label: names.get(id) ?? id, entry: id === team.entryRole })),
      edges: team.edges.map(({ source, target, type, label: name }) => ({
        source,
        target,
        label: name === null ? t(`edge.${type}`) : displayText(name, 40),
        dashed: type === 'fallback' || type === 'kit-attach',
      })),
    };
  }, [team, names, t]);
  return (
    <section className="grid grid-cols-1 gap-4">
      <h3 className="flex flex-wrap items-center gap-2 text-lg font-semibold">
        <bdi>{label}</bdi> {team.topology !== null && <Tag>{team.topology}</Tag>}
        {team.concurrency !== null && <Tag>{team.concurrency}</Tag>}
      </h3>
      <FlowGraph nodes={drawn.nodes} edges={drawn.edges} label={t('graphLabel', { team: label })} />
      <div className="grid gap-2">
        <h4 className="font-medium">{t('edges')}</h4>
        {team.edges.length === 0 && <p className="text-sm text-muted">{t('edgesNone')}</p>}
        <ul className="divide-y rounded-lg border bg-surface">
          {team.edges.map((edge, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two edges of a document may be the same
            <li key={index} className="px-4 py-2.5 text-sm">
              <EdgeLine edge={edge} nameOf={nameOf} />
            </li>
          ))}
        </ul>
      </div>
      {team.unreachable.length > 0 && (
        <p className="text-sm text-medium">{t('unreachable', { members: team.unreachable.map(nameOf).join(', ') })}</p>
      )}
      <div className="grid gap-1 text-sm">
        <p className="font-medium">{t('termination')}</p>
        <ul className="list-disc pl-5 text-muted">
          {team.termination.map((rule) => (
            <li key={rule}>
              <bdi>{displayText(rule, 300)}</bdi>
            </li>
          ))}
        </ul>
        <p className="text-muted">
          {!team.escalation.enabled
            ? t('escalationNone')
            : team.escalation.condition === null
              ? t('escalationAlways')
              : t('escalation', { condition: displayText(team.escalation.condition, 200) })}
        </p>
      </div>
    </section>
  );
}

function EdgeLine({ edge, nameOf }: { readonly edge: RouteEdge; readonly nameOf: (id: string) => string }) {
  const { t } = useTranslation('bundles');
  const { source, target, type, condition, priority, label } = edge;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <bdi className="font-medium">{nameOf(source)}</bdi>
      <ArrowRight aria-hidden className="size-4 text-muted" />
      <span className="text-muted">{t(`edge.${type}`)}</span>
      <bdi className="font-medium">{nameOf(target)}</bdi>
      {label !== null && <bdi className="text-muted">{displayText(label, 100)}</bdi>}
      {condition !== null && (
        <code className="font-mono text-xs break-all text-muted">
          {t('condition', { condition: displayText(condition, 200) })}
        </code>
      )}
      {priority !== null && <span className="text-muted">{t('priority', { priority })}</span>}
    </p>
  );
}
