import {
  type DeviceList,
  type DeviceListProblem,
  type DeviceStatement,
  deviceStatementHash,
  foldDeviceList,
  MAX_DEVICES,
} from '@parley/protocol';
import { sql } from 'kysely';
import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { type ListEnd, listDeviceStatements } from '../keys/device-list.ts';
import { isSignedBytes } from '../keys/signature.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { type DeviceRow, listDeviceRows, lockAccountKey } from './device-store.ts';
import { endDevices } from './end-devices.ts';
import { notifyContacts, notifyDevices } from './notify-contacts.ts';

/** Everyone who writes to the account reads its whole list, and a new device gets it in one message (EE-16). */
const MAX_STATEMENTS = 2_000;
const MAX_BYTES = 2 * 1024 * 1024;

type AfterCommit = () => void;

/** Adds a statement of an account that has a list; of one whose devices still have certificates, also the first. */
export async function appendDeviceStatement(
  platform: Platform,
  { accountId, deviceId }: Human,
  statement: DeviceStatement,
): Promise<ListEnd> {
  const wake = await platform.db.transaction().execute(async (trx) => {
    const accountKey = await lockAccountKey(trx, accountId);
    const stored = await listDeviceStatements(trx, accountId);
    if (isStored(stored, statement)) return undefined;
    requireNext(stored, statement);
    // The list of an account without any comes with its first device; the key of before cannot be replaced in passing.
    if (statement.action === 'create' && statement.account_key !== accountKey) {
      throw refuse(accountKey === null ? 'action' : 'signature');
    }
    const wake = await extend(platform, trx, { accountId, stored, statement });
    if (deviceId !== undefined) await stopWaiting(trx, deviceId);
    return wake;
  });
  wake?.();
  return { length: statement.seq, head: deviceStatementHash(statement) };
}

/** Begins the list with the first device of an account (EE-16). The account is locked, and the device is stored. */
export async function foundDeviceList(
  platform: Platform,
  trx: Trx,
  { device, accountKey, statement }: { device: DeviceRow; accountKey: string | null; statement: DeviceStatement },
): Promise<AfterCommit> {
  const accountId = device.account_id;
  const stored = await listDeviceStatements(trx, accountId);
  if (isStored(stored, statement)) return () => {};
  if (statement.action !== 'create') throw refuse('action');
  if (accountKey !== null || stored.length > 0) throw listConflict(stored);
  requireNext(stored, statement);
  const [first, ...others] = statement.devices;
  if (first?.device_id !== device.id || others.length > 0) throw refuse('device');
  return extend(platform, trx, { accountId, stored, statement });
}

/** A lost reply is asked for again with the same bytes. */
function isStored(stored: readonly DeviceStatement[], statement: DeviceStatement): boolean {
  const there = stored[statement.seq - 1];
  return there !== undefined && deviceStatementHash(there) === deviceStatementHash(statement);
}

/** Compare-and-set: of two statements with the same `prev` the second one is refused. */
function requireNext(stored: readonly DeviceStatement[], statement: DeviceStatement): void {
  const { seq, prev } = statement;
  if (seq !== stored.length + 1 || prev !== headOf(stored)) throw listConflict(stored);
}

function headOf(stored: readonly DeviceStatement[]): string | null {
  const last = stored.at(-1);
  return last ? deviceStatementHash(last) : null;
}

function listConflict(stored: readonly DeviceStatement[]): RequestError {
  return new RequestError('STATEMENT_CONFLICT', {}, { details: { head: headOf(stored), length: stored.length } });
}

function refuse(problem: DeviceListProblem): RequestError {
  return new RequestError('STATEMENT_INVALID', { problem });
}

interface Extension {
  readonly accountId: string;
  readonly stored: readonly DeviceStatement[];
  readonly statement: DeviceStatement;
}

/** Stores the statement, and makes the rows say what the list says from now on. */
async function extend(platform: Platform, trx: Trx, extension: Extension): Promise<AfterCommit> {
  const { accountId, statement } = extension;
  const rows = await listDeviceRows(trx, accountId, 'live or listed');
  if (statement.action === 'add' && rows.filter(({ listed }) => listed).length >= MAX_DEVICES) {
    throw new RequestError('LIMIT_REACHED', { limit: MAX_DEVICES });
  }
  const list = foldExtension(extension);
  checkDevices(list, rows, statement);
  await trx
    .insertInto('device_statements')
    .values({ account_id: accountId, seq: list.length, hash: list.head!, statement: JSON.stringify(statement) })
    .execute();
  await trx.updateTable('accounts').set({ account_key: list.accountKey }).where('id', '=', accountId).execute();
  const joined = rows.filter(({ id, listed }) => !listed && list.devices.has(id)).map(({ id }) => id);
  await setListed(trx, accountId, [...list.devices.keys()]);
  const wakes = [
    await endDevices(platform, trx, { accountId, ids: [...list.revoked.keys()] }),
    await notifyDevices(platform, trx, { accountId, ids: joined, change: 'certified' }),
    await notifyContacts(platform, trx, accountId),
  ];
  return () => {
    for (const wake of wakes) wake?.();
  };
}

function foldExtension({ accountId, stored, statement }: Extension): DeviceList {
  const statements = [...stored, statement];
  // The others were verified when they were stored.
  const fresh = new Set([statement.signature, 'recovery_signature' in statement ? statement.recovery_signature : '']);
  const list = foldDeviceList(statements, {
    accountId,
    verify: (key, bytes, signature) => !fresh.has(signature) || isSignedBytes(bytes, signature, key),
  });
  if (!list.ok) throw refuse(list.problem);
  const bytes = statements.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
  if (statements.length > MAX_STATEMENTS || bytes > MAX_BYTES)
    throw new RequestError('LIMIT_REACHED', { limit: MAX_STATEMENTS });
  return list;
}

/** A device that is listed from now on is one of the account's own, with these keys, and not revoked. */
function checkDevices(list: DeviceList, rows: readonly DeviceRow[], { action }: DeviceStatement): void {
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const { device_id, identity_key, exchange_key } of list.devices.values()) {
    const row = known.get(device_id);
    const hasKeys = row?.identity_key === identity_key && row.exchange_key === exchange_key;
    const isAdded = action === 'create' || row?.listed !== true;
    if (!hasKeys || (isAdded && row.revoked_at !== null)) throw refuse('device');
  }
}

/** A device that let itself in, by the recovery secret, waits for nobody. */
async function stopWaiting(trx: Trx, deviceId: string): Promise<void> {
  await trx
    .updateTable('devices')
    .set({ pairing: null })
    .where('id', '=', deviceId)
    .where('listed', '=', true)
    .execute();
}

async function setListed(trx: Trx, accountId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update devices set listed = not listed
    where account_id = ${accountId} and listed <> (id = any(${ids}::uuid[]))`.execute(trx);
}
