import { readFileSync } from 'node:fs';
import { writeWhole } from '@parley/base/node';
import { SYSTEM_AGENT_ID } from '@parley/protocol';
import { findAgentByToken } from '../auth/agent-token.ts';
import type { Platform } from '../platform.ts';
import { createAgent } from './create.ts';
import { acceptManifest } from './manifest.ts';
import { ensureSystemAccount } from './system-account.ts';
import { rotateToken } from './tokens.ts';
import { updateAgent } from './update.ts';

export interface LocalAgentOptions {
  /** The name that identifies it among the server's own agents at the next start. */
  readonly name: string;
  readonly description?: string;
  readonly manifest: unknown;
  /** Holds its token; only the user who runs the server can read it. */
  readonly tokenFile: string;
  /** True for the platform's own agent (SA-1): it is found by its id, and may declare reserved scopes (CM-10). */
  readonly system?: boolean;
}

export interface LocalAgent {
  readonly agentId: string;
  readonly token: string;
  /** Null until it has told its keys. */
  readonly identityKey: string | null;
}

const LOCALE = 'en';

/**
 * Creates an agent that comes with the server, or finds it again, and sets its manifest. Returns undefined if an
 * operator has banned it: a restart undoes no ban. A token whose file is lost is replaced.
 */
export async function ensureLocalAgent(
  platform: Platform,
  { name, description = '', manifest, tokenFile, system = false }: LocalAgentOptions,
): Promise<LocalAgent | undefined> {
  const ownerId = await ensureSystemAccount(platform);
  const agent = await platform.db
    .selectFrom('agents')
    .innerJoin('accounts', 'accounts.id', 'agents.owner_id')
    .select(['agents.id', 'agents.status', 'agents.identity_key', 'accounts.status as owner'])
    .select('agents.capability_manifest_hash as hash')
    .where('owner_id', '=', ownerId)
    .$if(system, (query) => query.where('agents.id', '=', SYSTEM_AGENT_ID))
    .$if(!system, (query) => query.where('name', '=', name).where('agents.id', '<>', SYSTEM_AGENT_ID))
    .$if(!system, (query) => query.where('agents.status', '<>', 'deleted'))
    .orderBy('agents.created_at')
    .executeTakeFirst();
  if (agent === undefined) {
    const fields = { name, description, capability_manifest: manifest as never };
    const id = system ? { systemId: SYSTEM_AGENT_ID } : {};
    const made = await createAgent(platform, { ownerId, fields, locale: LOCALE, ...id });
    writeToken(tokenFile, made.token);
    return { agentId: made.agent_id, token: made.token, identityKey: null };
  }
  if (agent.status !== 'active' || agent.owner !== 'active') return undefined;
  const accepted = await acceptManifest(platform, {
    value: manifest,
    account: ownerId,
    locale: LOCALE,
    platform: system,
  });
  if (accepted.hash !== agent.hash) {
    const same = { precondition: undefined, idempotencyKey: undefined, locale: LOCALE } as const;
    await updateAgent(platform, { agentId: agent.id, ownerId, accepted, ...same });
  }
  const known = { agentId: agent.id, identityKey: agent.identity_key };
  const kept = readToken(tokenFile);
  const found = kept === undefined ? undefined : await findAgentByToken(platform.db, kept, platform.now());
  if (kept !== undefined && found?.agentId === agent.id) return { ...known, token: kept };
  const { token } = await rotateToken(platform, { agentId: agent.id, ownerId }, { overlapSeconds: 0 });
  writeToken(tokenFile, token);
  return { ...known, token };
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const writeToken = (file: string, token: string) => writeWhole(file, `${token}\n`);
