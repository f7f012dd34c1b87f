import { type OperatorLink, readOperatorLink, readState, type State } from '@parley/app-server';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { describeOperatorLink } from './operator-link.ts';
import { readSettings } from './settings.ts';

const ANSWER_MS = 3_000;

export async function status(words: Words): Promise<CommandResult> {
  const { dataDir } = readSettings(words);
  const state = readState(dataDir);
  if (state === undefined) {
    return { exit: EXIT.bad, json: { running: false }, text: () => `${words.say('status.none')}\n` };
  }
  if (!('url' in state)) {
    const text = words.say('status.starting', { pid: state.pid });
    return { exit: EXIT.bad, json: { running: false, pid: state.pid }, text: () => `${text}\n` };
  }
  return describe(state, { responding: await isHealthy(state.url), operator: readOperatorLink(dataDir) }, words);
}

interface Found {
  readonly responding: boolean;
  readonly operator: OperatorLink | undefined;
}

function describe(state: State, { responding, operator }: Found, words: Words): CommandResult {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(state.startedAt)) / 1_000));
  const lines = [
    words.say(responding ? 'status.running' : 'status.silent', { url: state.url }),
    words.say('status.process', { pid: state.pid, uptime: showDuration(seconds) }),
    words.say(`status.database.${state.database}`),
    words.say('status.version', { version: state.version }),
    ...(state.log === undefined ? [] : [words.say('status.log', { file: state.log })]),
  ];
  return {
    exit: responding ? EXIT.fine : EXIT.bad,
    json: {
      running: true,
      responding,
      url: state.url,
      pid: state.pid,
      uptime_seconds: seconds,
      database: state.database,
      version: state.version,
      log: state.log,
      ...(operator ? { operator_link_file: operator.file } : {}),
    },
    text: () => `${lines.join('\n')}\n${describeOperatorLink(operator, words)}`,
  };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })).ok;
  } catch {
    return false;
  }
}

function showDuration(seconds: number): string {
  const parts = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
  const named = ['d', 'h', 'min'].map((unit, index) => [parts[index]!, unit] as const).filter(([amount]) => amount > 0);
  return [...named, [seconds % 60, 's'] as const].map(([amount, unit]) => `${amount} ${unit}`).join(' ');
}
