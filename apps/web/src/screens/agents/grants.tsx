import type { AgentDetails, RelationView } from '@parley/client';
import type { PreviewScope } from '@parley/documents';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { useFork } from '../../client/use-fork.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { ScopeSwitches } from '../../parts/consent.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Unconfirmed } from '../../parts/unconfirmed.tsx';
import { useEnd } from '../../parts/use-end.ts';
import { ReviewCard } from './review.tsx';
import { Sign } from './sign.tsx';
import { useSwitches } from './use-switches.ts';

interface GrantsProps {
  readonly details: AgentDetails;
  readonly relation: RelationView;
}

/** Shows and changes what an added agent may do. */
export function Grants({ details, relation }: GrantsProps) {
  const { t } = useTranslation('agents');
  const { isForked } = useFork();
  return (
    <>
      {relation.status === 'suspended' && <Notice tone="warning">{t('suspended')}</Notice>}
      {relation.problem === 'row' && <Notice tone="error">{t('rowRefused')}</Notice>}
      {relation.problem === 'ledger' && <Notice tone="error">{t(isForked ? 'ledgerForked' : 'ledgerBroken')}</Notice>}
      {relation.problem === 'withheld' && (
        <Notice tone="error">{t('withheld', { device: relation.withheldBy?.name })}</Notice>
      )}
      {isReviewed(relation) && (
        <ReviewCard key={relation.currentVersion} relationId={relation.relationId} version={relation.currentVersion} />
      )}
      {relation.needsSignature && relation.problem !== 'ledger' && <Sign relation={relation} />}
      <Granted details={details} relation={relation} />
      <History relation={relation} />
      <End relation={relation} />
    </>
  );
}

/** A key is looked at first, above: until then nobody knows whether anything else changed. */
const isReviewed = ({ needsReview, problem }: RelationView): boolean =>
  needsReview && problem !== 'identity_changed' && problem !== 'no_keys';

function Granted({ details, relation }: GrantsProps) {
  const { t } = useTranslation('agents');
  const { busy, failure, grant, takeBack } = useSwitches(relation);
  const [asked, ask] = useState<PreviewScope>();
  const { preview, manifestHash } = details;
  const granted = relation.scopes.filter((scope) => scope.granted).map(({ id }) => id);
  const on = new Set(granted.filter((id) => busy.get(id) !== false));
  for (const [id, to] of busy) if (to) on.add(id);
  const toggle = (scope: PreviewScope, next: boolean) => {
    if (!next) return void takeBack(scope, manifestHash);
    const isHigh = relation.scopes.find(({ id }) => id === scope.id)?.level === 'high';
    if (isHigh) ask(scope);
    else if (manifestHash !== null) void grant(scope, manifestHash);
  };
  return (
    <section aria-labelledby="granted" className="grid gap-4">
      <div>
        <h2 id="granted" className="text-lg font-semibold">
          {t('granted')}
        </h2>
        <p className="text-sm text-muted">{t('grantedLead')}</p>
        {isReviewed(relation) && <p className="mt-1 text-sm text-medium">{t('switching.reviewFirst')}</p>}
      </div>
      {failure !== undefined && <Notice tone="error">{explain(failure)}</Notice>}
      {preview === undefined ? (
        <Notice>{t('noManifest')}</Notice>
      ) : (
        <ScopeSwitches
          preview={preview}
          on={on}
          busy={new Set(busy.keys())}
          isOffLocked={relation.needsReview || relation.problem !== undefined || manifestHash === null}
          onToggle={toggle}
        />
      )}
      <Unconfirmed devices={relation.unconfirmed} />
      <Confirm
        open={asked !== undefined}
        onClose={() => ask(undefined)}
        title={t('switching.highTitle', { scope: asked?.label, agent: relation.agentName })}
        lead={t('switching.highLead')}
        action={t('switching.highConfirm')}
        variant="alarm"
        onConfirm={() => {
          if (asked !== undefined && manifestHash !== null) void grant(asked, manifestHash);
          ask(undefined);
        }}
      />
    </section>
  );
}

/** What was signed, newest first. */
export function History({ relation }: { readonly relation: RelationView }) {
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
  const { t } = useTranslation('agents');
  const endAgent = useEnd();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const end = async () => {
    await endAgent(relation);
    await navigate({ to: '/agents' });
  };
  return (
    <div>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t('end')}
      </Button>
      {asking && (
        <ConfirmAction
          title={t('end')}
          lead={t('endLead')}
          confirm={t('end')}
          danger
          onClose={() => setAsking(false)}
          work={end}
        />
      )}
    </div>
  );
}
