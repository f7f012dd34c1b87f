import type { Manifest } from '@parley/documents';
import type { LedgerEntry } from '@parley/protocol';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';

export type Relation = Selectable<Database['h2a_relations']>;

/** A relation with what its replies say about the agent, and the scopes that wait for its person's answer. */
export interface RelationView extends Relation {
  readonly agent_name: string;
  readonly pending_scopes: readonly string[];
  readonly capability_manifest_version: number;
  readonly capability_manifest_hash: string | null;
}

export interface RelationAgent {
  readonly id: string;
  readonly owner_id: string;
  readonly visibility: 'public' | 'private';
  readonly status: 'active' | 'suspended' | 'banned' | 'deleted';
  readonly connection_mode: Relation['agreed_mode'];
  readonly identity_key: string | null;
  readonly capability_manifest: Manifest | null;
  readonly capability_manifest_version: number;
  readonly capability_manifest_hash: string | null;
}

const AGENT_COLUMNS = [
  'id',
  'owner_id',
  'visibility',
  'status',
  'connection_mode',
  'identity_key',
  'capability_manifest',
  'capability_manifest_version',
  'capability_manifest_hash',
] as const;

function selectViews(db: Db | Trx) {
  return db
    .selectFrom('h2a_relations as relation')
    .innerJoin('agents as agent', 'agent.id', 'relation.agent_id')
    .leftJoin('pending_scopes as pending', (join) =>
      join
        .onRef('pending.agent_id', '=', 'relation.agent_id')
        .onRef('pending.agreed_version', '=', 'relation.agreed_version'),
    )
    .selectAll('relation')
    .select(['agent.name as agent_name', 'agent.capability_manifest_version', 'agent.capability_manifest_hash'])
    .select(['agent.connection_mode', 'agent.visibility', 'pending.scopes']);
}

type Joined = Omit<RelationView, 'pending_scopes'> &
  Pick<RelationAgent, 'connection_mode' | 'visibility'> & { readonly scopes: string[] | null };

function toView({ scopes, connection_mode, visibility, ...row }: Joined): RelationView {
  const view = { ...row, pending_scopes: findPending({ ...row, connection_mode }, scopes ?? []) };
  if (row.status !== 'ended') return view;
  // What happened to the agent since the relation ended is not shown to the person; for a private one, not even its
  // name.
  return {
    ...view,
    agent_name: visibility === 'private' ? '' : row.agent_name,
    capability_manifest_version: row.agreed_version,
    capability_manifest_hash: row.agreed_hash,
  };
}

/** While the agent is less well protected than its person agreed to, all granted scopes wait (RL-9, EE-7). */
function findPending(
  relation: Relation & Pick<RelationAgent, 'connection_mode'>,
  waiting: readonly string[],
): readonly string[] {
  if (relation.status === 'ended') return [];
  const weaker = relation.connection_mode === 'webhook' && relation.agreed_mode !== 'webhook';
  return weaker ? [...new Set([...relation.granted_scopes, ...waiting])].sort() : waiting;
}

export async function findRelation(db: Db | Trx, id: string): Promise<RelationView | undefined> {
  const row = await selectViews(db).where('relation.id', '=', id).executeTakeFirst();
  return row && toView(row);
}

/** Lists the newest first, without those that have ended. */
export async function listRelationsOf(
  db: Db,
  accountId: string,
  page: { before?: string; limit: number },
): Promise<RelationView[]> {
  const rows = await selectViews(db)
    .where('relation.account_id', '=', accountId)
    .where('relation.status', '<>', 'ended')
    .$if(page.before !== undefined, (query) => query.where('relation.id', '<', page.before!))
    .orderBy('relation.id', 'desc')
    .limit(page.limit)
    .execute();
  return rows.map(toView);
}

/**
 * Keeps the agent's manifest from changing until the transaction ends. Whoever writes a relation takes this lock before the
 * relation's own, and whoever publishes a manifest locks the agent first too: so they cannot deadlock.
 */
export function lockAgentShared(trx: Trx, id: string): Promise<RelationAgent | undefined> {
  return trx.selectFrom('agents').select(AGENT_COLUMNS).where('id', '=', id).forShare().executeTakeFirst();
}

export interface LockedRelation {
  readonly relation: RelationView;
  readonly agent: RelationAgent;
}

export async function lockRelation(trx: Trx, id: string): Promise<LockedRelation | undefined> {
  const found = await trx.selectFrom('h2a_relations').select('agent_id').where('id', '=', id).executeTakeFirst();
  const agent = found && (await lockAgentShared(trx, found.agent_id));
  if (agent === undefined) return undefined;
  await trx.selectFrom('h2a_relations').select('id').where('id', '=', id).forUpdate().execute();
  const relation = await findRelation(trx, id);
  return relation && { relation, agent };
}

export function findActiveRelation(
  db: Db | Trx,
  accountId: string,
  agentId: string,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('h2a_relations')
    .select('id')
    .where('account_id', '=', accountId)
    .where('agent_id', '=', agentId)
    .where('status', '<>', 'ended')
    .executeTakeFirst();
}

/** Returns the manifest of one version; undefined if there is no such version. */
export async function findManifest(db: Db | Trx, agentId: string, version: number): Promise<Manifest | undefined> {
  const row = await db
    .selectFrom('agent_manifests')
    .select('manifest')
    .where('agent_id', '=', agentId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.manifest as Manifest | undefined;
}

/** Returns the manifests of some versions as JSON text, which only a worker thread reads. */
export async function readManifestTexts(
  db: Db,
  agentId: string,
  versions: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('agent_manifests')
    .select(['version', sql<string>`manifest::text`.as('text')])
    .where('agent_id', '=', agentId)
    .where('version', 'in', [...versions])
    .execute();
  return new Map(rows.map(({ version, text }) => [version, text]));
}

/** The scopes of the last entry of its ledger; of none, nothing. */
export async function findSignedScopes(db: Db, { id, ledger_length: seq }: Relation): Promise<string[]> {
  const row = await db
    .selectFrom('ledger_entries')
    .select('entry')
    .where('relation_id', '=', id)
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row === undefined ? [] : (row.entry as LedgerEntry).scopes.map((scope) => scope.id);
}

/** Is each of the scopes one of the others? */
export function isWithin(scopes: readonly string[], others: readonly string[]): boolean {
  const known = new Set(others);
  return scopes.every((scope) => known.has(scope));
}

/** Oldest first. */
export async function listEntries(
  db: Db | Trx,
  relationId: string,
  page?: { readonly after: number; readonly limit: number },
): Promise<LedgerEntry[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select('entry')
    .where('relation_id', '=', relationId)
    .$if(page !== undefined, (query) => query.where('seq', '>', page!.after).limit(page!.limit))
    .orderBy('seq')
    .execute();
  return rows.map((row) => row.entry as LedgerEntry);
}
