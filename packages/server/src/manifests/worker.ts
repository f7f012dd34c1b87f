import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Job, runJob } from './jobs.ts';
import type { Answer } from './worker-pool.ts';

// The entry of a worker thread. On Linux a thread has a priority of its own: whoever waits for a message goes before a diff.
// Elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on('message', (job: Job) => {
  const start = performance.now();
  let answer: Answer;
  try {
    answer = { result: runJob(job), ms: performance.now() - start };
  } catch (error) {
    answer = { error: String(error), ms: performance.now() - start };
  }
  parentPort!.postMessage(answer);
});
