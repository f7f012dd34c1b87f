import { execFile } from 'node:child_process';
import { ExecutorError } from '../types.ts';

/** A program of the system and its arguments. It is never run through a shell, and text of agents is only data. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Added to our own environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const LIMIT_MS = 10_000;

/** Returns what the program printed. Throws an `ExecutorError` that repeats nothing of its output. */
export function runProgram(
  { file, args, env = {} }: Program,
  { signal, maxBytes, environment }: { signal: AbortSignal; maxBytes: number; environment: Environment },
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const options = {
      encoding: 'buffer',
      env: { ...environment, ...env },
      killSignal: 'SIGKILL',
      maxBuffer: maxBytes,
      shell: false,
      signal,
      timeout: LIMIT_MS,
      windowsHide: true,
    } as const;
    const child = execFile(file, [...args], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
        reject(new ExecutorError(`It has more than ${maxBytes} bytes, which an answer cannot carry.`));
      } else reject(new ExecutorError('A program of this device failed.', { cause: error }));
    });
    child.stdin?.end();
  });
}
