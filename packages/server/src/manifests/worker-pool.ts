import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { createDeferred, type Deferred } from '@parley/base';
import type { AnyResult, Job, ResultOf } from './jobs.ts';

/** What a worker sends back, with the time that it took. */
export type Answer = { readonly ms: number } & ({ readonly result: AnyResult } | { readonly error: string });

/** Runs jobs in threads of their own. Each thread runs one at a time, and the caller sees to it that one is free. */
export interface WorkerPool {
  run<J extends Job>(job: J): Promise<{ readonly result: ResultOf<J>; readonly ms: number }>;
}

interface Thread {
  readonly worker: Worker;
  job: Deferred<Answer> | undefined;
}

/** The built program, even when tests run the source. Each package that this module can lie in says where it is. */
const findWorker = () => createRequire(import.meta.url).resolve('#manifest-worker');
/** No valid manifest needs as much; a thread that does is replaced. */
const MAX_MEMORY_MB = 512;
/** A thread that takes longer is replaced, too: others wait for it, and it might never end. */
export const MAX_JOB_MS = 10_000;

/** `program` is the entry of the threads. */
export function createWorkerPool(program: () => string | URL = findWorker): WorkerPool {
  const threads = new Set<Thread>();

  const start = (): Thread => {
    // It gets neither the flags nor the environment of the process: no secret is of use to it.
    const options = { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } };
    const thread: Thread = { worker: new Worker(program(), options), job: undefined };
    const end = (error: Error) => {
      threads.delete(thread);
      thread.job?.reject(error);
    };
    thread.worker.on('message', (answer: Answer) => thread.job?.resolve(answer));
    thread.worker.on('error', end);
    thread.worker.on('exit', () => end(new Error('the worker thread has ended')));
    // A thread that waits for work does not keep the process from ending.
    thread.worker.unref();
    threads.add(thread);
    return thread;
  };

  return {
    run: async <J extends Job>(job: J) => {
      const thread = [...threads].find((one) => one.job === undefined) ?? start();
      thread.job = createDeferred();
      // Its end rejects the job.
      const timer = setTimeout(() => void thread.worker.terminate(), MAX_JOB_MS);
      try {
        thread.worker.postMessage(job);
        const answer = await thread.job.promise;
        if ('error' in answer) throw new Error(answer.error);
        return { result: answer.result as ResultOf<J>, ms: answer.ms };
      } finally {
        clearTimeout(timer);
        thread.job = undefined;
      }
    },
  };
}
