import { readOperatorLink, readState, startInBackground } from '@parley/app-server';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { describeOperatorLink } from './operator-link.ts';
import { explainRefusal, readSettings } from './settings.ts';

export interface StartOptions {
  readonly foreground?: boolean;
  readonly json?: boolean;
}

export async function start(options: StartOptions, words: Words): Promise<CommandResult> {
  const settings = readSettings(words);
  const running = readState(settings.dataDir);
  if (running !== undefined && 'url' in running) {
    const { url, pid } = running;
    const ignored = isOtherPort(url, settings.port) ? settings.port : undefined;
    return answer({ url, pid, alreadyRunning: true, ignored, dataDir: settings.dataDir }, words);
  }
  if (!options.json) process.stderr.write(`${words.say('start.starting')}\n`);
  if (options.foreground) return runHere(options, words);
  const tell = (line: string) => options.json || process.stderr.write(`${line}\n`);
  const url = await startInBackground(settings, process.env, { tell }).catch((error: unknown) => {
    throw explainRefusal(error, words);
  });
  const { dataDir } = settings;
  return answer({ url, pid: readState(dataDir)?.pid ?? 0, alreadyRunning: false, dataDir }, words);
}

interface Started {
  readonly url: string;
  readonly pid: number;
  readonly alreadyRunning: boolean;
  /** The port that was asked for, where the server already runs on another one. */
  readonly ignored?: number | undefined;
  readonly dataDir: string;
}

/** Only a port that somebody asked for is missed; 0 asks for any. */
function isOtherPort(url: string, port: number): boolean {
  return Boolean(process.env.PARLEY_PORT?.trim()) && port !== 0 && new URL(url).port !== String(port);
}

function answer({ url, pid, alreadyRunning, ignored, dataDir }: Started, words: Words): CommandResult {
  const operator = readOperatorLink(dataDir);
  const key = alreadyRunning ? 'start.already' : 'start.running';
  return {
    exit: EXIT.fine,
    json: { url, pid, already_running: alreadyRunning, ...(operator ? { operator_link_file: operator.file } : {}) },
    stderr: (paint) =>
      ignored === undefined ? '' : `${paint('yellow', words.say('start.port_ignored', { port: ignored }))}\n`,
    text: (paint) =>
      `${words.say(key, { url: paint('cyan', url) })}\n${words.say('start.next')}\n${describeOperatorLink(operator, words)}`,
  };
}

async function runHere({ json }: StartOptions, { locale }: Words): Promise<never> {
  const { run } = await import('@parley/app-server/run');
  const code = await run({
    env: process.env,
    locale,
    tell: (line) => json || process.stdout.write(`${line}\n`),
    complain: (text) => process.stderr.write(`${text}\n`),
  });
  // What had to be cut off may still hold the process.
  process.exit(code);
}
