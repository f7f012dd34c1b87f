import type { NotedProblem } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { History, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { useProblem } from './use-problem.ts';

/** Shows the three newest problems that the person should look at: what is still so first, as an alarm. */
export function ProblemList() {
  const { problems } = useDevice();
  const all = useReadable(problems).toReversed();
  const isOver = ({ over }: NotedProblem) => over !== undefined;
  const noted = [...all.filter((one) => !isOver(one)), ...all.filter(isOver)].slice(0, 3);
  if (noted.length === 0) return null;
  return (
    <ul className="grid gap-2">
      {noted.map((one) => (
        <li key={one.id}>
          <Problem noted={one} onDismiss={() => problems.dismiss(one.id)} />
        </li>
      ))}
    </ul>
  );
}

const LINK = 'inline-flex min-h-8 items-center rounded-lg bg-medium px-3 font-medium text-page pointer-coarse:min-h-11';

function Problem({ noted, onDismiss }: { readonly noted: NotedProblem; readonly onDismiss: () => void }) {
  const { t } = useTranslation('conversations');
  const { text, place, stays = false } = useProblem(noted.problem);
  const isOver = noted.over !== undefined;
  const Icon = isOver ? History : TriangleAlert;
  return (
    <div
      className={`grid gap-2 rounded-lg px-3 py-2 text-sm ${isOver ? 'bg-raised text-muted' : 'bg-medium-soft text-medium'}`}
    >
      <p role="status" className="flex gap-2">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 break-words">
          {text} {noted.over !== undefined && <strong>{t('problem.over', { time: longTime(noted.over) })}</strong>}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {place !== undefined && !isOver && (
          <Link {...place} className={LINK}>
            {t('look')}
          </Link>
        )}
        {(isOver || !stays) && (
          <Button size="small" variant="quiet" onClick={onDismiss}>
            {t('dismiss')}
          </Button>
        )}
      </div>
    </div>
  );
}
