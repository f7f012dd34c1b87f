import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder for everything that this person keeps on this machine; PARLEY_HOME overrides it. */
export function findParleyHome(env: { readonly PARLEY_HOME?: string | undefined }): string {
  return env.PARLEY_HOME ? resolve(env.PARLEY_HOME) : join(homedir(), '.parley');
}
