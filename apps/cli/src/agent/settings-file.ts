import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { CommandError } from '../command-error.ts';
import { prepareFile, refuseExisting, refuseIrregular } from '../write-file.ts';
import { checkPlain } from './plain-value.ts';

const NAMES = ['PARLEY_URL', 'PARLEY_AGENT_ID', 'PARLEY_AGENT_TOKEN', 'PARLEY_WEBHOOK_SECRET'] as const;
type Settings = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

/** A file of settings that can be written; until then, and after `discard`, it stays as it is. */
interface PreparedSettings {
  write(settings: Settings): void;
  /** Has to be called in any case. */
  discard(): void;
}

/**
 * Gets a file ready for settings as `node --env-file` reads it, which after that nobody else can read. Lines that set
 * something else stay as they are. Refuses a file with another agent, which would be lost; a new agent has no id yet.
 */
export function prepareSettings(file: string, agentId: string | undefined): PreparedSettings {
  refuseExisting(file, true);
  const lines = readLines(file);
  if (agentId === undefined) refuseValues(file, lines);
  else if (findValues(lines, 'PARLEY_AGENT_ID').some((id) => id !== agentId)) {
    throw new CommandError('SETTINGS_OF_OTHER_AGENT', { params: { file } });
  }
  // What works with any plain value works with the one to come.
  setAll(file, lines, Object.fromEntries(NAMES.map((name) => [name, 'x'])));
  const prepared = prepareFile(file, { replace: true, mode: 0o600 });
  return {
    write(settings) {
      for (const [name, value] of Object.entries(settings)) checkPlain(name, value);
      // Read again, because the request took a while.
      prepared.write(setAll(file, readLines(file), settings));
    },
    discard: prepared.discard,
  };
}

function refuseValues(file: string, lines: readonly string[]): void {
  const name = ['PARLEY_AGENT_ID', 'PARLEY_AGENT_TOKEN'].find((one) => findValues(lines, one).length > 0);
  if (name !== undefined) throw new CommandError('SETTING_EXISTS', { params: { file, name } });
}

/** Every value that some line gives it, not only the last one, which counts: none of them may be lost. */
function findValues(lines: readonly string[], name: string): string[] {
  const values = lines.filter((line) => matchSetting(line, name)).map((line) => parseEnv(line)[name] ?? '');
  return values.filter((value) => value !== '');
}

/** Returns `export ` or nothing before the name, if the line sets it. */
function matchSetting(line: string, name: string): RegExpExecArray | null {
  return new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).exec(line);
}

function setAll(file: string, lines: readonly string[], settings: Settings): string {
  const changed = Object.entries(settings).reduce((all, [name, value]) => setOne(all, name, value), lines);
  const text = `${changed.join('\n')}\n`;
  const wanted = { ...parseEnv(lines.join('\n')), ...settings };
  if (!isDeepStrictEqual({ ...parseEnv(text) }, wanted)) {
    throw new CommandError('SETTINGS_UNCLEAR', { params: { file } });
  }
  return text;
}

/** Replaces the last line that sets it, the one that counts, and removes those before it. */
function setOne(lines: readonly string[], name: string, value: string): readonly string[] {
  const last = lines.findLastIndex((line) => matchSetting(line, name));
  if (last === -1) return [...lines, `${name}=${value}`];
  const prefix = matchSetting(lines[last]!, name)![1] === undefined ? '' : 'export ';
  return lines.with(last, `${prefix}${name}=${value}`).filter((line, at) => at >= last || !matchSetting(line, name));
}

function readLines(file: string): string[] {
  refuseIrregular(file);
  const path = resolve(file);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
