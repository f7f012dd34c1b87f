import type { ClientProblem } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { useProblem } from './use-problem.ts';

/** Shows the three newest problems that the person should look at. */
export function ProblemList() {
  const { problems } = useDevice();
  const noted = useReadable(problems).slice(-3).toReversed();
  if (noted.length === 0) return null;
  return (
    <ul className="grid gap-2">
      {noted.map(({ id, problem }) => (
        <li key={id}>
          <Problem problem={problem} onDismiss={() => problems.dismiss(id)} />
        </li>
      ))}
    </ul>
  );
}

const LINK = 'inline-flex min-h-8 items-center rounded-lg bg-medium px-3 font-medium text-page pointer-coarse:min-h-11';

function Problem({ problem, onDismiss }: { readonly problem: ClientProblem; readonly onDismiss: () => void }) {
  const { t } = useTranslation('conversations');
  const { text, place, stays = false } = useProblem(problem);
  return (
    <div className="grid gap-2 rounded-lg bg-medium-soft px-3 py-2 text-sm text-medium">
      <p role="status" className="flex gap-2">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 break-words">{text}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        {place !== undefined && (
          <Link {...place} className={LINK}>
            {t('look')}
          </Link>
        )}
        {!stays && (
          <Button size="small" variant="quiet" onClick={onDismiss}>
            {t('dismiss')}
          </Button>
        )}
      </div>
    </div>
  );
}
