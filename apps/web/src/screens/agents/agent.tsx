import { isParleyError } from '@parley/base';
import type { AgentDetails, RelationView } from '@parley/client';
import { preselectScopes } from '@parley/documents';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { takeFirstMessage } from '../../client/first-message.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card, PageHead } from '../../parts/card.tsx';
import { Consent } from '../../parts/consent.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Page } from '../../shell/page.tsx';
import { AskOwner } from '../contacts/ask-owner.tsx';
import { TryNext } from '../conversations/first-steps/try-next.tsx';
import { Gone, Removed } from './gone.tsx';
import { Grants } from './grants.tsx';
import { Identity } from './identity.tsx';

const FINGERPRINT = /^[A-Za-z0-9_-]{43}$/;

/** Shows one agent: the consent before it is added, its permissions afterwards. */
export function AgentPage() {
  const { agentId } = useParams({ from: '/framed/agents/$agentId' });
  const { hash } = useLocation();
  const { agents, relations } = useDevice();
  const fingerprint = FINGERPRINT.test(hash) ? hash : undefined;
  const all = useReadable(relations).filter((one) => one.agentId === agentId);
  const relation = all.find(({ status }) => status !== 'ended');
  const query = useQuery({
    // Of an agent that was added, what is shown follows what it has declared and what was agreed to.
    queryKey: ['agent', agentId, fingerprint, relation?.currentVersion, relation?.agreedVersion],
    queryFn: () => agents.inspect({ agentId, ...(fingerprint === undefined ? {} : { fingerprint }) }),
    // The person agrees to what is on the screen, so it must not change by itself.
    refetchOnWindowFocus: false,
    placeholderData: (before) => (before?.agentId === agentId ? before : undefined),
  });
  const ended = relation === undefined ? all.at(-1) : undefined;
  if (isParleyError(query.error, 'NOT_FOUND')) return <Gone relation={ended ?? relation} />;
  if (query.error)
    return (
      <Page>
        <Notice tone="error">{explain(query.error)}</Notice>
      </Page>
    );
  if (query.data === undefined)
    return (
      <Page>
        <Spinner />
      </Page>
    );
  return <Loaded details={query.data} relation={relation} ended={ended} byLink={fingerprint !== undefined} />;
}

interface LoadedProps {
  readonly details: AgentDetails;
  readonly relation: RelationView | undefined;
  /** The last one with this agent, where there is none now. */
  readonly ended: RelationView | undefined;
  readonly byLink: boolean;
}

function Loaded({ details, relation, ended, byLink }: LoadedProps) {
  const { t } = useTranslation('agents');
  const { name, description, ownerName, mode } = details;
  return (
    <Page>
      <PageHead
        title={name}
        lead={description}
        actions={
          relation && (
            <Link
              to="/c/$conversationId"
              params={{ conversationId: relation.conversationId }}
              className="inline-flex min-h-10 items-center gap-2 rounded-lg bg-accent px-4 font-medium text-on-accent"
            >
              <MessageSquare aria-hidden className="size-4" /> {t('talk')}
            </Link>
          )
        }
      />
      {/* Who made it is known before the decision; what is wrong with its keys, too. All else about them comes after. */}
      <div className="-mt-4 mb-6 flex flex-wrap items-center gap-2 text-sm text-muted">
        <bdi>{t('by', { name: ownerName })}</bdi>
        {mode.weaker && <Tag>{t('weaker')}</Tag>}
        {!details.isOwn && <AskOwner agentId={details.agentId} />}
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-6">
          {!details.identity.ok && <Identity details={details} byLink={byLink} />}
          {ended !== undefined && <Removed relation={ended} />}
          <TryNext details={details} relation={relation} />
          {relation === undefined ? (
            <Add key={details.manifestHash} details={details} />
          ) : (
            <Grants details={details} relation={relation} />
          )}
        </div>
        <aside className="grid gap-4">
          <Card>
            <h2 className="flex items-center gap-2 font-semibold">
              {t('encryption')} {mode.weaker && <Tag>{t('weaker')}</Tag>}
            </h2>
            <p className="mt-1 text-sm text-muted">{mode.text}</p>
            {details.preview !== undefined && details.preview.flags.length > 0 && (
              <>
                <h2 className="mt-4 text-sm font-semibold">{t('flags')}</h2>
                <ul className="mt-1 list-disc pl-5 text-sm text-muted">
                  {details.preview.flags.map((flag) => (
                    <li key={flag.name}>{flag.text}</li>
                  ))}
                </ul>
              </>
            )}
          </Card>
          {details.identity.ok && <Identity details={details} byLink={byLink} />}
        </aside>
      </div>
    </Page>
  );
}

function Add({ details }: { readonly details: AgentDetails }) {
  const { t } = useTranslation('agents');
  const { conversations, relations } = useDevice();
  const navigate = useNavigate();
  const [chosen, choose] = useState<ReadonlySet<string>>(
    () => new Set(details.preview && preselectScopes(details.preview)),
  );
  const { agentId, name, preview, manifestHash, identity } = details;
  const complete = details.requiredScopes.every((id) => chosen.has(id));
  const add = useAction(async () => {
    const { conversationId } = await relations.add({ agentId, scopes: [...chosen], manifestHash: manifestHash! });
    const text = takeFirstMessage(agentId);
    // One that cannot be sent stays in the conversation, with a button to send it again.
    if (text !== undefined) void conversations.sendText(conversationId, text).catch(() => {});
    await navigate({ to: '/c/$conversationId', params: { conversationId } });
  });
  return (
    <section aria-labelledby="wants" className="grid gap-4">
      <h2 id="wants" className="text-lg font-semibold">
        {t('wants')}
      </h2>
      {preview === undefined ? (
        <Notice>{t('noManifest')}</Notice>
      ) : (
        <>
          <p className="-mt-2 text-sm text-muted">{t('switching.chooseLead')}</p>
          <Consent preview={preview} chosen={chosen} onChange={choose} />
        </>
      )}
      {!complete && <p className="text-sm text-muted">{t('requiredOff')}</p>}
      {complete && chosen.size === 0 && <p className="text-sm text-muted">{t('nothingChosen')}</p>}
      {add.error !== undefined && <Failed details={details} error={add.error} />}
      <div className="flex flex-wrap items-center gap-4">
        <Button
          variant="primary"
          busy={add.busy}
          disabled={!identity.ok || manifestHash === null || !complete}
          onClick={() => add.run()}
        >
          {t('add', { name })}
        </Button>
        <p className="max-w-md text-sm text-muted">{t('addLead')}</p>
      </div>
    </section>
  );
}

/** What went wrong, and what one can do. */
function Failed({ details: { agentId, name }, error }: { readonly details: AgentDetails; readonly error: unknown }) {
  const { t } = useTranslation('agents');
  const queries = useQueryClient();
  if (isParleyError(error, 'NOT_FOUND')) return <Notice tone="error">{t('adding.gone', { name })}</Notice>;
  if (isParleyError(error, 'UNREACHABLE')) return <Notice tone="error">{t('adding.offline', { name })}</Notice>;
  if (!isParleyError(error, 'MANIFEST_CHANGED')) return <Notice tone="error">{explain(error)}</Notice>;
  return (
    <Notice tone="error">
      <p>{t('adding.changed', { name })}</p>
      <Button
        size="small"
        className="mt-2"
        onClick={() => void queries.invalidateQueries({ queryKey: ['agent', agentId] })}
      >
        {t('adding.reread')}
      </Button>
    </Notice>
  );
}
