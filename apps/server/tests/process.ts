import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEXTS } from '../src/texts.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = join(ROOT, 'apps/cli/dist/server/main.js');

export interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  output(): { stdout: string; stderr: string };
  /** What is on stderr besides what a start that takes long says it waits for (OP-9): any of them does on a busy machine. */
  complaints(): string;
  /** Resolves with the exit code, or the signal. */
  readonly ended: Promise<number | string>;
}

const WAITING = Object.entries(TEXTS).flatMap(([name, { en }]) =>
  name.startsWith('WAITING_') ? en.split('{')[0]! : [],
);

type Environment = Readonly<Record<string, string>>;

export function launch(env: Environment, program = MAIN) {
  const { PATH = '' } = process.env;
  // Not where the tests run: what it prints must not depend on that.
  const child = spawn(process.execPath, [program], {
    cwd: ROOT,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const isWaiting = (line: string) => WAITING.some((beginning) => line.startsWith(beginning));
  const complaints = () =>
    stderr
      .split('\n')
      .filter((line) => !isWaiting(line))
      .join('\n');
  return { child, ended, output: () => ({ stdout, stderr }), complaints };
}

/** The real program, until it says where it runs. */
export async function startProcess(env: Environment, program?: string): Promise<Started> {
  const process = launch(env, program);
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      // With what follows it: a line may come in parts.
      const found = /http:\/\/[\w.:[\]]+(?=\s)/.exec(process.output().stdout)?.[0];
      if (found) resolve(found);
    };
    process.child.stdout!.on('data', look);
    void process.ended.then((code) => reject(new Error(`it ended with ${code}: ${process.output().stderr}`)));
  });
  return { ...process, url };
}

/** The real program, which is expected not to start. */
export async function failProcess(env: Environment) {
  const process = launch(env);
  const code = await process.ended;
  return { code, ...process.output() };
}
