import type { Locale } from '@parley/base';
import type { Json, JsonObject } from '@parley/documents';
import type { Platform } from '@parley/messenger';
import { type Edge, type ExecutionContext, type Executor, ExecutorError } from '../executors/types.ts';
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
  readonly platform: Pick<Platform, 'now' | 'setTimer'>;
  /** Resolves if the tool may go on to this edge (CG-15); else it ends the execution. */
  enter(edge: Edge, execution: Running): Promise<void>;
}

/** The execution, for who decides where it may go. */
export interface Running {
  isOver(): boolean;
  abort(result: CallResult): void;
}

/**
 * Runs the tool within its timeout (CG-8), which stands still while the person is asked where it may go (CG-15). What
 * the executor returns later is dropped.
 */
export function execute(executor: Executor, options: ExecutionOptions): Execution {
  const { args, timeoutMs, locale, platform } = options;
  let controller: AbortController | undefined;
  let finish!: (result: CallResult) => void;
  let isOver = false;
  const result = new Promise<CallResult>((resolve) => {
    finish = (given) => {
      isOver = true;
      timer.stop();
      resolve(given);
    };
  });
  const abort = (given: CallResult) => {
    finish(given);
    controller?.abort();
  };
  /** One after the other: a call has one question at a time. */
  let entering = Promise.resolve();
  const timer = startTimer(() => abort({ status: 'error', reason: 'tool_timeout' }), timeoutMs, platform);
  const context: ExecutionContext = {
    locale,
    // Created on demand: it is expensive, and most executors never use it.
    get signal() {
      controller ??= new AbortController();
      if (isOver) controller.abort();
      return controller.signal;
    },
    async enter(edge) {
      if (isOver) throw new ExecutorError(STOPPED);
      const goOn = timer.pause();
      try {
        const mine = entering.then(() => options.enter(edge, { isOver: () => isOver, abort }));
        entering = mine.catch(() => {});
        await mine;
      } finally {
        if (!isOver) goOn();
      }
      if (isOver) throw new ExecutorError(STOPPED);
    },
  };
  void run(executor, args, context).then(finish);
  return { result, abort };
}

const STOPPED = 'The call was stopped.';

/** Several may hold it at the same time: it goes on when the last one lets go. */
function startTimer(callback: () => void, ms: number, { now, setTimer }: Pick<Platform, 'now' | 'setTimer'>) {
  let left = ms;
  let holders = 0;
  let startedAt = now().getTime();
  let stop = setTimer(callback, left);
  return {
    stop: () => stop(),
    pause(): () => void {
      if (holders++ === 0) {
        stop();
        left -= Math.max(0, now().getTime() - startedAt);
      }
      return () => {
        if (--holders > 0) return;
        startedAt = now().getTime();
        stop = setTimer(callback, Math.max(0, left));
      };
    },
  };
}

async function run(executor: Executor, args: JsonObject, context: ExecutionContext): Promise<CallResult> {
  try {
    const value: Json | undefined = await executor.run(args, context);
    return { status: 'ok', result: value ?? null };
  } catch (error) {
    return explainFailure(error);
  }
}

/** Only what an executor chose to say is told to the agent. */
export function explainFailure(error: unknown): CallResult {
  if (!(error instanceof ExecutorError)) return platformError('The tool failed on this device.');
  return { status: 'error', reason: error.code, message: error.message };
}
