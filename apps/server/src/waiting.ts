import type { Locale } from '@parley/base';
import type { StartStep } from '@parley/server';
import { say, type TEXTS } from './texts.ts';

const TEXT_OF = {
  recover: 'WAITING_RECOVER',
  connect: 'WAITING_CONNECT',
  other_node: 'WAITING_OTHER_NODE',
  migrate: 'WAITING_MIGRATE',
  locks: 'WAITING_LOCKS',
  secrets: 'WAITING_SECRETS',
  services: 'WAITING_SERVICES',
} as const satisfies Record<StartStep['kind'], keyof typeof TEXTS>;

const EVERY_MS = 5_000;

export interface StartWatch {
  begin(step: StartStep): void;
  end(): void;
}

/** Says what a start waits for, once a step takes five seconds, and every five seconds from then on. */
export function watchStart(locale: Locale, tell: (line: string) => void): StartWatch {
  let step: StartStep | undefined;
  let seconds = 0;
  let timer: NodeJS.Timeout | undefined;
  const speak = () => {
    if (step === undefined) return;
    const { kind, ...params } = step;
    seconds += EVERY_MS / 1_000;
    tell(say(TEXT_OF[kind], locale, { ...params, seconds }));
  };
  return {
    begin: (next) => {
      // A migration that gives way and begins anew goes on waiting.
      const isSame = step !== undefined && nameOf(step) === nameOf(next);
      step = next;
      if (isSame) return;
      seconds = 0;
      clearInterval(timer);
      timer = setInterval(speak, EVERY_MS);
    },
    end: () => clearInterval(timer),
  };
}

const nameOf = (step: StartStep) => ('name' in step ? step.name : step.kind);
