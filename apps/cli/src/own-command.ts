import { realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { OWN_PACKAGE } from './own-package.ts';

const NPX = { parley: 'npx @parley/cli', roleos: 'npx -p @parley/cli roleos' } as const;
type OwnProgram = keyof typeof NPX;

const known = new Map<OwnProgram, string>();

/**
 * A command of ours as the person can type it, such as `parley chat`. The bare name is for where the shell finds this very
 * package under it; any other program of that name is a stranger’s, and so may be what `npx parley` downloads.
 */
export function ownCommand(command: string): string {
  return command.replace(/^(?:parley|roleos)(?= |$)/, (name) => findProgram(name as OwnProgram));
}

/** Fills in `{parley}` and `{roleos}`. */
export function fillOwnCommands(text: string): string {
  return text.replaceAll(/\{(parley|roleos)\}/g, (_, name: OwnProgram) => findProgram(name));
}

function findProgram(name: OwnProgram): string {
  const found = known.get(name) ?? (isOnPath(name, process.env.PATH ?? '') ? name : NPX[name]);
  known.set(name, found);
  return found;
}

/** Whether a shell with this PATH starts the program of this package by its bare name. */
export function isOnPath(name: OwnProgram, path: string): boolean {
  // npm puts these on the PATH of what it runs, and the shell of the person has none of them.
  const folders = path
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.endsWith(join(sep, 'node_modules', '.bin')));
  const first = folders.map((folder) => realPath(join(folder, name))).find((file) => file !== undefined);
  return first !== undefined && first === realPath(join(OWN_PACKAGE.folder, 'bin', `${name}.js`));
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
