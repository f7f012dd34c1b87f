import { type AgentDetails, formatAgentLink } from '@parley/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Digits } from '../../parts/digits.tsx';
import { Notice } from '../../parts/notice.tsx';
import { QrCode } from '../../parts/qr.tsx';
import { useAction } from '../../parts/use-action.ts';

/** Shows the agent's key and how to verify it (EE-9). */
export function Identity({ details, byLink }: { readonly details: AgentDetails; readonly byLink: boolean }) {
  const { t } = useTranslation('agents');
  const { identity, agentId } = details;
  const [comparing, setComparing] = useState(false);
  if (!identity.ok) return <Untrusted details={details} />;
  const link = formatAgentLink({ agentId, fingerprint: identity.fingerprint }, `${location.origin}/app`);
  const Icon = identity.verified ? ShieldCheck : ShieldAlert;
  return (
    <Card className="grid gap-3">
      <h2 className="font-semibold">{t('identity')}</h2>
      <p className="flex gap-2 text-sm">
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${identity.verified ? 'text-low' : 'text-medium'}`} />
        {identity.verified ? t(byLink ? 'verifiedByLink' : 'verified') : t('unverified')}
      </p>
      <div className="text-sm">
        <p className="text-muted">{t('fingerprint')}</p>
        <code className="font-mono text-xs break-all">{identity.fingerprint}</code>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setComparing(true)}>
          {t('compare')}
        </Button>
        <CopyButton text={link} label={t('share')} />
      </div>
      <details className="text-sm">
        <summary className="cursor-pointer text-muted">{t('qr')}</summary>
        <div className="mt-2 grid justify-items-center gap-2">
          <QrCode text={link} label={t('qr')} />
          <p className="text-muted">{t('shareLead')}</p>
        </div>
      </details>
      {comparing && <Compare agentId={agentId} onClose={() => setComparing(false)} />}
    </Card>
  );
}

function Compare({ agentId, onClose }: { readonly agentId: string; readonly onClose: () => void }) {
  const { t } = useTranslation('agents');
  const { identities } = useDevice();
  const queries = useQueryClient();
  const party = { kind: 'agent', id: agentId } as const;
  const number = useQuery({ queryKey: ['safety', agentId], queryFn: () => identities.safetyNumber(party) });
  const confirm = useAction(async () => {
    await identities.markVerified(party);
    await queries.invalidateQueries({ queryKey: ['agent', agentId] });
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('compareTitle')}
      lead={t('compareLead')}
      actions={
        <Button variant="primary" busy={confirm.busy} onClick={() => confirm.run()}>
          {t('same')}
        </Button>
      }
    >
      {number.data !== undefined && <Digits text={number.data} label={t('safetyQr')} />}
      {(number.error ?? confirm.error ?? undefined) !== undefined && (
        <Notice tone="error">{explain(number.error ?? confirm.error)}</Notice>
      )}
    </Dialog>
  );
}

function Untrusted({ details: { identity, agentId } }: { readonly details: AgentDetails }) {
  const { t } = useTranslation('agents');
  const { identities } = useDevice();
  const queries = useQueryClient();
  const accept = useAction(async (key: string) => {
    await identities.confirm({ kind: 'agent', id: agentId }, key);
    await queries.invalidateQueries({ queryKey: ['agent', agentId] });
  });
  if (identity.ok) return null;
  if (identity.problem === 'no_keys') return <Notice>{t('noKeys')}</Notice>;
  if (identity.problem === 'fingerprint') return <Notice tone="error">{t('fingerprintWrong')}</Notice>;
  if (identity.problem === 'mode_signature') return <Notice tone="error">{t('modeForged')}</Notice>;
  const { known, offered } = identity;
  return (
    <Card className="grid gap-3 border-high/50">
      <Notice tone="error" title={t('changedTitle')}>
        {t('changedLead')}
      </Notice>
      <dl className="grid gap-2 text-sm">
        <dt className="text-muted">{t('known')}</dt>
        <dd className="font-mono text-xs break-all">{known}</dd>
        <dt className="text-muted">{t('offered')}</dt>
        <dd className="font-mono text-xs break-all">{offered}</dd>
      </dl>
      {accept.error !== undefined && <Notice tone="error">{explain(accept.error)}</Notice>}
      {offered !== undefined && (
        <Button variant="danger" busy={accept.busy} onClick={() => accept.run(offered)}>
          {t('acceptKey')}
        </Button>
      )}
    </Card>
  );
}
