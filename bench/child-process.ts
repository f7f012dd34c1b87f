import { fork } from 'node:child_process';

type Task = (input: never) => Promise<unknown>;
interface Answer {
  readonly result?: unknown;
  readonly error?: string;
}

/** A child process that runs one task at a time. */
export interface Child {
  // biome-ignore lint/suspicious/noExplicitAny: a bench knows what it asked for
  ask(task: string, input?: unknown): Promise<any>;
  stop(): Promise<void>;
}

/** Starts the same module as a child process, where `serveTasks` takes over. `PARLEY_BENCH_PROF` writes a profile of each. */
export function startChild(url: string, role: string): Child {
  const folder = process.env.PARLEY_BENCH_PROF;
  const profile = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${role}.cpuprofile`] : [];
  // The MCP SDK uses one signal for all of its requests, and Node would warn about that.
  const execArgv = ['--no-warnings', ...profile];
  const child = fork(new URL(url), [role], { execArgv, env: { ...process.env, PARLEY_BENCH_ROLE: role } });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    ask: (task, input) =>
      new Promise((resolve, reject) => {
        const onExit = () => reject(new Error(`bench: the ${role} process ended`));
        child.once('exit', onExit);
        child.once('message', ({ result, error }: Answer) => {
          child.off('exit', onExit);
          if (error === undefined) resolve(result);
          else reject(new Error(error));
        });
        child.send({ task, input });
      }),
    stop: async () => {
      child.disconnect();
      await gone;
    },
  };
}

/** In a child: runs the tasks of its role. `end` runs when the parent disconnects. */
export function serveTasks(roles: Readonly<Record<string, Readonly<Record<string, Task>>>>): void {
  const tasks = roles[process.env.PARLEY_BENCH_ROLE ?? ''];
  if (tasks === undefined || process.send === undefined) return;
  process.on('message', async ({ task, input }: { task: string; input: never }) => {
    try {
      process.send!({ result: await tasks[task]!(input) });
    } catch (error) {
      process.send!({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on('disconnect', async () => {
    await tasks.end?.(undefined as never);
    process.exit(0);
  });
}
