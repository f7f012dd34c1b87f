import type { Prompt } from '@parley/client';
import type { Json } from '@parley/documents';
import { Ban, Check, ShieldX } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../client/notify.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Countdown } from '../../parts/countdown.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Level } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';

/** Asks the person to decide (CG-10). Only the first prompt of the queue is shown. */
export function PromptDialog() {
  const queue = useReadable(useDevice().prompts);
  const [prompt] = queue;
  return prompt === undefined ? null : <Ask key={prompt.id} prompt={prompt} waiting={queue.length - 1} />;
}

function Ask({ prompt, waiting }: { readonly prompt: Prompt; readonly waiting: number }) {
  const { t } = useTranslation('conversations');
  useShown(prompt);
  const { agentName, tool, scope, level, note, deadline, answerMs, canAlwaysDeny } = prompt;
  const hasArguments = Object.keys(prompt.arguments).length > 0;
  return (
    <Dialog
      open
      stay
      // Escape counts as an answer, and denies.
      onClose={prompt.deny}
      title={t('prompt.title', { agent: agentName })}
      lead={tool.description}
      actions={
        <>
          {waiting > 0 && (
            <p role="status" className="mr-auto self-center text-sm text-muted">
              {t('prompt.more', { count: waiting })}
            </p>
          )}
          {canAlwaysDeny && (
            <Button variant="danger" icon={<ShieldX aria-hidden className="size-4" />} onClick={prompt.alwaysDeny}>
              {t('prompt.alwaysDeny')}
            </Button>
          )}
          <Button icon={<Ban aria-hidden className="size-4" />} onClick={prompt.deny}>
            {t('prompt.deny')}
          </Button>
          <Button variant="primary" icon={<Check aria-hidden className="size-4" />} onClick={prompt.allow}>
            {t('prompt.allow')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
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
        <p className="text-sm text-muted">
          {level === 'high' ? `${t('prompt.always')} ${t('prompt.timeout')}` : t('prompt.silent')}
        </p>
      </div>
    </Dialog>
  );
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
