import type { ChatMessage, LiveText } from '@parley/client';
import { displayLines, displayText } from '@parley/documents';
import { isToolCall } from '@parley/protocol';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { timeOfDay } from '../../i18n/day.ts';
import { longTime } from '../../i18n/time.ts';
import { classNames } from '../../parts/class-names.ts';
import { Contained } from '../../parts/contained.tsx';
import { TypedText } from '../../parts/typed-text.tsx';
import { AttachmentView } from './attachment-view.tsx';
import { CallCard } from './call-card.tsx';
import { CardView } from './card-view.tsx';
import { hashOf } from './message-key.ts';
import { MessageMenu } from './message-menu.tsx';

const Text = lazy(async () => ({ default: (await import('../../parts/markdown.tsx')).Text }));

interface MessageProps {
  readonly message: ChatMessage;
  /** In a group, who wrote it. */
  readonly sender?: string | undefined;
  /** Someone came here to see this one. */
  readonly isFound?: boolean;
}

export function Message({ message, sender, isFound = false }: MessageProps) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const { own, state, createdAt, conversationId, clientMessageId } = message;
  return (
    <article
      ref={useFocus(isFound)}
      tabIndex={-1}
      aria-current={isFound || undefined}
      className={classNames(
        'group/message flex flex-col gap-1 rounded-xl outline-none',
        own ? 'items-end' : 'items-start',
        isFound && 'found-message',
      )}
    >
      {sender !== undefined && !own && <bdi className="px-1 text-xs font-medium text-muted">{sender}</bdi>}
      <Contained subject={message.payload} fallback={<Unshown />}>
        <Body message={message} />
      </Contained>
      <footer className="flex items-center gap-2 px-1 text-xs text-muted">
        <time dateTime={createdAt} title={longTime(createdAt)}>
          {timeOfDay(createdAt)}
        </time>
        {state === 'sending' && <span>{t('sending')}</span>}
        {state === 'failed' && (
          <>
            <span className="font-medium text-high">{t('failed')}</span>
            {message.hadSecret === true ? (
              <ToCard message={message} />
            ) : (
              <button
                type="button"
                className="min-h-6 text-accent underline"
                onClick={() => void conversations.retry(conversationId, clientMessageId).catch(() => {})}
              >
                {t('retry')}
              </button>
            )}
          </>
        )}
        <MessageMenu message={message} />
      </footer>
    </article>
  );
}

/** An answer with a secret is given once more on its card, where the secret is entered again (WC-23). */
function ToCard({ message: { conversationId, payload, answerTo, createdAt } }: { readonly message: ChatMessage }) {
  const { t } = useTranslation('cards');
  const { conversations } = useDevice();
  const { messages } = useReadable(conversations.timeline(conversationId));
  const id = payload.type === 'artifact' && 'action' in payload.artifact ? payload.artifact.artifact_id : undefined;
  const card = messages.findLast(
    ({ sender, payload: one }) =>
      one.type === 'artifact' &&
      'blocks' in one.artifact &&
      one.artifact.artifact_id === id &&
      sender.kind === answerTo?.kind &&
      sender.id === answerTo.id,
  );
  // Whoever has answered since then need not do it again.
  if (card === undefined || (card.answer?.answeredAt ?? '') > createdAt) return null;
  return (
    <Link
      to="/c/$conversationId"
      params={{ conversationId }}
      hash={hashOf(card)}
      className="inline-flex min-h-6 items-center text-accent underline"
    >
      {t('enterAgain')}
    </Link>
  );
}

/** Whoever comes by keyboard goes on from here. */
function useFocus(isFound: boolean) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFound) ref.current?.focus({ preventScroll: true });
  }, [isFound]);
  return ref;
}

const BUBBLE = 'max-w-[min(42rem,92%)] rounded-2xl px-4 py-2.5';

/** What can be done with it is in its menu, which is drawn apart. */
export function Unshown() {
  const { t } = useTranslation('conversations');
  return <p className={classNames(BUBBLE, 'border bg-surface text-muted')}>{t('unshown')}</p>;
}

function Body({ message }: { readonly message: ChatMessage }) {
  const { t } = useTranslation('conversations');
  const { payload, own } = message;
  const look = own ? 'bg-accent-soft' : 'border bg-surface';
  if (isToolCall(payload)) return <CallCard message={message} call={payload.artifact} />;
  switch (payload.type) {
    case 'text':
      return (
        <div className={classNames(BUBBLE, look)}>
          {message.sender.kind === 'human' ? (
            <TypedText>{payload.text}</TypedText>
          ) : (
            <Suspense fallback={<p className="whitespace-pre-wrap">{displayLines(payload.text)}</p>}>
              <Text>{payload.text}</Text>
            </Suspense>
          )}
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
        <p dir="auto" className="break-words whitespace-pre-wrap">
          {displayLines(stream.text)}
        </p>
      </div>
      <footer className="px-1 text-xs text-muted">{t('streaming')}</footer>
    </article>
  );
}
