import { setTimeout as sleep } from 'node:timers/promises';
import { addJitter } from '@parley/base';
import type pg from 'pg';
import { serverError } from '../errors.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { PATIENT_LIMITS, withClient } from './client.ts';
import { MIGRATIONS } from './migrations.ts';
import { writeMigration } from './needs.ts';

/** What a start waits for. */
export type StartStep =
  | { readonly kind: 'recover' | 'connect' | 'other_node' | 'secrets' | 'services' }
  | { readonly kind: 'migrate' | 'locks'; readonly name: string };

export interface MigrateOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of each step when it begins. */
  readonly tell?: ((step: StartStep) => void) | undefined;
  /** How long one migration is tried while others keep its tables locked. */
  readonly giveUpMs?: number;
}

/**
 * Whoever comes after a migration that waits for a lock waits behind it, on all nodes, if only to read. It is less than
 * Postgres's deadlock_timeout, so that a migration gives way before others are looked through for a victim.
 */
const LOCK_MS = 900;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
const GIVE_UP_MS = 60_000;
/** Another node's migration may take long. If that node dies, it holds nothing any more, and this one goes on. */
const OTHER_NODE_MS = 6 * 3_600_000;
const LOOK_MS = 200;
/** A lock that was not to be had in time; a deadlock. */
const BLOCKED = /^(55P03|40P01)$/;

/**
 * Brings the schema up to date, one transaction for each migration (OP-12): locks of several would be held together while
 * the nodes of the version before take theirs in another order. If several nodes start at once, one does it and the others
 * wait. Returns what this one did.
 */
export function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { signal, tell = () => {} } = options;
  tell({ kind: 'connect' });
  return withClient(url, (client) => migrateAll(client, { ...options, tell }), { limits: PATIENT_LIMITS, signal });
}

async function migrateAll(
  client: pg.Client,
  { signal, tell, giveUpMs = GIVE_UP_MS }: MigrateOptions & { readonly tell: (step: StartStep) => void },
): Promise<string[]> {
  const applied: string[] = [];
  let since = performance.now();
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    const result = await applyNext(client, tell);
    const waited = performance.now() - since;
    if (result.state === 'done') return applied;
    if (result.state === 'applied') {
      applied.push(result.name);
      since = performance.now();
      pause = FIRST_PAUSE_MS;
    } else if (result.state === 'other_node') {
      tell({ kind: 'other_node' });
      if (waited > OTHER_NODE_MS) throw serverError('MIGRATION_ELSEWHERE', { params: { minutes: toMinutes(waited) } });
      await sleep(LOOK_MS, undefined, { signal });
    } else {
      const { name, error } = result;
      tell({ kind: 'locks', name });
      const seconds = Math.round(waited / 1_000);
      if (waited > giveUpMs) throw serverError('MIGRATION_BLOCKED', { params: { name, seconds }, cause: error });
      await sleep(addJitter(pause, Math.random()), undefined, { signal });
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
    }
  }
}

const toMinutes = (ms: number) => Math.round(ms / 60_000);

type Applied =
  | { readonly state: 'done' }
  | { readonly state: 'other_node' }
  | { readonly state: 'applied'; readonly name: string }
  | { readonly state: 'blocked'; readonly name: string; readonly error: unknown };

/** Applies the first migration that is missing, in a transaction of its own. */
async function applyNext(client: pg.Client, tell: (step: StartStep) => void): Promise<Applied> {
  let name = '';
  await client.query('begin');
  try {
    const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as held', [ADVISORY_LOCKS.migrate]);
    if (!rows[0].held) {
      await client.query('rollback');
      return { state: 'other_node' };
    }
    const next = await findNext(client);
    if (next !== undefined) {
      name = next;
      tell({ kind: 'migrate', name });
      await client.query(`set local lock_timeout = ${LOCK_MS}; ${writeMigration(name)}`);
    }
    await client.query('commit');
    return next === undefined ? { state: 'done' } : { state: 'applied', name };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (BLOCKED.test((error as { code?: string }).code ?? '')) return { state: 'blocked', name, error };
    throw error;
  }
}

async function findNext(client: pg.Client): Promise<string | undefined> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(MIGRATIONS).find((name) => !done.has(name));
}
