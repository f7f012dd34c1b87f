import { createId } from '../id.ts';
import { withClient } from '../storage/client.ts';

/** Whoever can write to the database needs no account. */
const MACHINE = '00000000-0000-0000-0000-000000000000';

/** Makes an account an operator, without a running server, and records it. Returns false if nobody has the address. */
export function grantAdmin(databaseUrl: string, email: string, reason = ''): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `with found as (
         select id, role from accounts where lower(email) = lower($1) and status = 'active' for update
       ), logged as (
         insert into admin_actions (id, admin_id, action, target_kind, target_id, previous, reason, created_at)
         select $2, $3, 'account.role.admin', 'account', id, role, $4, now() from found where role <> 'admin'
       )
       update accounts set role = 'admin' from found where accounts.id = found.id returning accounts.id`,
      [email, createId(new Date()), MACHINE, reason],
    );
    return rows.length > 0;
  });
}
