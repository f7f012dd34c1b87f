import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DetectedRuntimes, detectRuntimes } from '@parley/bundles';
import { readServerUrl } from '../account/server-url.ts';
import { askText, isAtTerminal } from '../ask.ts';
import {
  type Config,
  configFile,
  defaultWorkspace,
  makeFolder,
  readConfig,
  type Target,
  writeConfig,
} from '../bundle/config.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';

export interface InitOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly workspace?: string;
  readonly target?: Target;
  readonly registry?: string;
  readonly mirror?: readonly string[];
}

/** Detects the runtimes and saves where bundles go. Run again, it changes only the given options. */
export async function init(options: InitOptions, words: Words): Promise<CommandResult> {
  const before = readConfig();
  const mirrors = { ...before?.mirrors, ...readMirrors(options.mirror ?? []) };
  const registry = options.registry === undefined ? (before?.registry ?? null) : readServerUrl(options.registry);
  // Some programs take a second to print their version.
  if (!options.json) process.stderr.write(`${words.say('init.looking')}\n`);
  const detected = await withInterrupt('bundle.interrupted', (signal) => detectRuntimes({ signal }));
  const suggestion = before?.workspace ?? suggestWorkspace(detected);
  const asks =
    options.workspace === undefined && !options.yes && !options.json && isAtTerminal() && process.stdout.isTTY;
  const workspace = resolve(
    asks
      ? await askText('init.ask.workspace', words, { initial: suggestion, cancelled: 'init.cancelled' })
      : (options.workspace ?? suggestion),
  );
  const config: Config = {
    version: 1,
    workspace,
    target: options.target ?? before?.target ?? 'openclaw',
    registry,
    mirrors,
  };
  makeFolder(workspace);
  writeConfig(config);
  const file = configFile();
  return {
    exit: EXIT.fine,
    json: { config: file, ...config, programs: detected.programs, runtimes: detected.runtimes },
    text: (paint) =>
      [
        paint('bold', words.say('init.runtimes')),
        ...formatPrograms(detected, words, paint),
        '',
        `${paint('green', '✓')} ${words.say('roleos.ready', { file: displayName(file) })}`,
        `  ${words.say('roleos.workspace', { workspace: displayName(workspace), target: config.target })}`,
        words.say('roleos.next'),
        '',
      ].join('\n'),
  };
}

/** Finds the workspace of OpenClaw, if it is installed. */
function suggestWorkspace({ programs }: DetectedRuntimes): string {
  const theirs = join(homedir(), '.openclaw', 'workspace');
  return programs.openclaw !== null || existsSync(theirs) ? theirs : defaultWorkspace();
}

function formatPrograms({ programs }: DetectedRuntimes, { say }: Words, paint: Paint): string[] {
  const width = Math.max(...Object.keys(programs).map((name) => name.length));
  return Object.entries(programs).map(([name, found]) => {
    const label = name.padEnd(width);
    if (found === null) return `  ${paint('dim', `- ${label}  ${say('init.absent')}`)}`;
    const version = found.version === null ? say('init.version_unknown') : displayName(found.version);
    return `  ${paint('green', '✓')} ${label}  ${version}`;
  });
}

function readMirrors(options: readonly string[]): Record<string, string> {
  const mirrors: Record<string, string> = {};
  for (const option of options) {
    const [, name, place] = /^([a-z0-9]+(?:-[a-z0-9]+)*)=(.+)$/.exec(option) ?? [];
    if (name === undefined || place === undefined)
      throw new CommandError('USAGE', { sentences: [{ key: 'init.mirror_invalid', params: { text: option } }] });
    mirrors[name] = /^https?:\/\//.test(place) ? place : resolve(place);
  }
  return mirrors;
}
