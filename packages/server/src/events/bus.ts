import pg from 'pg';
import type { Logger } from 'pino';

/** Wakes whoever waits for a key, on this node at once and on the others through Postgres. Carries no data. */
export interface Bus {
  /** After commit only: a NOTIFY inside a transaction would serialise all commits. */
  wake(keys: readonly string[]): void;
  /** Returns how to stop. */
  listen(key: string, wake: () => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'parley_wake';
const MAX_PAYLOAD = 7_000;
const RECONNECT_MS = 1_000;

export const keyOf = {
  human: (id: string) => `h:${id}`,
  agent: (id: string) => `a:${id}`,
};

export async function createBus(url: string, pool: pg.Pool, log: Logger): Promise<Bus> {
  const listeners = new Map<string, Set<() => void>>();
  let closed = false;
  let waiting = new Set<string>();
  let sending = false;
  let client: pg.Client | undefined;

  const local = (key: string) => {
    for (const wake of listeners.get(key) ?? []) wake();
  };
  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url });
    next.on('notification', ({ payload }) => {
      for (const key of (payload ?? '').split(' ')) local(key);
    });
    next.on('error', () => {});
    next.on('end', () => {
      if (closed) return;
      // What was sent while we were not listening is unknown: everyone looks for themselves.
      setTimeout(() => void reconnect(), RECONNECT_MS).unref();
    });
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    client = next;
  };
  const reconnect = async (): Promise<void> => {
    if (closed) return;
    try {
      await connect();
      for (const key of listeners.keys()) local(key);
    } catch (error) {
      log.warn({ err: error }, 'bus: no connection to the database, trying again');
      setTimeout(() => void reconnect(), RECONNECT_MS).unref();
    }
  };
  /** Keys that gather while one notification is under way go out together. */
  const flush = async (): Promise<void> => {
    if (sending) return;
    sending = true;
    while (waiting.size > 0 && !closed) {
      const batch: string[] = [];
      let size = 0;
      for (const key of waiting) {
        if (size + key.length >= MAX_PAYLOAD) break;
        batch.push(key);
        size += key.length + 1;
        waiting.delete(key);
      }
      try {
        await pool.query('select pg_notify($1, $2)', [CHANNEL, batch.join(' ')]);
      } catch (error) {
        log.warn({ err: error }, 'bus: other nodes were not woken');
      }
    }
    sending = false;
  };

  await connect();
  return {
    wake: (keys) => {
      for (const key of keys) {
        local(key);
        waiting.add(key);
      }
      void flush();
    },
    listen: (key, wake) => {
      const set = listeners.get(key) ?? new Set();
      set.add(wake);
      listeners.set(key, set);
      return () => {
        set.delete(wake);
        if (set.size === 0) listeners.delete(key);
      };
    },
    close: async () => {
      closed = true;
      waiting = new Set();
      await client?.end();
    },
  };
}
