import { type ChatMessage, explainResponse } from '@parley/client';
import { displayText, type Json } from '@parley/documents';
import { ERROR_REASONS, type ErrorReason, type ToolCall, type ToolResponse } from '@parley/protocol';
import { Ban, CircleCheck, CircleStop, CircleX, Hourglass, LoaderCircle, Wrench } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { currentLocale } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';
import { JsonView } from '../../parts/json-view.tsx';
import { Level } from '../../parts/level.tsx';
import { useAgent } from './use-agent.ts';

/** Shows a tool call in the conversation, from the prompt to its result. */
export function CallCard({ message, call }: { readonly message: ChatMessage; readonly call: ToolCall }) {
  const { t } = useTranslation('conversations');
  const response = message.call?.response;
  const hasArguments = Object.keys(call.arguments).length > 0;
  return (
    <section className="w-full max-w-[min(42rem,92%)] overflow-hidden rounded-2xl border bg-surface shadow-card">
      <header className="flex flex-wrap items-center gap-2 px-4 pt-3 pb-2">
        <Wrench aria-hidden className="size-4 text-muted" />
        <code className="min-w-0 font-mono text-sm font-semibold break-all">{displayText(call.tool_name, 64)}</code>
        <State message={message} />
      </header>
      <Scope message={message} call={call} />
      {hasArguments && <Fold label={t('call.arguments')} value={call.arguments as Json} />}
      {response !== undefined && <ResponseView response={response} />}
      {message.call?.state === 'running' && <Cancel message={message} call={call} />}
    </section>
  );
}

/** Shows the permission as the agent's current manifest describes it. */
function Scope({ message, call }: { readonly message: ChatMessage; readonly call: ToolCall }) {
  const scope = useAgent(message.conversationId)?.scopes.find(({ id }) => id === displayText(call.permission_scope));
  if (scope === undefined) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 px-4 pb-2 text-sm text-muted">
      <bdi>{scope.label}</bdi> <Level level={scope.level} />
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

function ResponseView({ response }: { readonly response: ToolResponse }) {
  const { t } = useTranslation('conversations');
  const { status, result, reason = '', message } = response;
  if (status === 'ok') return result === undefined ? null : <Fold label={t('call.result')} value={result} />;
  // By default the message repeats the reason in words for the agent.
  const hasDetail = status === 'error' && message !== ERROR_REASONS[reason as ErrorReason]?.en;
  return (
    <p className="border-t px-4 py-2 text-sm text-muted">
      {explainResponse(response, currentLocale())} {hasDetail && message !== undefined && displayText(message)}
    </p>
  );
}

function Fold({ label, value }: { readonly label: string; readonly value: Json }) {
  return (
    <Collapsible.Root className="border-t">
      <Collapsible.Trigger className="min-h-9 w-full px-4 text-left text-sm text-accent">{label}</Collapsible.Trigger>
      <Collapsible.Content className="px-4 pb-3">
        <JsonView value={value} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
