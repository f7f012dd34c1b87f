import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where everything of a person is kept on this machine; PARLEY_HOME puts it elsewhere. */
export function parleyHome(): string {
  const folder = process.env.PARLEY_HOME;
  return folder ? resolve(folder) : join(homedir(), '.parley');
}
