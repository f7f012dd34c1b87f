import { sql } from 'kysely';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Trx } from '../storage/database.ts';

const MAX_NAMESPACES = 20;

interface Claim {
  readonly namespace: string;
  readonly ownerId: string;
  readonly host: boolean;
}

export async function claimNamespace({ db, now }: Platform, { namespace, ownerId, host }: Claim) {
  return db.transaction().execute(async (trx) => {
    // Claims are rare, so one lock serialises them: of two that contain one another only one may succeed.
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.namespaces})`.execute(trx);
    const { rows } = await sql<{ owner_id: string; name: string }>`
      select owner_id, name from skill_namespaces
      where name = any(${prefixesOf(namespace)}::text[]) or starts_with(name, ${`${namespace}.`})`.execute(trx);
    if (rows.some((row) => row.owner_id !== ownerId)) throw new RequestError('NAMESPACE_TAKEN');
    const { count } = await trx
      .selectFrom('skill_namespaces')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner_id', '=', ownerId)
      .executeTakeFirstOrThrow();
    const known = rows.some((row) => row.name === namespace);
    if (!known && Number(count) >= MAX_NAMESPACES) throw new RequestError('LIMIT_REACHED', { limit: MAX_NAMESPACES });
    const row = await trx
      .insertInto('skill_namespaces')
      .values({ name: namespace, owner_id: ownerId, host, created_at: now() })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ host }))
      .returning(['name', 'host', 'created_at'])
      .executeTakeFirstOrThrow();
    return { namespace: row.name, host: row.host, created_at: row.created_at.toISOString() };
  });
}

export async function listNamespaces({ db }: Platform, ownerId: string) {
  const rows = await db
    .selectFrom('skill_namespaces')
    .select(['name', 'host', 'created_at'])
    .where('owner_id', '=', ownerId)
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ namespace: row.name, host: row.host, created_at: row.created_at.toISOString() }));
}

/**
 * Finds the caller's namespace of this id and locks it until the transaction ends. Throws FORBIDDEN for an id outside
 * the caller's own, whether it is taken or not (SD-8).
 */
export async function lockNamespace(trx: Trx, ownerId: string, skillId: string): Promise<{ host: boolean }> {
  const row = await trx
    .selectFrom('skill_namespaces')
    .select(['host'])
    .where('name', 'in', prefixesOf(skillId).slice(0, -1).concat(''))
    .where('owner_id', '=', ownerId)
    .orderBy(sql`length(name)`, 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new RequestError('FORBIDDEN');
  return row;
}

/** `com.example.x` has `com`, `com.example` and itself. */
function prefixesOf(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, index) => labels.slice(0, index + 1).join('.'));
}
