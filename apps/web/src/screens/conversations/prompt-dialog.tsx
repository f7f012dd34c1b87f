import type { Prompt, Remember } from '@parley/client';
import type { Json } from '@parley/documents';
import { Ban, BellOff, Check, ShieldX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../client/notify.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';
import { Countdown } from '../../parts/countdown.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Level } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { RememberChoice } from './remember-choice.tsx';

/** A click that was meant for the question before comes within this time. */
const SETTLE_MS = 700;

/** Asks the person to decide (CG-10). Only the first prompt of the queue is shown. */
export function PromptDialog() {
  const queue = useReadable(useDevice().prompts);
  const [prompt] = queue;
  const isSettling = useSettling(prompt?.id);
  if (prompt === undefined) return null;
  return <Ask key={prompt.id} prompt={prompt} waiting={queue.length - 1} isSettling={isSettling} />;
}

interface AskProps {
  readonly prompt: Prompt;
  readonly waiting: number;
  readonly isSettling: boolean;
}

function Ask({ prompt, waiting, isSettling }: AskProps) {
  const { t } = useTranslation('conversations');
  useShown(prompt);
  const { agentName, tool, scope, level, note, deadline, answerMs, canAlwaysDeny, canStopAsking, edge } = prompt;
  const [remember, setRemember] = useState<Remember | undefined>(prompt.remember[0]);
  const hasArguments = Object.keys(prompt.arguments).length > 0;
  const answer = (give: () => void) => () => {
    if (!isSettling) give();
  };
  return (
    <Dialog
      open
      stay
      // Escape counts as an answer, and denies.
      onClose={answer(prompt.deny)}
      title={t('prompt.title', { agent: agentName })}
      lead={tool.description}
      actions={
        <>
          {/* With a row of its own, and to the left: it appears while someone may be about to press Allow. */}
          <div className={classNames('flex flex-wrap items-center gap-x-4', canStopAsking ? 'w-full' : 'mr-auto')}>
            {canStopAsking && (
              <Button
                variant="quiet"
                size="small"
                icon={<BellOff aria-hidden className="size-4" />}
                disabled={isSettling}
                onClick={answer(prompt.stopAsking)}
                className="-ml-3"
              >
                {t('prompt.stopAsking')}
              </Button>
            )}
            {waiting > 0 && (
              <p role="status" className="text-sm text-muted">
                {t('prompt.more', { count: waiting })}
              </p>
            )}
          </div>
          {canAlwaysDeny && (
            <Button
              variant="danger"
              icon={<ShieldX aria-hidden className="size-4" />}
              disabled={isSettling}
              onClick={answer(prompt.alwaysDeny)}
            >
              {t('prompt.alwaysDeny')}
            </Button>
          )}
          <Button icon={<Ban aria-hidden className="size-4" />} disabled={isSettling} onClick={answer(prompt.deny)}>
            {t('prompt.deny')}
          </Button>
          <Button
            variant="primary"
            icon={<Check aria-hidden className="size-4" />}
            disabled={isSettling}
            onClick={answer(() => prompt.allow(remember))}
          >
            {t('prompt.allow')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {prompt.leadsOn && edge !== undefined && <Notice tone="warning">{t('prompt.leadsOn', { edge })}</Notice>}
        <div className="flex items-center justify-between gap-4">
          <dl className="flex flex-wrap items-center gap-x-6 gap-y-2 text-sm">
            <div className="flex items-center gap-2">
              <dt className="text-muted">{t('prompt.scope')}</dt>
              <dd className="font-medium">
                <bdi>{scope.label}</bdi>
              </dd>
            </div>
            <div className="flex items-center gap-2">
              <dt className="sr-only">{t('prompt.level')}</dt>
              <dd>
                <Level level={level} />
              </dd>
            </div>
            <div>
              <dt className="sr-only">{t('prompt.tool')}</dt>
              <dd className="font-mono text-xs text-muted">{tool.name}</dd>
            </div>
          </dl>
          {deadline !== undefined && answerMs !== undefined && <Countdown deadline={deadline} total={answerMs} />}
        </div>
        {note !== undefined && <Notice tone="warning">{note}</Notice>}
        <div>
          <p className="mb-1.5 text-sm text-muted">{hasArguments ? t('prompt.asks') : t('prompt.nothing')}</p>
          {hasArguments && <JsonView value={prompt.arguments as Json} />}
        </div>
        {remember === undefined ? (
          <p className="text-sm text-muted">
            {t('prompt.always')} {t('prompt.timeout')}
          </p>
        ) : (
          <RememberChoice prompt={prompt} value={remember} onChange={setRemember} />
        )}
      </div>
    </Dialog>
  );
}

/**
 * A question that follows another within a moment takes no answer at first (CG-14): the second click of two, or one that
 * was meant for the question before, decides nothing.
 */
function useSettling(id: string | undefined): boolean {
  const [answerable, setAnswerable] = useState<string>();
  /** False while a question is on the screen, and for a moment after. */
  const isQuiet = useRef(true);
  useEffect(() => {
    const settle = () => {
      if (id === undefined) isQuiet.current = true;
      setAnswerable(id);
    };
    const isFirst = isQuiet.current;
    isQuiet.current = false;
    if (isFirst) return settle();
    const timer = setTimeout(settle, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return id !== answerable;
}

/** The 30 seconds start when the prompt is visible (CG-6). In a hidden tab a notification asks the person to look. */
function useShown(prompt: Prompt): void {
  const { t } = useTranslation('conversations');
  const { id, agentName } = prompt;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each prompt
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') prompt.shown();
    };
    look();
    document.addEventListener('visibilitychange', look);
    // Only the name is shown and no text of the agent, because everyone can read a lock screen.
    const hide =
      document.visibilityState === 'hidden'
        ? notify(t('prompt.notification', { agent: agentName }), { tag: id, onClick: focusDialog })
        : () => {};
    return () => {
      document.removeEventListener('visibilitychange', look);
      hide();
    };
  }, [id]);
}

/** Focuses the dialog itself, so that the next key is not an answer. */
function focusDialog(): void {
  document.querySelector<HTMLElement>('[role=dialog]')?.focus();
}
