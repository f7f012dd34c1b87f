import { sql } from 'kysely';
import { noteClockGap } from '../clock-gaps.ts';
import type { Db } from '../storage/database.ts';
import { TOLERANCE_MS } from '../trusted-clock.ts';

export interface PresentDevice {
  readonly deviceId: string;
  readonly accountId: string;
}

const DEAD_AFTER = '60 seconds';

export async function insertDevices(db: Db, node: string, devices: readonly PresentDevice[]): Promise<void> {
  if (devices.length === 0) return;
  await sql`insert into connected_devices (device_id, node_id, account_id)
    select device_id, ${node}, account_id
    from unnest(${devices.map(({ deviceId }) => deviceId)}::uuid[], ${devices.map(({ accountId }) => accountId)}::uuid[])
      as new (device_id, account_id)
    on conflict do nothing`.execute(db);
}

export async function deleteDevices(db: Db, node: string, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  await sql`delete from connected_devices
    where node_id = ${node} and device_id = any(${deviceIds}::uuid[])`.execute(db);
}

/**
 * Uses the database's clock, which is the same for all nodes. True if the node was unknown, or was taken for dead. What a
 * node stores whose clock is far behind is not as old as it looks (OP-13).
 */
export async function recordHeartbeat(db: Db, node: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{
    fresh: boolean;
    behind: number;
  }>`insert into socket_nodes (id, seen_at, reads_conversation_events, clock_behind_ms)
    values (${node}, now(), true, greatest(0, 1000 * extract(epoch from clock_timestamp() - ${now}::timestamptz))::bigint)
    on conflict (id) do update set seen_at = excluded.seen_at, clock_behind_ms = excluded.clock_behind_ms
    returning xmax = 0 as fresh, clock_behind_ms as behind`.execute(db);
  const { fresh, behind } = rows[0]!;
  if (behind > TOLERANCE_MS) {
    const beganAt = now.getTime();
    await noteClockGap(db, { beganAt, endedAt: beganAt + behind });
  }
  return fresh;
}

/** The devices of nodes without a heartbeat are gone. Returns whose they were. */
export async function deleteDeadNodes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    with dead as (delete from socket_nodes where seen_at < now() - interval '${sql.raw(DEAD_AFTER)}' returning id),
      gone as (delete from connected_devices where node_id in (select id from dead) returning account_id)
    select distinct account_id from gone`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

export async function deleteNode(db: Db, node: string): Promise<void> {
  await sql`with gone as (delete from connected_devices where node_id = ${node})
    delete from socket_nodes where id = ${node}`.execute(db);
}
