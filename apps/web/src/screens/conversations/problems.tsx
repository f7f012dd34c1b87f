import type { ClientProblem } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';

/** Shows the three newest problems that the person should look at. */
export function ProblemList() {
  const { t } = useTranslation('conversations');
  const { problems } = useDevice();
  const noted = useReadable(problems).slice(-3).toReversed();
  if (noted.length === 0) return null;
  return (
    <ul className="grid gap-2">
      {noted.map(({ id, problem }) => (
        <li key={id} className="grid gap-2 rounded-lg bg-medium-soft px-3 py-2 text-sm text-medium">
          <p role="status" className="flex gap-2">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <ProblemText problem={problem} />
          </p>
          <div className="flex gap-2">
            <OpenProblem problem={problem} />
            <Button size="small" variant="quiet" onClick={() => problems.dismiss(id)}>
              {t('dismiss')}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

function ProblemText({ problem }: { readonly problem: ClientProblem }) {
  const { t } = useTranslation('conversations');
  const relations = useReadable(useDevice().relations);
  const find = (fits: (relation: (typeof relations)[number]) => boolean) => relations.find(fits)?.agentName ?? '?';
  switch (problem.kind) {
    case 'identity_changed':
      return t('problem.identity_changed', { name: find(({ agentId }) => agentId === problem.party.id) });
    case 'weaker_mode':
      return t('problem.weaker_mode', { name: find(({ agentId }) => agentId === problem.agentId) });
    case 'manifest':
      return t('problem.manifest', { name: find(({ agentId }) => agentId === problem.agentId) });
    case 'ledger':
      return t('problem.ledger', { name: find(({ relationId }) => relationId === problem.relationId) });
    case 'error':
      return t('problem.error', { reason: explain(problem.error) });
    default:
      return t(`problem.${problem.kind}`);
  }
}

function OpenProblem({ problem }: { readonly problem: ClientProblem }) {
  const { t } = useTranslation('conversations');
  const agentId =
    problem.kind === 'identity_changed' ? problem.party.id : 'agentId' in problem ? problem.agentId : undefined;
  if (agentId === undefined) return null;
  return (
    <Link
      to="/agents/$agentId"
      params={{ agentId }}
      className="inline-flex min-h-8 items-center rounded-lg bg-medium px-3 font-medium text-page"
    >
      {t('look')}
    </Link>
  );
}
