import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { SafetyNumber } from './safety-number.tsx';

/** The new key of a person, as long as it was not accepted. */
export function useChangedKey(accountId: string | undefined): Changed | undefined {
  const noted = useReadable(useDevice().problems);
  return noted
    .flatMap(({ problem, over }) => (problem.kind === 'identity_changed' && over === undefined ? [problem] : []))
    .findLast(({ party }) => party.kind === 'account' && party.id === accountId);
}

interface Changed {
  readonly known: string;
  readonly offered: string;
}

/**
 * The safety number to compare with a person, or the question whether a new key of theirs is to be used (EE-9). The
 * account is the one that the conversation is bound to (EE-20).
 */
export function PersonKey({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const changed = useChangedKey(accountId);
  if (changed === undefined) return <SafetyNumber party={{ kind: 'account', id: accountId }} />;
  return <ChangedKey accountId={accountId} name={name} changed={changed} />;
}

interface ChangedKeyProps {
  readonly accountId: string;
  readonly name: string;
  readonly changed: Changed;
}

function ChangedKey({ accountId, name, changed: { known, offered } }: ChangedKeyProps) {
  const { t } = useTranslation('conversations');
  const { identities } = useDevice();
  const accept = useAction(() => identities.confirm({ kind: 'account', id: accountId }, offered));
  return (
    <section className="grid gap-3">
      <Notice tone="error" title={t('keyChanged', { name })}>
        {t('keyChangedLead')}
      </Notice>
      <dl className="grid gap-2 text-sm">
        <dt className="text-muted">{t('keyKnown')}</dt>
        <dd className="font-mono text-xs break-all">{known}</dd>
        <dt className="text-muted">{t('keyOffered')}</dt>
        <dd className="font-mono text-xs break-all">{offered}</dd>
      </dl>
      {accept.error !== undefined && <Notice tone="error">{explain(accept.error)}</Notice>}
      <div>
        <Button variant="danger" busy={accept.busy} onClick={() => accept.run()}>
          {t('keyAccept')}
        </Button>
      </div>
    </section>
  );
}
