import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { currentLocale } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FetchNote } from '../../parts/fetch-note.tsx';
import { Level } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Switch } from '../../parts/switch.tsx';
import { useAction } from '../../parts/use-action.ts';

interface ReviewCardProps {
  readonly relationId: string;
  /** The version of the manifest that is asked about. */
  readonly version: number;
}

/** Asks for re-authorisation (RL-9): shows what changed, breaking changes first, and asks for each scope. */
export function ReviewCard({ relationId, version }: ReviewCardProps) {
  const { t } = useTranslation('agents');
  const { relations } = useDevice();
  const query = useQuery({
    queryKey: ['review', relationId, version, currentLocale()],
    queryFn: () => relations.review(relationId),
    refetchOnWindowFocus: false,
  });
  const [accepted, accept] = useState<ReadonlySet<string>>(new Set());
  const answer = useAction((scopes: readonly string[]) =>
    relations.answer(relationId, scopes, query.data!.manifestHash),
  );
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  const { pending, groups, mode } = query.data;
  const isOnlyMode = mode !== undefined && groups.length === 0;
  const toggle = (id: string, on: boolean) => {
    const next = new Set(accepted);
    if (on) next.add(id);
    else next.delete(id);
    accept(next);
  };
  return (
    <Card className="grid grid-cols-1 gap-4 border-medium/60">
      <div>
        <h2 className="text-lg font-semibold">{t(isOnlyMode ? 'reviewMode' : 'review')}</h2>
        <p className="text-sm text-muted">{t('reviewLead')}</p>
      </div>
      {mode !== undefined && !isOnlyMode && <Notice tone="warning">{t('reviewMode')}</Notice>}
      <div className="grid grid-cols-1 gap-3 empty:hidden">
        {!isOnlyMode && <h3 className="font-medium">{t('changes')}</h3>}
        {groups.map((group) => (
          <section key={group.title}>
            <h4 className="text-sm font-semibold">{group.title}</h4>
            <ul className="mt-1 list-disc pl-5 text-sm wrap-anywhere">
              {group.changes.map((change) => (
                <li key={`${change.code} ${change.path}`} className={change.breaking ? 'text-high' : 'text-muted'}>
                  {change.message}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p className="text-sm text-muted">{t('switching.answerLead')}</p>
      <ul className="divide-y rounded-lg border">
        {pending.map((scope) => (
          <li key={scope.id} className="flex items-center gap-3 px-4 py-3">
            <span className="min-w-0 flex-1">
              <bdi className="font-medium">{scope.label}</bdi> <Level level={scope.level} />
              {scope.description && <span className="block text-sm text-muted">{scope.description}</span>}
              <FetchNote scope={scope.id} />
            </span>
            <Switch
              checked={accepted.has(scope.id)}
              onChange={(on) => toggle(scope.id, on)}
              label={t('acceptScope', { scope: scope.label })}
            />
          </li>
        ))}
      </ul>
      {answer.error !== undefined && <Notice tone="error">{explain(answer.error)}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          busy={answer.busy}
          disabled={accepted.size === 0}
          onClick={() => answer.run([...accepted])}
        >
          {t('answer')}
        </Button>
        <Button busy={answer.busy} onClick={() => answer.run([])}>
          {t('keepWithout')}
        </Button>
      </div>
    </Card>
  );
}
