import type { Locale } from '@parley/base';
import type { Json, JsonObject } from '@parley/documents';
import type { Platform } from '@parley/messenger';
import { type ExecutionContext, type Executor, ExecutorError } from '../executors/types.ts';
import { type CallResult, platformError } from './response.ts';

export interface Execution {
  readonly result: Promise<CallResult>;
  /** Ends it with this result, because the permission was revoked or the client closes. */
  abort(result: CallResult): void;
}

interface ExecutionOptions {
  readonly args: JsonObject;
  readonly timeoutMs: number;
  readonly locale: Locale;
  readonly platform: Pick<Platform, 'setTimer'>;
}

/** Runs the tool within its timeout (CG-8). What the executor returns later is dropped. */
export function execute(executor: Executor, { args, timeoutMs, locale, platform }: ExecutionOptions): Execution {
  let controller: AbortController | undefined;
  let finish!: (result: CallResult) => void;
  const result = new Promise<CallResult>((resolve) => {
    finish = (given) => {
      stopTimer();
      resolve(given);
    };
  });
  const abort = (given: CallResult) => {
    finish(given);
    controller?.abort();
  };
  const stopTimer = platform.setTimer(() => abort({ status: 'error', reason: 'tool_timeout' }), timeoutMs);
  const context: ExecutionContext = {
    locale,
    // Created on demand: it is expensive, and most executors never use it.
    get signal() {
      controller ??= new AbortController();
      return controller.signal;
    },
  };
  void run(executor, args, context).then(finish);
  return { result, abort };
}

async function run(executor: Executor, args: JsonObject, context: ExecutionContext): Promise<CallResult> {
  try {
    const value: Json | undefined = await executor.run(args, context);
    return { status: 'ok', result: value ?? null };
  } catch (error) {
    if (!(error instanceof ExecutorError)) return platformError('The tool failed on this device.');
    return { status: 'error', reason: error.code, message: error.message };
  }
}
