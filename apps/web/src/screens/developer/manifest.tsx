import { hashManifest, MANIFEST_SCHEMA, type Manifest, preselectScopes, previewConsent } from '@parley/documents';
import { agentRoutes } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../client/use-api.ts';
import { useDocumentDraft } from '../../client/use-document-draft.ts';
import { currentLocale } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { CompareTexts } from '../../parts/code-editor.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { Consent } from '../../parts/consent.tsx';
import { JsonEditor } from '../../parts/json-editor.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { checkText, pretty } from './check.ts';
import { Connect } from './connect.tsx';
import type { OwnAgent } from './own-agent.ts';
import { judge, PushImpact } from './push-impact.tsx';
import { TEMPLATES } from './templates.ts';

const findingsOf = (text: string) => checkText(text).findings;

/** Edits a manifest, with findings while the person writes and the impact before they push. */
export function ManifestTab({ agent }: { readonly agent: OwnAgent }) {
  const { t } = useTranslation('developer');
  const live = agent.capability_manifest as Manifest | null;
  const hash = agent.capability_manifest_hash;
  const draft = useDocumentDraft(`manifest/${agent.agent_id}`, pretty(live ?? TEMPLATES.empty), hash);
  const { text } = draft;
  const { manifest } = useMemo(() => checkText(text), [text]);
  const diff = useMemo(() => judge(live, manifest), [live, manifest]);
  // Someone pushed after this text was begun: pushing it now would take back what they changed.
  const isBehind = draft.unsaved !== undefined && draft.unsaved.base !== hash;
  const [isComparing, compare] = useState(false);
  const version = agent.capability_manifest_version;
  const goOn = () => {
    compare(true);
    draft.rebase(hash);
  };
  return (
    <div className="grid grid-cols-1 gap-8">
      {live === null && <Connect agentId={agent.agent_id} />}
      <section className="grid grid-cols-1 gap-3">
        <Unsaved draft={draft} />
        <Templates live={live} text={text} onChoose={draft.change} />
        <JsonEditor
          label={t('editor')}
          value={text}
          onChange={draft.change}
          check={findingsOf}
          schema={MANIFEST_SCHEMA}
        />
      </section>
      {isBehind && <Behind version={version} onGoOn={goOn} />}
      <PushImpact isValid={manifest !== undefined} diff={diff} />
      {live !== null && (
        <section className="grid grid-cols-1 gap-3">
          <div>
            <Button aria-expanded={isComparing || isBehind} disabled={isBehind} onClick={() => compare(!isComparing)}>
              {t('compare')}
            </Button>
          </div>
          {(isComparing || isBehind) && (
            <CompareTexts before={pretty(live)} after={text} labels={[t('liveSide', { version }), t('draftSide')]} />
          )}
        </section>
      )}
      <Push
        agent={agent}
        manifest={isBehind ? undefined : manifest}
        isSame={diff?.oldHash === diff?.newHash && diff !== undefined}
        isBreaking={diff?.breaking ?? false}
        onPushed={(pushed) => draft.settle(text, pushed)}
      />
      {manifest !== undefined && <AsAsked manifest={manifest} />}
    </div>
  );
}

function Behind({ version, onGoOn }: { readonly version: number; readonly onGoOn: () => void }) {
  const { t } = useTranslation('developer');
  return (
    <Notice tone="warning" title={t('conflictTitle')}>
      <p>{t('makers.behindLead', { version })}</p>
      <Button size="small" className="mt-2" onClick={onGoOn}>
        {t('makers.behindGoOn', { version })}
      </Button>
    </Notice>
  );
}

interface TemplatesProps {
  readonly live: Manifest | null;
  readonly text: string;
  readonly onChoose: (text: string) => void;
}

function Templates({ live, text, onChoose }: TemplatesProps) {
  const { t } = useTranslation('developer');
  const [wanted, want] = useState<string>();
  const choices = { ...(live === null ? {} : { live }), ...TEMPLATES };
  const texts = Object.entries(choices).map(([name, manifest]) => [name, pretty(manifest)] as const);
  const find = (name: string | undefined) => texts.find(([one]) => one === name)?.[1] ?? '';
  const chosen = texts.find(([, one]) => one === text)?.[0] ?? '';
  const choose = (name: string) => {
    if (name === '') return;
    if (chosen === '') want(name);
    else onChoose(find(name));
  };
  return (
    <>
      <Select
        label={t('template')}
        className="sm:max-w-xs"
        value={chosen}
        onChange={choose}
        options={[
          ...(chosen === '' ? [{ value: '', label: '—' }] : []),
          ...texts.map(([name]) => ({ value: name, label: t(`templates.${name as keyof typeof choices & 'live'}`) })),
        ]}
      />
      {wanted !== undefined && (
        <ConfirmAction
          title={t('replaceTitle')}
          lead={t('replaceLead')}
          confirm={t('replace')}
          onClose={() => want(undefined)}
          work={async () => onChoose(find(wanted))}
        />
      )}
    </>
  );
}

interface PushProps {
  readonly agent: OwnAgent;
  readonly manifest: Manifest | undefined;
  readonly isSame: boolean;
  readonly isBreaking: boolean;
  /** With the hash of what was pushed. */
  readonly onPushed: (hash: string | null) => void;
}

function Push({ agent, manifest, isSame, isBreaking, onPushed }: PushProps) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const queries = useQueryClient();
  const [asking, ask] = useState(false);
  const [pushed, setPushed] = useState<{ version: number }>();
  const { agent_id, capability_manifest_hash: hash } = agent;
  const reload = () => queries.invalidateQueries({ queryKey: ['own-agent', agent_id] });
  const push = async () => {
    setPushed(undefined);
    try {
      const reply = await api(agentRoutes.updateAgent, {
        params: { agent_id },
        body: { capability_manifest: manifest! },
        headers: {
          // Sends the version that was compared with, and a key, so that a repeated request counts once (RL-4).
          ...(hash === null ? {} : { 'if-match': `"${hash}"` }),
          'idempotency-key': `${hash ?? 'first'}-${hashManifest(manifest!)}`,
        },
      });
      onPushed(reply.capability_manifest_hash);
      queries.setQueryData<OwnAgent>(
        ['own-agent', agent_id],
        (one) =>
          one && {
            ...one,
            capability_manifest: manifest!,
            capability_manifest_hash: reply.capability_manifest_hash,
            capability_manifest_version: reply.capability_manifest_version,
          },
      );
      // Said when the page compares with the new version: whoever reads it may go on at once.
      await reload();
      await queries.invalidateQueries({ queryKey: ['manifests', agent_id] });
      setPushed({ version: reply.capability_manifest_version });
    } catch (error) {
      if ((error as { status?: unknown }).status !== 412) throw error;
      // Someone else pushed: the page says so as soon as it has that version.
      await reload();
    }
  };
  return (
    <section className="grid gap-3">
      {pushed !== undefined && <Notice tone="success">{t('pushed', { version: pushed.version })}</Notice>}
      <div>
        <Button
          variant="primary"
          icon={<Upload aria-hidden className="size-4" />}
          disabled={manifest === undefined || isSame}
          onClick={() => ask(true)}
        >
          {t('push')}
        </Button>
      </div>
      {asking && (
        <ConfirmAction
          title={t('pushTitle')}
          lead={t(isBreaking ? 'pushBreaking' : 'pushSilent')}
          confirm={t('push')}
          danger={isBreaking}
          onClose={() => ask(false)}
          work={push}
        />
      )}
    </section>
  );
}

/** Previews the consent screen of people who will add the agent. */
function AsAsked({ manifest }: { readonly manifest: Manifest }) {
  const { t } = useTranslation('developer');
  const preview = useMemo(() => previewConsent(manifest, currentLocale()), [manifest]);
  const [chosen, choose] = useState<ReadonlySet<string>>();
  // What is on before anyone has switched anything, as when the agent is added.
  const offered = useMemo(() => new Set(preselectScopes(preview)), [preview]);
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="as-asked">
      <div>
        <h2 id="as-asked" className="text-lg font-semibold">
          {t('consentTitle')}
        </h2>
        <p className="text-sm text-muted">{t('consentLead')}</p>
      </div>
      {preview.groups.length === 0 ? (
        <p className="text-sm text-muted">{t('consentEmpty')}</p>
      ) : (
        <Consent preview={preview} chosen={chosen ?? offered} onChange={choose} />
      )}
    </section>
  );
}
