import type { Manifest } from '@parley/documents';
import { type Selectable, sql } from 'kysely';
import { RequestError } from '../http/request-error.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';
import { describeManifest, searchVector } from './search-columns.ts';

export type AgentRow = Selectable<Database['agents']>;
/** All columns except the tsvector, which nobody reads. */
const COLUMNS = [
  'id',
  'owner_id',
  'name',
  'description',
  'visibility',
  'status',
  'connection_mode',
  'connection_mode_signature',
  'identity_key',
  'exchange_key',
  'capability_manifest',
  'capability_manifest_version',
  'capability_manifest_hash',
  'warnings',
  'unreachable_since',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof AgentRow)[];
export type LoadedAgent = Pick<AgentRow, (typeof COLUMNS)[number]>;

/** Locks the agent for a change: others that want to change it wait until this transaction has ended. */
export async function lockAgent(trx: Trx, agentId: string): Promise<LoadedAgent> {
  const row = await trx
    .selectFrom('agents')
    .select(COLUMNS)
    .where('id', '=', agentId)
    .where('status', '<>', 'deleted')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new RequestError('NOT_FOUND');
  return row;
}

type ReadAgent = LoadedAgent & { readonly owner_name: string; readonly has_webhook: boolean };

export async function loadAgent(db: Db, agentId: string): Promise<ReadAgent> {
  const row = await db
    .selectFrom('agents')
    .innerJoin('accounts', 'accounts.id', 'agents.owner_id')
    .select(COLUMNS.map((column) => `agents.${column}` as const))
    .select('accounts.display_name as owner_name')
    .select(sql<boolean>`exists (select from webhooks where webhooks.agent_id = agents.id)`.as('has_webhook'))
    .where('agents.id', '=', agentId)
    .where('agents.status', '<>', 'deleted')
    .executeTakeFirst();
  if (row === undefined) throw new RequestError('NOT_FOUND');
  return row;
}

interface Searchable {
  readonly name: string;
  readonly description: string;
  readonly manifest: Manifest | null;
}

/** Rebuilds the columns that search uses. */
export function searchColumns(agent: Searchable) {
  return { ...describeManifest(agent.manifest), search: sql<string>`${searchVector(agent)}::tsvector` };
}

export interface NewVersion {
  readonly agentId: string;
  readonly version: number;
  readonly manifest: Manifest;
  readonly hash: string;
  readonly breaking: boolean;
  readonly now: Date;
}

export async function insertManifest(trx: Trx, row: NewVersion): Promise<void> {
  const { agentId, version, manifest, hash, breaking, now } = row;
  await trx
    .insertInto('agent_manifests')
    .values({ agent_id: agentId, version, manifest: JSON.stringify(manifest), hash, breaking, created_at: now })
    .execute();
}

export async function insertToken(
  trx: Trx,
  row: { tokenId: string; agentId: string; tokenHash: string; now: Date },
): Promise<void> {
  const { tokenId, agentId, tokenHash, now } = row;
  await trx
    .insertInto('agent_tokens')
    .values({ id: tokenId, agent_id: agentId, token_hash: tokenHash, created_at: now })
    .execute();
}
