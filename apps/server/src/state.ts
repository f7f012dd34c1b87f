import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLockHolder } from '@parley/base/node';

/** What a running server writes down about itself, for the commands that manage it. */
export interface State {
  readonly pid: number;
  readonly url: string;
  readonly version: string;
  readonly startedAt: string;
  readonly database: 'embedded' | 'external';
  /** The log file; undefined means standard error. */
  readonly log?: string;
  /** Which secrets it has loaded. */
  readonly secretsGeneration?: number;
}

const stateFile = (dataDir: string) => join(dataDir, 'server.json');
export const SERVER_LOCK = 'server.lock';

export function writeState(dataDir: string, state: State): void {
  const draft = `${stateFile(dataDir)}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o644 });
  renameSync(draft, stateFile(dataDir));
}

export function removeState(dataDir: string): void {
  rmSync(stateFile(dataDir), { force: true });
}

/** Returns the state of the server that holds this folder; only `pid` while it starts, undefined if there is none. */
export function readState(dataDir: string): State | { readonly pid: number } | undefined {
  const holder = findLockHolder(dataDir, SERVER_LOCK);
  if (holder === undefined) return undefined;
  try {
    const state: State = JSON.parse(readFileSync(stateFile(dataDir), 'utf8'));
    // A file that an earlier server left behind says nothing about this one.
    if (state.pid === holder.pid) return state;
  } catch {
    // The file is not written yet.
  }
  return { pid: holder.pid };
}
