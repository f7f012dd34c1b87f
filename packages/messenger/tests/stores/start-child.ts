import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

/** A process has no test runner to read TypeScript for it. */
export async function bundleChild(file: string): Promise<void> {
  const result = await build({
    configFile: false,
    envFile: false,
    logLevel: 'error',
    build: { write: false, ssr: fileURLToPath(new URL('child.ts', import.meta.url)), target: 'node20' },
  });
  writeFileSync(file, (result as Rolldown.RolldownOutput).output[0].code);
}

export interface Child {
  readonly pid: number;
  readonly lines: string[];
  /** Resolves when it has said so many lines. */
  heard(lines: number): Promise<void>;
  kill(): Promise<void>;
}

/** With a limit in KB on the size of each file, it meets a full disk (EFBIG) without the rights to make one. */
export function startChild(file: string, args: readonly string[], limitKb?: number): Child {
  const limit = limitKb === undefined ? '' : `trap '' XFSZ; ulimit -f ${limitKb}; `;
  const command = ['-c', `${limit}exec "$0" "$@"`, process.execPath, file, ...args];
  const child: ChildProcess = spawn('bash', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let told = () => {};
  const reader = createInterface({ input: child.stdout! });
  reader.on('line', (line) => {
    lines.push(line);
    told();
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    pid: child.pid!,
    lines,
    heard: (count) =>
      new Promise((resolve, reject) => {
        told = () => lines.length >= count && resolve();
        void ended.then(() => (lines.length >= count ? resolve() : reject(new Error('the child ended'))));
        told();
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
