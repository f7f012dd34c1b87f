import { sql } from 'kysely';
import type { Db } from '../storage/database.ts';
import type { Person } from './requests.ts';

/** By name; those whom the account has blocked are not among them. */
export async function listContacts(
  db: Db,
  accountId: string,
  { after, limit }: { readonly after: readonly [string, string] | undefined; readonly limit: number },
): Promise<(Person & { readonly since: Date })[]> {
  const [name, id] = after ?? [null, null];
  const { rows } = await sql<Person & { since: Date }>`
    select a.id as user_id, a.display_name, k.created_at as since
    from contacts k join accounts a on a.id = k.contact_id and a.status = 'active'
    where k.account_id = ${accountId}
      and not exists (select from blocks b
        where b.account_id = k.account_id and b.blocked_id = k.contact_id and b.until is null)
      and (${name}::text is null or (a.display_name, a.id) > (${name}::text, ${id}::uuid))
    order by a.display_name, a.id limit ${limit}`.execute(db);
  return rows;
}
