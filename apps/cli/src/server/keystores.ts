import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_AGENTS } from '@parley/app-server';
import { isId } from '@parley/base';
import { readFileStore, type StoreEntries, writeFileStore } from '@parley/messenger/node';

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

/** Paths of others are passed over: a backup decides nothing about where files are written. */
export async function writeKeystores(dataDir: string, keystores: Readonly<Record<string, string>>): Promise<number> {
  let count = 0;
  for (const [path, text] of Object.entries(keystores)) {
    const [name, file = ''] = path.split('/');
    const agentId = file.replace(/\.json$/, '');
    const known = LOCAL_AGENTS.find((one) => one === name);
    if (known === undefined || !isId(agentId)) continue;
    await writeFileStore(join(dataDir, known, agentId), JSON.parse(text) as StoreEntries);
    count++;
  }
  return count;
}

function listIds(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isId);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
