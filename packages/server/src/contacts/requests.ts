import { contactRoutes } from '@parley/protocol';
import { sql } from 'kysely';
import { RequestError, rateLimited } from '../http/request-error.ts';
import { createId } from '../id.ts';
import { findBlockers, hasBlocked } from '../people/blocks.ts';
import { findContacts, insertContacts, knows, lockPair } from '../people/contacts.ts';
import type { Platform } from '../platform.ts';
import type { Db, Trx } from '../storage/database.ts';

/** How long a request waits, and how long whoever was declined is not heard (AC-4). */
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** More new ones than this in a day are not shown. */
const HEARD_A_DAY = 50;

/** How a request names someone. */
export interface Named {
  readonly kind: 'code' | 'agent' | 'account';
  readonly value: string;
}
export interface Person {
  readonly user_id: string;
  readonly display_name: string;
}
interface Asked {
  readonly requestId: string;
  /** Set if they are a contact, or become one because they had asked, too. */
  readonly contact: (Person & { readonly since: Date }) | undefined;
}

/**
 * Asks someone to become a contact. Whether anyone is there, has blocked the asker or declined before makes no
 * difference to the asker: the request is kept, and counts.
 */
export async function ask(platform: Platform, askerId: string, named: Named): Promise<Asked> {
  const now = platform.now();
  const { db, events } = platform;
  const found = await findNamed(db, askerId, named);
  if (found === askerId) throw new RequestError('BAD_REQUEST');
  if (found !== undefined && (await hasBlocked(db, askerId, found))) throw new RequestError('ACCOUNT_BLOCKED');
  const done = await db.transaction().execute(async (trx) => {
    await lockAccounts(trx, found === undefined ? [askerId] : [askerId, found]);
    if (found !== undefined) await lockPair(trx, askerId, found);
    if (found !== undefined && (await findContacts(trx, askerId, [found])).has(found)) {
      return { requestId: createId(now), contact: await readContact(trx, askerId, found), told: [] };
    }
    if (found !== undefined && (await hasAsked(trx, { askerId: found, accountId: askerId, now }))) {
      const told = await connect(trx, platform, [askerId, found]);
      return { requestId: createId(now), contact: await readContact(trx, askerId, found), told };
    }
    const before = await findSame(trx, askerId, named);
    const isOpen = before !== undefined && before.created_at > since(now);
    if (isOpen && !mayBeHeardNow(before, now)) return { requestId: before.id, contact: undefined, told: [] };
    if (!isOpen) await requireRoom(trx, askerId, now);
    const heard = found !== undefined && (await isHeard(trx, { askerId, accountId: found, now }));
    // The same as before, so that nobody sees whether they were heard.
    const { id, created_at } = isOpen ? before : { id: createId(now), created_at: now };
    const state = heard ? { heard, heard_at: now, declined_at: null } : { heard };
    const request = { id, account_id: found ?? null, created_at, ...state };
    await trx
      .insertInto('contact_requests')
      .values({ ...request, asker_id: askerId, named_kind: named.kind, named: named.value })
      .onConflict((conflict) => conflict.columns(['asker_id', 'named_kind', 'named']).doUpdateSet(request))
      .execute();
    if (!heard) return { requestId: id, contact: undefined, told: [] };
    const told = [{ kind: 'human' as const, id: found }];
    const { display_name } = await readName(trx, askerId);
    await events.store(trx, told, 'contact.requested', { request_id: id, user_id: askerId, display_name }, askerId);
    return { requestId: id, contact: undefined, told };
  });
  events.wake(done.told);
  return done;
}

/** What one of them has asked, and what the other was asked, is counted by one transaction at a time. */
async function lockAccounts(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`select 1 from accounts where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx);
}

/** Undefined where nobody is, and where the asker may not know that someone is. */
async function findNamed(db: Db, askerId: string, { kind, value }: Named): Promise<string | undefined> {
  if (kind === 'account') return (await knows(db, askerId, value)) ? value : undefined;
  const { rows } =
    kind === 'code'
      ? await sql<{ id: string }>`select a.id from contact_codes c join accounts a on a.id = c.account_id
          where c.code = ${value} and a.status = 'active'`.execute(db)
      : await sql<{ id: string }>`select o.id from agents a join accounts o on o.id = a.owner_id
          where a.id = ${value} and a.status in ('active', 'suspended') and o.status = 'active' and (
            a.visibility = 'public' or a.owner_id = ${askerId} or exists (
              select from h2a_relations r where r.agent_id = a.id and r.account_id = ${askerId}
                and r.status <> 'ended'))`.execute(db);
  return rows[0]?.id;
}

interface Pair {
  readonly askerId: string;
  readonly accountId: string;
  readonly now: Date;
}

const since = (now: Date) => new Date(now.getTime() - DAYS * DAY_MS);

/** Is there a request of theirs that waits for the account, and that the account can see? */
async function hasAsked(trx: Trx, { askerId, accountId, now }: Pair): Promise<boolean> {
  const { rows } = await sql`select 1 from contact_requests where asker_id = ${askerId}
    and account_id = ${accountId} and heard and declined_at is null and created_at > ${since(now)}`.execute(trx);
  return rows.length > 0;
}

/** The same request of before; it may have expired. */
function findSame(trx: Trx, askerId: string, { kind, value }: Named) {
  return trx
    .selectFrom('contact_requests')
    .select(['id', 'heard', 'declined_at', 'created_at'])
    .where('asker_id', '=', askerId)
    .where('named_kind', '=', kind)
    .where('named', '=', value)
    .executeTakeFirst();
}

type Same = NonNullable<Awaited<ReturnType<typeof findSame>>>;

/** One that was lost among too many is not lost for long: asked again on another day it is heard. */
function mayBeHeardNow({ heard, declined_at, created_at }: Same, now: Date): boolean {
  return !heard && declined_at === null && created_at.getTime() <= now.getTime() - DAY_MS;
}

/** Declined ones count, too: whoever gets another try for each refusal would learn of it. */
async function requireRoom(trx: Trx, askerId: string, now: Date): Promise<void> {
  const { rows } = await sql<{ open: number; oldest: Date | null }>`
    select count(*)::int as open, min(created_at) as oldest from contact_requests
    where asker_id = ${askerId} and created_at > ${since(now)}`.execute(trx);
  const { open, oldest } = rows[0]!;
  if (open < contactRoutes.MAX_OUTGOING_REQUESTS) return;
  throw rateLimited(Math.max(1, (oldest!.getTime() + DAYS * DAY_MS - now.getTime()) / 1_000), 'contact_requests');
}

/** Not after they declined, not if they blocked the asker, not twice at a time, and not if too many wait. */
async function isHeard(trx: Trx, { askerId, accountId, now }: Pair): Promise<boolean> {
  if ((await findBlockers(trx, askerId, [accountId])).size > 0) return false;
  const day = new Date(now.getTime() - DAY_MS);
  const { rows } = await sql<{ mine: number; waiting: number; today: number }>`
    select count(*) filter (where asker_id = ${askerId} and (heard or declined_at is not null))::int as mine,
      count(*) filter (where heard and declined_at is null and created_at > ${since(now)})::int as waiting,
      count(*) filter (where heard_at > ${day})::int as today
    from contact_requests where account_id = ${accountId}
      and (created_at > ${since(now)} or declined_at > ${since(now)})`.execute(trx);
  const { mine, waiting, today } = rows[0]!;
  return mine === 0 && waiting < contactRoutes.MAX_INCOMING_REQUESTS && today < HEARD_A_DAY;
}

/** Makes them contacts, forgets what they asked each other, and tells both. Returns whom to wake. */
async function connect(trx: Trx, platform: Platform, pair: readonly [string, string]) {
  await insertContacts(trx, pair, platform.now());
  await sql`delete from contact_requests where (asker_id = ${pair[0]} and account_id = ${pair[1]})
    or (asker_id = ${pair[1]} and account_id = ${pair[0]})`.execute(trx);
  for (const [to, about] of [pair, [pair[1], pair[0]]] as const) {
    const { display_name } = await readName(trx, about);
    const payload = { user_id: about, display_name };
    // Of the two, whoever asked or accepted last is named first.
    await platform.events.store(trx, [{ kind: 'human', id: to }], 'contact.accepted', payload, pair[0]);
  }
  return pair.map((id) => ({ kind: 'human' as const, id }));
}

async function readName(db: Db | Trx, id: string): Promise<{ display_name: string }> {
  return db.selectFrom('accounts').select('display_name').where('id', '=', id).executeTakeFirstOrThrow();
}

async function readContact(trx: Trx, accountId: string, contactId: string) {
  const row = await trx
    .selectFrom('contacts')
    .innerJoin('accounts', 'accounts.id', 'contact_id')
    .select(['contact_id as user_id', 'display_name', 'contacts.created_at as since'])
    .where('account_id', '=', accountId)
    .where('contact_id', '=', contactId)
    .executeTakeFirst();
  return row;
}

/** The request, if it waits for this account. */
async function lockWaiting(trx: Trx, accountId: string, requestId: string, now: Date): Promise<string> {
  const { rows } = await sql<{ asker_id: string }>`
    select r.asker_id from contact_requests r join accounts a on a.id = r.asker_id and a.status = 'active'
    where r.id = ${requestId} and r.account_id = ${accountId} and r.heard and r.declined_at is null
      and r.created_at > ${since(now)} for update of r`.execute(trx);
  if (rows[0] === undefined) throw new RequestError('NOT_FOUND');
  return rows[0].asker_id;
}

export async function accept(platform: Platform, accountId: string, requestId: string) {
  const { contact, told } = await platform.db.transaction().execute(async (trx) => {
    const askerId = await lockWaiting(trx, accountId, requestId, platform.now());
    if (await hasBlocked(trx, accountId, askerId)) throw new RequestError('ACCOUNT_BLOCKED');
    const told = await connect(trx, platform, [accountId, askerId]);
    return { contact: (await readContact(trx, accountId, askerId))!, told };
  });
  platform.events.wake(told);
  return contact;
}

export async function decline(platform: Platform, accountId: string, requestId: string): Promise<void> {
  const own = [{ kind: 'human' as const, id: accountId }];
  await platform.db.transaction().execute(async (trx) => {
    const askerId = await lockWaiting(trx, accountId, requestId, platform.now());
    await refuse(trx, { accountId, askerId, now: platform.now() });
    await platform.events.store(trx, own, 'contact.changed', {}, accountId);
  });
  platform.events.wake(own);
}

/** From now on they are not heard for as long as a request waits, whatever they call the account. */
export async function refuse(trx: Trx, { accountId, askerId, now }: Pair): Promise<void> {
  await sql`update contact_requests set declined_at = ${now}
    where account_id = ${accountId} and asker_id = ${askerId}`.execute(trx);
}

/**
 * What the account has asked them waits no longer, as if they had declined it. Nobody did, so their export does not say so;
 * the account sees no difference.
 */
export async function withdraw(trx: Trx, { accountId, askerId, now }: Pair): Promise<void> {
  await sql`update contact_requests set heard = false, declined_at = ${now}
    where account_id = ${accountId} and asker_id = ${askerId}`.execute(trx);
}

export interface Incoming extends Person {
  readonly request_id: string;
  readonly by: 'code' | 'agent' | 'conversation';
  readonly agent_name: string | null;
  readonly created_at: Date;
}

export async function listIncoming(db: Db, accountId: string, now: Date): Promise<Incoming[]> {
  const { rows } = await sql<Incoming>`
    select r.id as request_id, a.id as user_id, a.display_name, r.created_at, g.name as agent_name,
      case r.named_kind when 'account' then 'conversation' else r.named_kind end as by
    from contact_requests r join accounts a on a.id = r.asker_id and a.status = 'active'
    left join agents g on r.named_kind = 'agent' and g.id::text = r.named
    where r.account_id = ${accountId} and r.heard and r.declined_at is null and r.created_at > ${since(now)}
      and not exists (select from blocks b
        where b.account_id = r.account_id and b.blocked_id = r.asker_id and b.until is null)
    order by r.id desc limit ${contactRoutes.MAX_INCOMING_REQUESTS}`.execute(db);
  return rows;
}

export function listOutgoing(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('contact_requests')
    .select(['id', 'named_kind', 'named', 'created_at'])
    .where('asker_id', '=', accountId)
    .where('created_at', '>', since(now))
    .orderBy('id', 'desc')
    .limit(contactRoutes.MAX_OUTGOING_REQUESTS)
    .execute();
}

/** Deletes requests that have expired, once whoever was declined may be heard again. */
export async function pruneRequests(db: Db, now: Date): Promise<void> {
  await sql`delete from contact_requests where created_at <= ${since(now)}
    and (declined_at is null or declined_at <= ${since(now)})`.execute(db);
}
