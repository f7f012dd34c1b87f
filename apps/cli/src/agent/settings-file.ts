import { existsSync, readFileSync } from 'node:fs';
import { CommandError } from '../command-error.ts';
import { writeFileAtomically } from '../write-file.ts';

type Settings = Readonly<Record<string, string>>;

const isLineOf = (name: string) => (line: string) => line.startsWith(`${name}=`);

/** Refuses a file that has a value for one of these: it would be lost. Checked before anything is created. */
export function refuseSettings(file: string, names: readonly string[]): void {
  const lines = readLines(file);
  const name = names.find((one) => lines.some((line) => isLineOf(one)(line) && line.trim() !== `${one}=`));
  if (name !== undefined) throw new CommandError('SETTING_EXISTS', { params: { file, name } });
}

/**
 * Puts settings into a file as `node --env-file` reads it, which from then on nobody else can read. Lines that set
 * something else stay as they are.
 */
export function writeSettings(file: string, settings: Settings): void {
  const lines = readLines(file);
  for (const [name, value] of Object.entries(settings)) {
    const line = `${name}=${value}`;
    const at = lines.findIndex(isLineOf(name));
    if (at === -1) lines.push(line);
    else lines[at] = line;
  }
  writeFileAtomically(file, `${lines.join('\n')}\n`, true, 0o600);
}

function readLines(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
