import { type ChatMessage, explainMessage, explainResponse, type RelationView } from '@parley/client';
import { displayText, type Json } from '@parley/documents';
import { ERROR_REASONS, type ErrorReason, type ToolCall } from '@parley/protocol';
import { Ban, CircleCheck, CircleStop, CircleX, Hourglass, LoaderCircle, Wrench } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { currentLocale, sentenceSpace } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';
import { Level } from '../../parts/level.tsx';
import { ReadableResult } from './calls/call-result.tsx';
import { useCallTitle } from './calls/call-title.ts';
import { Details, Fold } from './calls/fold.tsx';
import { Mend } from './calls/mend.tsx';

/** Shows a tool call in the conversation, from the prompt to its result. */
export function CallCard({ message, call }: { readonly message: ChatMessage; readonly call: ToolCall }) {
  const { t } = useTranslation('conversations');
  const relations = useReadable(useDevice().relations);
  const relation = relations.findLast(({ agentId, status }) => agentId === message.sender.id && status !== 'ended');
  const title = useCallTitle(call, { agentId: message.sender.id, relation });
  const hasArguments = Object.keys(call.arguments).length > 0;
  return (
    <section
      aria-label={title}
      className="w-full max-w-[min(42rem,92%)] overflow-hidden rounded-2xl border bg-surface shadow-card"
    >
      <header className="flex flex-wrap items-start gap-2 px-4 pt-3 pb-2">
        <Wrench aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <h3 className="min-w-0 flex-1 basis-40 text-sm font-semibold wrap-anywhere">
          <bdi>{title}</bdi>
        </h3>
        <State message={message} />
      </header>
      <Scope {...{ call, relation, title }} />
      {hasArguments && <Fold label={t('call.arguments')} value={call.arguments as Json} />}
      <ResponseView {...{ message, call, relation, title }} />
      {message.call?.state === 'running' && <Cancel message={message} call={call} />}
    </section>
  );
}

interface PartProps {
  readonly message: ChatMessage;
  readonly call: ToolCall;
  readonly relation: RelationView | undefined;
}

/** Shows the permission as the agent's current manifest describes it. */
function Scope({ call, relation, title }: Omit<PartProps, 'message'> & { readonly title: string }) {
  const scope = relation?.scopes.find(({ id }) => id === displayText(call.permission_scope));
  if (scope === undefined) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 px-4 pb-2 text-sm text-muted">
      {scope.label !== title && <bdi>{scope.label}</bdi>} <Level level={scope.level} />
    </p>
  );
}

function Cancel({ message, call }: { readonly message: ChatMessage; readonly call: ToolCall }) {
  const { t } = useTranslation('conversations');
  const { cancelCall } = useDevice();
  return (
    <div className="border-t px-4 py-2">
      <Button
        size="small"
        icon={<CircleStop aria-hidden className="size-4" />}
        onClick={() => cancelCall({ conversationId: message.conversationId, callId: call.call_id })}
      >
        {t('call.cancel')}
      </Button>
    </div>
  );
}

const END = {
  ok: { style: 'bg-low-soft text-low', Icon: CircleCheck },
  denied: { style: 'bg-raised text-muted', Icon: Ban },
  error: { style: 'bg-high-soft text-high', Icon: CircleX },
} as const;

function State({ message }: { readonly message: ChatMessage }) {
  const { t } = useTranslation('conversations');
  const queue = useReadable(useDevice().prompts);
  const { state, response, startedAt } = message.call ?? {};
  const pill = 'ml-auto inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-semibold';
  if (response !== undefined) {
    const { style, Icon } = END[response.status];
    return (
      <span role="status" className={classNames(pill, style)}>
        <Icon aria-hidden className="size-3.5" /> {t(`call.${response.status}`)}
      </span>
    );
  }
  if (state === 'elsewhere')
    return <span className={classNames(pill, 'bg-raised text-muted')}>{t('call.elsewhere')}</span>;
  if (state === 'running')
    return (
      <span role="status" className={classNames(pill, 'bg-info-soft text-info')}>
        <LoaderCircle aria-hidden className="size-3.5 animate-spin" /> {t('call.running')}
        {startedAt !== undefined && <Elapsed since={startedAt} />}
      </span>
    );
  const place = queue.findIndex(
    ({ conversationId, callId }) =>
      conversationId === message.conversationId && message.clientMessageId === `call-${callId}`,
  );
  return (
    <span role="status" className={classNames(pill, 'bg-medium-soft text-medium')}>
      <Hourglass aria-hidden className="size-3.5" />{' '}
      {place > 0 ? t('call.queued', { count: place }) : t('call.waiting')}
    </span>
  );
}

function Elapsed({ since }: { readonly since: number }) {
  const { t } = useTranslation('conversations');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="tabular-nums">{t('call.elapsed', { count: Math.max(0, Math.round((now - since) / 1_000)) })}</span>
  );
}

const VAGUE: ReadonlySet<string> = new Set(['TOOL_UNAVAILABLE', 'TOOL_PLATFORM_ERROR']);

function ResponseView({ message, call, title, relation }: PartProps & { readonly title: string }) {
  const { t } = useTranslation('calls');
  const { t: tc } = useTranslation('conversations');
  const response = message.call?.response;
  if (response === undefined) return null;
  const { status, result, reason = '', message: told } = response;
  if (status === 'ok') {
    return (
      <Fold label={tc('call.result')} value={result ?? null}>
        <ReadableResult result={result} />
      </Fold>
    );
  }
  // By default the message repeats the reason in words for the agent.
  const isOwn = status === 'error' && told !== ERROR_REASONS[reason as ErrorReason]?.en;
  const detail = isOwn ? explainMessage(response, currentLocale()) : undefined;
  // That it failed is less than why it failed.
  const why = VAGUE.has(reason) && detail !== undefined ? '' : explainResponse(response, currentLocale());
  const rows = [
    [t('code'), response.error_code ?? reason],
    [t('tool'), call.tool_name],
    [t('scope'), call.permission_scope],
    ...(told === undefined ? [] : ([[t('message'), told]] as const)),
  ] as const;
  return (
    <div className="grid gap-2.5 border-t px-4 py-3 text-sm">
      <p>
        {why}
        {why !== '' && sentenceSpace()}
        {detail !== undefined && <bdi>{detail}</bdi>}
      </p>
      <Mend {...{ message, call, response, relation, title }} />
      <Details label={t('details')} rows={rows} />
    </div>
  );
}
