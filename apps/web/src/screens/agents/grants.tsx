import type { AgentDetails, RelationView } from '@parley/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { useFork } from '../../client/use-fork.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Consent } from '../../parts/consent.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Unconfirmed } from '../../parts/unconfirmed.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ReviewCard } from './review.tsx';
import { Sign } from './sign.tsx';

interface GrantsProps {
  readonly details: AgentDetails;
  readonly relation: RelationView;
}

/** Shows and changes what an added agent may do. */
export function Grants({ details, relation }: GrantsProps) {
  const { t } = useTranslation('agents');
  const { isForked } = useFork();
  const granted = relation.scopes.filter((scope) => scope.granted).map(({ id }) => id);
  return (
    <>
      {relation.status === 'suspended' && <Notice tone="warning">{t('suspended')}</Notice>}
      {relation.problem === 'row' && <Notice tone="error">{t('rowRefused')}</Notice>}
      {relation.problem === 'ledger' && <Notice tone="error">{t(isForked ? 'ledgerForked' : 'ledgerBroken')}</Notice>}
      {relation.problem === 'withheld' && (
        <Notice tone="error">{t('withheld', { device: relation.withheldBy?.name })}</Notice>
      )}
      {relation.needsReview && <ReviewCard key={relation.currentVersion} relationId={relation.relationId} />}
      {relation.needsSignature && relation.problem !== 'ledger' && <Sign relation={relation} />}
      {/* What is chosen begins with what is granted now: a choice from before would take back what was just signed. */}
      <Granted key={granted.join()} details={details} relation={relation} granted={granted} />
      <History relation={relation} />
      <End relation={relation} />
    </>
  );
}

function Granted({ details, relation, granted }: GrantsProps & { readonly granted: readonly string[] }) {
  const { t } = useTranslation('agents');
  const { relations } = useDevice();
  const [chosen, choose] = useState<ReadonlySet<string>>(() => new Set(granted));
  const changed = granted.length !== chosen.size || granted.some((id) => !chosen.has(id));
  const more = [...chosen].some((id) => !granted.includes(id));
  const save = useAction(() =>
    relations.change(relation.relationId, [...chosen], more ? (details.manifestHash ?? undefined) : undefined),
  );
  return (
    <section aria-labelledby="granted" className="grid gap-4">
      <div>
        <h2 id="granted" className="text-lg font-semibold">
          {t('granted')}
        </h2>
        <p className="text-sm text-muted">{t('grantedLead')}</p>
      </div>
      {details.preview === undefined ? (
        <Notice>{t('noManifest')}</Notice>
      ) : (
        <Consent preview={details.preview} chosen={chosen} onChange={choose} />
      )}
      {more && <p className="text-sm text-muted">{t('moreHint')}</p>}
      {save.error !== undefined && <Notice tone="error">{explain(save.error)}</Notice>}
      <div>
        <Button variant="primary" disabled={!changed} busy={save.busy} onClick={() => save.run()}>
          {t('saveGrants')}
        </Button>
      </div>
      <Unconfirmed devices={relation.unconfirmed} />
    </section>
  );
}

function History({ relation }: { readonly relation: RelationView }) {
  const { t } = useTranslation('agents');
  const entries = useDevice().relations.history(relation.relationId);
  return (
    <details>
      <summary className="cursor-pointer font-semibold">{t('history')}</summary>
      <ol className="mt-3 grid gap-2">
        {entries.toReversed().map((entry) => (
          <li key={entry.seq} className="rounded-lg border bg-surface px-4 py-2 text-sm">
            <p className="flex flex-wrap justify-between gap-2">
              <span className="font-medium">{t(`entry.${entry.action}`)}</span>
              <time dateTime={entry.created_at} className="text-muted">
                {longTime(entry.created_at)} · {t('version', { version: entry.manifest_version })}
              </time>
            </p>
            <p className="text-muted">{entry.scopes.map(({ id }) => id).join(', ') || t('nothing')}</p>
          </li>
        ))}
      </ol>
    </details>
  );
}

function End({ relation }: { readonly relation: RelationView }) {
  const { t } = useTranslation(['agents', 'parts']);
  const { relations } = useDevice();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const end = useAction(async () => {
    await relations.end(relation.relationId);
    await navigate({ to: '/agents' });
  });
  return (
    <div>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t('end')}
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('end')}
        lead={t('endLead')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t('parts:cancel')}</Button>
            <Button variant="danger" busy={end.busy} onClick={() => end.run()}>
              {t('end')}
            </Button>
          </>
        }
      >
        {end.error !== undefined && <Notice tone="error">{explain(end.error)}</Notice>}
      </Dialog>
    </div>
  );
}
