import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '@parley/base/node';

export interface NewKeysOptions {
  /** The agent's files in the data folder begin with it. */
  readonly name: string;
  readonly dataDir: string;
  readonly agentId: string;
  /** As others know it; null where it has had none. */
  readonly identityKey: string | null;
}

/**
 * May the agent replace its identity? If it was restored without its keystore, or it was lost: nobody else has those keys.
 * That is noted until the new key is known, because an agent that dies before has a folder already, with or without keys.
 */
export function mayMakeNewKeys({ name, dataDir, agentId, identityKey }: NewKeysOptions): boolean {
  const note = join(dataDir, `${name}.replacing`);
  const isMissing = identityKey !== null && !existsSync(join(dataDir, name, agentId));
  if (isMissing) writeWhole(note, `${identityKey}\n`);
  if (!existsSync(note)) return false;
  if (readFileSync(note, 'utf8').trim() === identityKey) return true;
  rmSync(note);
  return false;
}
