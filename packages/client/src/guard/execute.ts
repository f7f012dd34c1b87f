import type { Locale } from '@parley/base';
import type { Json, JsonObject } from '@parley/documents';
import type { Platform } from '@parley/messenger';
import { type ExecutionContext, type Executor, ExecutorError } from '../executors/types.ts';
import { type Outcome, platformError } from './response.ts';

export interface Execution {
  readonly outcome: Promise<Outcome>;
  /** Ends it with this answer: the permission was taken back, the client closes. */
  abort(outcome: Outcome): void;
}

interface ExecutionOptions {
  readonly args: JsonObject;
  readonly timeoutMs: number;
  readonly locale: Locale;
  readonly platform: Pick<Platform, 'setTimer'>;
}

/** CG-8. What the executor does after its time is over, nobody hears. */
export function execute(executor: Executor, { args, timeoutMs, locale, platform }: ExecutionOptions): Execution {
  let controller: AbortController | undefined;
  let finish!: (outcome: Outcome) => void;
  const outcome = new Promise<Outcome>((resolve) => {
    finish = (given) => {
      stopTimer();
      resolve(given);
    };
  });
  const abort = (given: Outcome) => {
    finish(given);
    controller?.abort();
  };
  const stopTimer = platform.setTimer(() => abort({ status: 'error', reason: 'tool_timeout' }), timeoutMs);
  const context: ExecutionContext = {
    locale,
    // Dear to make, and most executors never look at it.
    get signal() {
      controller ??= new AbortController();
      return controller.signal;
    },
  };
  run(executor, args, context).then(finish);
  return { outcome, abort };
}

async function run(executor: Executor, args: JsonObject, context: ExecutionContext): Promise<Outcome> {
  try {
    const result: Json | undefined = await executor.run(args, context);
    return { status: 'ok', result: result ?? null };
  } catch (error) {
    if (!(error instanceof ExecutorError)) return platformError('The tool failed on this device.');
    return { status: 'error', reason: error.code, message: error.message };
  }
}
