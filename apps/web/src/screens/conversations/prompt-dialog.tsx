import type { Prompt } from '@parley/client';
import { Link, useLocation } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../client/notify.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { sentenceSpace } from '../../i18n/index.ts';
import { Countdown } from '../../parts/countdown.tsx';
import { Level } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ScrollArea } from '../../parts/scroll-area.tsx';
import type { AnswerGate } from './question/answer-gate.ts';
import { Answers } from './question/answers.tsx';
import { Sheet } from './question/sheet.tsx';
import { type Typing, useTyping } from './question/typing.ts';
import { useAnswerGate, useAnswering } from './question/use-answer-gate.ts';
import { Values } from './question/values.tsx';

const FRAMES = { low: 'border-t-low', medium: 'border-t-medium', high: 'border-t-high' } as const;

/** Asks the person to decide (CG-10). Only the first prompt of the queue is shown. */
export function PromptDialog() {
  const { t } = useTranslation('conversations');
  const queue = useReadable(useDevice().prompts);
  const gate = useAnswerGate();
  const typing = useTyping();
  const [focusWaits, setFocusWaits] = useState(false);
  const [prompt] = queue;
  const isOneOfMany = prompt !== undefined && prompt.place.of > 1;
  // What takes the focus is read out by that.
  const isAnnounced = prompt !== undefined && (isOneOfMany || focusWaits);
  return (
    <>
      <p role="status" className="sr-only">
        {isOneOfMany && `${t('prompt.place', prompt.place)}: `}
        {isAnnounced && `${prompt.agentName} ${t('prompt.wants', { wants: prompt.wants })}`}
      </p>
      {prompt !== undefined && (
        <Ask
          prompt={prompt}
          own={queue.filter(({ agentId }) => agentId === prompt.agentId).length}
          gate={gate}
          typing={typing}
          onFocusWaits={setFocusWaits}
        />
      )}
    </>
  );
}

interface AskProps {
  readonly prompt: Prompt;
  /** How many questions of this agent wait, with this one. */
  readonly own: number;
  readonly gate: AnswerGate;
  readonly typing: Typing;
  readonly onFocusWaits: (waits: boolean) => void;
}

function Ask({ prompt, own, gate, typing, onFocusWaits }: AskProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const titleId = useId();
  useNotification(prompt);
  const { id, level, canStopAsking } = prompt;
  const answering = useAnswering(gate, {
    sheet,
    id,
    look: `${canStopAsking} ${own > 1}`,
    // The 30 seconds run while the question is visible, and only then (CG-6).
    onVisible: prompt.shown,
    onHidden: prompt.hidden,
  });
  return (
    <Sheet
      sheet={sheet}
      id={id}
      typing={typing}
      onFocusWaits={onFocusWaits}
      labelledBy={titleId}
      describedBy={`${titleId}-about`}
      className={FRAMES[level]}
      // It counts as an answer, and denies.
      onEscape={(event) => answering.takesEscape(event) && prompt.deny()}
    >
      {/* Everything anew for each question: no button of one is a button of the next. */}
      <div key={id} className="contents">
        <Head prompt={prompt} titleId={titleId} isEarly={answering.isEarly} />
        <Body prompt={prompt} />
        <Answers prompt={prompt} own={own} answering={answering} />
      </div>
    </Sheet>
  );
}

interface HeadProps {
  readonly prompt: Prompt;
  readonly titleId: string;
  readonly isEarly: boolean;
}

function Head({ prompt, titleId, isEarly }: HeadProps) {
  const { t } = useTranslation('conversations');
  const { agentName, wants, tool, scope, level, place, deadline, answerMs, conversationId } = prompt;
  const { pathname } = useLocation();
  return (
    <header className="flex shrink-0 items-start gap-4 px-4 pt-3 pb-1 sm:px-6">
      <div className="min-w-0 flex-1">
        <h2 id={titleId} className="leading-snug font-semibold wrap-anywhere sm:text-lg">
          <bdi>{agentName}</bdi> <bdi>{t('prompt.wants', { wants })}</bdi>
        </h2>
        <dl id={`${titleId}-about`} className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <div>
            <dt className="sr-only">{t('prompt.level')}</dt>
            <dd>
              <Level level={level} />
            </dd>
          </div>
          <div className="flex gap-1.5">
            <dt className="text-muted max-sm:sr-only">{t('prompt.scope')}</dt>
            <dd className="font-medium">
              <bdi>{scope.label}</bdi>
            </dd>
          </div>
          <div>
            <dt className="sr-only">{t('prompt.tool')}</dt>
            <dd className="font-mono text-xs text-muted">{tool.name}</dd>
          </div>
        </dl>
        {/* They have their line from the beginning: that they appear moves nothing. */}
        <div className="flex min-h-6 flex-wrap gap-x-3 text-sm">
          {place.of > 1 && <p className="font-medium">{t('prompt.place', place)}</p>}
          {pathname !== `/c/${conversationId}` && (
            <Link
              to="/c/$conversationId"
              params={{ conversationId }}
              className="inline-flex min-h-6 items-center gap-2 text-accent underline pointer-coarse:min-h-11"
            >
              <MessagesSquare aria-hidden className="size-4" /> {t('prompt.show')}
            </Link>
          )}
          <p role="status" className="text-medium">
            {isEarly && t('prompt.early')}
          </p>
        </div>
      </div>
      {deadline !== undefined && answerMs !== undefined && <Countdown deadline={deadline} total={answerMs} />}
    </header>
  );
}

function Body({ prompt }: { readonly prompt: Prompt }) {
  const { t } = useTranslation('conversations');
  const { agentName, tool, note, edge, leadsOn, act, remember } = prompt;
  return (
    <ScrollArea
      as="div"
      className="grid min-h-24 grid-cols-1 content-start gap-3 overflow-y-auto px-4 pb-3 -outline-offset-2 sm:px-6 [@media(max-height:34rem)]:shrink-0"
    >
      {leadsOn && edge !== undefined && <Notice tone="warning">{t('prompt.leadsOn', { edge })}</Notice>}
      <Values value={prompt.arguments} isKnown={act !== undefined} />
      {note !== undefined && <Notice tone="warning">{note}</Notice>}
      <p className="text-sm text-muted">
        <span>{t('prompt.says', { agent: agentName })}</span>
        {sentenceSpace()}
        <q className="wrap-anywhere">{tool.description}</q>
      </p>
      {remember.length === 0 && (
        <p className="text-sm text-muted">
          {t('prompt.always')}
          {sentenceSpace()}
          {t('prompt.timeout')}
        </p>
      )}
    </ScrollArea>
  );
}

/** In a hidden tab a notification asks the person to look. */
function useNotification({ id, agentName, conversationId }: Prompt): void {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each prompt
  useEffect(() => {
    const isMuted = conversations.list
      .getSnapshot()
      .some((view) => view.conversationId === conversationId && view.mutedUntil !== undefined);
    // Only the name is shown and no text of the agent, because everyone can read a lock screen.
    const hide =
      document.visibilityState === 'hidden' && !isMuted
        ? notify(t('prompt.notification', { agent: agentName }), { tag: id, onClick: focusDialog })
        : () => {};
    return hide;
  }, [id]);
}

/** Focuses the dialog itself, so that the next key is not an answer. */
function focusDialog(): void {
  document.querySelector<HTMLElement>('[role=dialog]')?.focus();
}
