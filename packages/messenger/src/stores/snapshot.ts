import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messengerError } from '../errors.ts';
import { SESSIONS } from './backup.ts';
import { openFileStore } from './file.ts';
import { listJournals } from './journal.ts';
import { INDEX_FILE } from './table-index.ts';

export type StoreEntries = readonly (readonly [key: string, value: string])[];

const ATTEMPTS = 20;
const PAUSE_MS = 50;
const FILES = /^(log|table|journal\.[1-9]\d*)$/;

/**
 * Reads a store in a folder while another process holds it, for a backup of the server that the agent belongs to (OP-11).
 * Ratchets are left out: set back, they would use keys a second time, so whoever restores it begins new sessions. Resolves
 * with undefined where there is no store.
 */
export async function readFileStore(location: string): Promise<StoreEntries | undefined> {
  if (!statSync(location, { throwIfNoEntry: false })?.isDirectory() || !hasFiles(location)) return undefined;
  const copy = mkdtempSync(join(tmpdir(), 'parley-keystore-'));
  try {
    await copyStore(location, copy);
    const store = await openFileStore(copy);
    try {
      const entries = await store.list('');
      return entries.filter(([key]) => !SESSIONS.some((prefix) => key.startsWith(prefix)));
    } finally {
      await store.close();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Fills a new store in this folder. */
export async function writeFileStore(location: string, entries: StoreEntries): Promise<void> {
  const store = await openFileStore(location);
  try {
    if ((await store.list('')).length > 0) throw messengerError('BACKUP_TARGET');
    await store.write(new Map(entries));
  } finally {
    await store.close();
  }
}

const hasFiles = (location: string) => readdirSync(location).some((name) => FILES.test(name));

/**
 * Journals are only appended to, and what the index refers to is not overwritten before the index is replaced. So a copy
 * during which neither the index nor the list of journals changed is as good as what a crash leaves behind.
 */
async function copyStore(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = describe(from);
    try {
      for (const name of readdirSync(from).filter((name) => FILES.test(name))) {
        copyFileSync(join(from, name), join(to, name));
      }
      if (describe(from) === before) return;
    } catch (error) {
      // A journal that was merged meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    if (attempt === ATTEMPTS) throw messengerError('STORE_DAMAGED', { params: { location: from } });
    for (const name of readdirSync(to)) rmSync(join(to, name));
    await sleep(PAUSE_MS);
  }
}

function describe(location: string): string {
  const index = statSync(join(location, INDEX_FILE), { throwIfNoEntry: false });
  return JSON.stringify([index?.ino, index?.mtimeMs, index?.size, listJournals(location)]);
}
