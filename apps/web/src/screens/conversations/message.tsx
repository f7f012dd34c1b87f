import type { ChatMessage, LiveText } from '@parley/client';
import { displayText } from '@parley/documents';
import { isToolCall } from '@parley/protocol';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice } from '../../client/provider.tsx';
import { shortTime } from '../../i18n/time.ts';
import { classNames } from '../../parts/class-names.ts';
import { AttachmentView } from './attachment-view.tsx';
import { CallCard } from './call-card.tsx';
import { CardView } from './card-view.tsx';

const Text = lazy(async () => ({ default: (await import('../../parts/markdown.tsx')).Text }));

export function Message({ message, sender }: { readonly message: ChatMessage; readonly sender?: string | undefined }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const { own, state, createdAt, conversationId, clientMessageId } = message;
  return (
    <article className={classNames('flex flex-col gap-1', own ? 'items-end' : 'items-start')}>
      {sender !== undefined && !own && <bdi className="px-1 text-xs font-medium text-muted">{sender}</bdi>}
      <Body message={message} />
      <footer className="flex items-center gap-2 px-1 text-xs text-muted">
        <time dateTime={createdAt}>{shortTime(createdAt)}</time>
        {state === 'sending' && <span>{t('sending')}</span>}
        {state === 'failed' && (
          <>
            <span className="font-medium text-high">{t('failed')}</span>
            <button
              type="button"
              className="min-h-6 text-accent underline"
              onClick={() => void conversations.retry(conversationId, clientMessageId).catch(() => {})}
            >
              {t('retry')}
            </button>
          </>
        )}
      </footer>
    </article>
  );
}

const BUBBLE = 'max-w-[min(42rem,92%)] rounded-2xl px-4 py-2.5';

function Body({ message }: { readonly message: ChatMessage }) {
  const { t } = useTranslation('conversations');
  const { payload, own } = message;
  const look = own ? 'bg-accent-soft' : 'border bg-surface';
  if (isToolCall(payload)) return <CallCard message={message} call={payload.artifact} />;
  switch (payload.type) {
    case 'text':
      return (
        <div className={classNames(BUBBLE, look)}>
          <Suspense fallback={<p className="whitespace-pre-wrap">{payload.text}</p>}>
            <Text>{payload.text}</Text>
          </Suspense>
        </div>
      );
    case 'artifact':
      return 'blocks' in payload.artifact ? (
        <CardView message={message} card={payload.artifact} />
      ) : (
        <p className={classNames(BUBBLE, look, 'text-muted')}>{t('answered')}</p>
      );
    case 'system':
      return <p className="text-sm text-muted">{displayText(payload.code)}</p>;
    default:
      return (
        <div className={classNames(BUBBLE, look)}>
          <AttachmentView attachment={payload} />
        </div>
      );
  }
}

/** Shows a text that is still being streamed. */
export function LiveMessage({ stream }: { readonly stream: LiveText }) {
  const { t } = useTranslation('conversations');
  return (
    <article className="flex flex-col items-start gap-1">
      <div className={classNames(BUBBLE, 'border bg-surface')} aria-busy>
        <p className="break-words whitespace-pre-wrap">{stream.text}</p>
      </div>
      <footer className="px-1 text-xs text-muted">{t('streaming')}</footer>
    </article>
  );
}
