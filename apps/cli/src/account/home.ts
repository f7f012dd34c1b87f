import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder for everything this person keeps on this machine; PARLEY_HOME overrides it. */
export function parleyHome(): string {
  const folder = process.env.PARLEY_HOME;
  return folder ? resolve(folder) : join(homedir(), '.parley');
}
