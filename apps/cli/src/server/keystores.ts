import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_AGENTS } from '@parley/app-server';
import { isId } from '@parley/base';
import { readFileStore, type StoreEntries, writeFileStore } from '@parley/messenger/node';
import { CommandError } from '../command-error.ts';

/** Reads the keystores of the server's own agents, by path (OP-11). They may be running. */
export async function readKeystores(dataDir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of LOCAL_AGENTS) {
    for (const agentId of listIds(join(dataDir, name))) {
      const entries = await readFileStore(join(dataDir, name, agentId));
      if (entries !== undefined) found[`${name}/${agentId}.json`] = JSON.stringify(entries);
    }
  }
  return found;
}

export interface PlacedKeystores {
  readonly count: number;
  takeAway(): void;
}

/**
 * All of them or none: one that holds other keys is refused before anything is written, and one that a restore before
 * this one has left there stays. Paths of others are passed over: a backup decides nothing about where files are written.
 */
export async function placeKeystores(
  dataDir: string,
  keystores: Readonly<Record<string, string>>,
): Promise<PlacedKeystores> {
  const missing: { readonly folder: string; readonly entries: StoreEntries }[] = [];
  let count = 0;
  for (const [path, text] of Object.entries(keystores)) {
    const folder = findFolder(dataDir, path);
    if (folder === undefined) continue;
    const entries = JSON.parse(text) as StoreEntries;
    const found = (await readFileStore(folder)) ?? [];
    if (found.length === 0) missing.push({ folder, entries });
    else if (!isSame(found, entries)) throw new CommandError('KEYSTORE_IN_THE_WAY', { params: { folder } });
    count++;
  }
  const draftOf = (folder: string) => `${folder}.restored`;
  const takeAway = () => {
    for (const { folder } of missing) {
      for (const path of [folder, draftOf(folder)]) rmSync(path, { recursive: true, force: true });
    }
  };
  try {
    for (const { folder, entries } of missing) {
      rmSync(draftOf(folder), { recursive: true, force: true });
      await writeFileStore(draftOf(folder), entries);
    }
    for (const { folder } of missing) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(draftOf(folder), folder);
    }
  } catch (error) {
    takeAway();
    throw error;
  }
  return { count, takeAway };
}

function findFolder(dataDir: string, path: string): string | undefined {
  const [name, file = ''] = path.split('/');
  const agentId = file.replace(/\.json$/, '');
  const known = LOCAL_AGENTS.find((one) => one === name);
  return known === undefined || !isId(agentId) ? undefined : join(dataDir, known, agentId);
}

function isSame(entries: StoreEntries, others: StoreEntries): boolean {
  const known = new Map(others);
  return entries.length === known.size && entries.every(([key, value]) => known.get(key) === value);
}

function listIds(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isId);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
