import type { Json, JsonObject, Locale } from '@parley/documents';
import type { Platform } from '@parley/messenger';
import { type Executor, ExecutorFailure } from '../executors/types.ts';
import { type Outcome, platformError } from './response.ts';

export interface Execution {
  readonly args: JsonObject;
  readonly timeoutMs: number;
  readonly locale: Locale;
  readonly platform: Pick<Platform, 'setTimer'>;
  /** Aborted with the outcome to answer with: the permission was taken back, the client closes. */
  readonly signal: AbortSignal;
}

/** CG-8. What the executor does after its time is over, nobody hears. */
export function execute(executor: Executor, execution: Execution): Promise<Outcome> {
  const { args, timeoutMs, locale, platform, signal } = execution;
  const own = new AbortController();
  return new Promise((resolve) => {
    const finish = (outcome: Outcome) => {
      stopTimer();
      signal.removeEventListener('abort', stop);
      resolve(outcome);
    };
    const stop = () => {
      own.abort();
      finish(signal.reason as Outcome);
    };
    const stopTimer = platform.setTimer(() => {
      own.abort();
      finish({ status: 'error', reason: 'tool_timeout' });
    }, timeoutMs);
    signal.addEventListener('abort', stop);
    run(executor, args, { signal: own.signal, locale }).then(finish);
  });
}

async function run(executor: Executor, args: JsonObject, context: { signal: AbortSignal; locale: Locale }) {
  try {
    const result: Json | undefined = await executor.run(args, context);
    return { status: 'ok', result: result ?? null } as const;
  } catch (error) {
    if (!(error instanceof ExecutorFailure)) return platformError('The tool failed on this device.');
    return { status: 'error', reason: error.code, message: error.message } as const;
  }
}
