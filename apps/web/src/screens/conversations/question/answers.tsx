import type { Prompt, Remember } from '@parley/client';
import { Ban, BellOff, CircleSlash, ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react';
import { type ComponentProps, type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../parts/button.tsx';
import { RememberChoice } from '../remember-choice.tsx';
import { ANSWER, type Answering, STUCK } from './use-answer-gate.ts';

interface AnswersProps {
  readonly prompt: Prompt;
  /** How many questions of this agent wait, with this one. */
  readonly own: number;
  readonly answering: Answering;
}

/** The possible answers. What allows looks different at each level: by colour, by sign and by word (WC-14). */
export function Answers({ prompt, own, answering }: AnswersProps) {
  const { t } = useTranslation('conversations');
  const [remember, setRemember] = useState<Remember | undefined>(prompt.remember[0]);
  const { act, agentName } = prompt;
  const answer = (give: () => void) => ({ answering, give });
  return (
    <div className="flex shrink-0 flex-wrap items-end justify-between gap-2 border-t px-4 py-3 max-sm:[&>*]:w-full sm:px-6">
      {remember !== undefined && <RememberChoice prompt={prompt} value={remember} onChange={setRemember} />}
      <div className="flex flex-wrap gap-2 empty:hidden max-sm:gap-1.5 max-sm:[&>button]:flex-auto max-sm:[&>button]:px-2 max-sm:[&>button]:text-xs">
        {own > 1 && (
          <Answer size="small" icon={<CircleSlash aria-hidden className="size-4" />} {...answer(prompt.denyAll)}>
            {t('prompt.denyAll', { count: own, agent: agentName })}
          </Answer>
        )}
        {prompt.canAlwaysDeny && (
          <Answer size="small" icon={<ShieldX aria-hidden className="size-4" />} {...answer(prompt.alwaysDeny)}>
            {t('prompt.alwaysDeny')}
          </Answer>
        )}
        {prompt.canStopAsking && (
          <Answer size="small" icon={<BellOff aria-hidden className="size-4" />} {...answer(prompt.stopAsking)}>
            {t('prompt.stopAsking')}
          </Answer>
        )}
      </div>
      {/* In sight, however much is unfolded above. */}
      <div
        {...STUCK}
        className="sticky bottom-0 -mb-3 ml-auto flex flex-wrap justify-end gap-2 bg-surface pb-3 max-sm:[&>button]:flex-auto"
      >
        <Answer icon={<Ban aria-hidden className="size-4" />} {...answer(prompt.deny)}>
          {t('prompt.deny')}
        </Answer>
        {remember === undefined ? (
          <Answer
            variant="alarm"
            icon={<ShieldAlert aria-hidden className="size-4" />}
            {...answer(() => prompt.allow('once'))}
          >
            {act === undefined ? t('prompt.allowOnce') : t('prompt.allowAct', { act })}
          </Answer>
        ) : (
          <>
            <Answer
              variant="soft"
              icon={<ShieldCheck aria-hidden className="size-4" />}
              {...answer(() => prompt.allow(remember))}
            >
              {t('prompt.allowDay')}
            </Answer>
            <Answer
              variant="primary"
              icon={<ShieldCheck aria-hidden className="size-4" />}
              {...answer(() => prompt.allow('once'))}
            >
              {t('prompt.allowOnce')}
            </Answer>
          </>
        )}
      </div>
    </div>
  );
}

interface AnswerProps extends Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'icon' | 'children'> {
  readonly answering: Answering;
  readonly give: () => void;
}

/** Keeps the focus while it takes no answer yet, and is dimmed so little that nothing flickers. */
function Answer({ answering, give, ...rest }: AnswerProps) {
  return (
    <Button
      {...rest}
      {...ANSWER}
      aria-disabled={!answering.isOpen || undefined}
      onClick={(event: MouseEvent) => answering.takesClick(event) && give()}
      className="duration-300 aria-disabled:opacity-85"
    />
  );
}
