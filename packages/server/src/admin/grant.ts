import pg from 'pg';
import { createId } from '../id.ts';

/** Whoever can write to the database needs no account. */
const MACHINE = '00000000-0000-0000-0000-000000000000';

/** Makes an account an operator, without a running server, and records it. Returns false if nobody has the address. */
export async function grantAdmin(databaseUrl: string, email: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `with found as (
         select id, role from accounts where lower(email) = lower($1) and status = 'active' for update
       ), logged as (
         insert into admin_actions (id, admin_id, action, target_kind, target_id, previous, reason, created_at)
         select $2, $3, 'account.role.admin', 'account', id, role, '', now() from found where role <> 'admin'
       )
       update accounts set role = 'admin' from found where accounts.id = found.id returning accounts.id`,
      [email, createId(new Date()), MACHINE],
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}
