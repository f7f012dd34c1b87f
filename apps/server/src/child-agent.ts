import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { rotateInPlace } from '@parley/base/node';

export interface ChildAgentOptions {
  readonly name: string;
  /** The path of a program that this Node runs. */
  readonly program: string;
  readonly dataDir: string;
  /** Its token is here, not in its arguments, which other users of the machine can see. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ChildAgent {
  stop(): Promise<void>;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** An agent that ran this long has started well, so the next wait is short again. */
const STEADY_MS = 30_000;
const KILL_AFTER_MS = 5_000;
const LOOK_MS = 1_000;
/** The variables that a program needs in order to run at all, and to reach a model where one is set. */
const PASSED_ON = /^(PATH|HOME|TMPDIR|LANG|LC_\w+|NODE_EXTRA_CA_CERTS|OPENAI_\w+|HTTPS?_PROXY|NO_PROXY)$/i;

/**
 * Starts an agent that comes with the server, in a process of its own: the server cannot open what agents can (EE-8).
 * The agent ends with the server, however that ends, and is restarted if it ends before.
 */
export function startChildAgent({ name, program, dataDir, env }: ChildAgentOptions): ChildAgent {
  const log = join(dataDir, `${name}.log`);
  const inherited = Object.entries(process.env).filter(([key]) => PASSED_ON.test(key));
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wait = FIRST_WAIT_MS;
  let stopped = false;

  /** What cannot be written, because the disk is full, is not worth a server (OP-8). */
  const note = (text: string) => {
    try {
      appendFileSync(log, `${text}\n`);
    } catch {
      // The agent is started again all the same.
    }
  };
  const openLog = (): number | undefined => {
    try {
      return openSync(log, 'a', 0o600);
    } catch {
      return undefined;
    }
  };
  const start = (): void => {
    const started = Date.now();
    const opened = openLog();
    const output = opened ?? 'ignore';
    // Nothing is sent over the channel; the agent ends when it is cut.
    child = spawn(process.execPath, [program], {
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['ignore', output, output, 'ipc'],
      windowsHide: true,
    });
    if (opened !== undefined) closeSync(opened);
    child.on('error', (error) => note(error.message));
    child.on('exit', (code, signal) => {
      child = undefined;
      if (stopped) return;
      note(`${name} ended (${signal ?? code}); it is started again`);
      wait = Date.now() - started > STEADY_MS ? FIRST_WAIT_MS : Math.min(wait * 2, LONGEST_WAIT_MS);
      timer = setTimeout(start, wait);
    });
  };
  start();
  const rotating = setInterval(() => rotateInPlace(log), LOOK_MS);
  rotating.unref();

  return {
    stop: () =>
      new Promise((resolve) => {
        stopped = true;
        clearTimeout(timer);
        clearInterval(rotating);
        if (child === undefined) return resolve();
        const last = setTimeout(() => child?.kill('SIGKILL'), KILL_AFTER_MS);
        child.once('exit', () => {
          clearTimeout(last);
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}
