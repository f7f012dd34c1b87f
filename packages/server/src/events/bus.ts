import { randomBytes, randomInt } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import { askToKeepAlive, destroyConnection, KEEP_ALIVE, type Storage } from '../storage/database.ts';
import { countPortions, createParts, createTextQueue, splitText } from './text-queue.ts';
import { createWakeQueue, encodeNews } from './wake-queue.ts';

/** Wakes the listeners of a key, on this node at once and on the others through Postgres. */
export interface Bus {
  /**
   * Call it after commit: a NOTIFY inside a transaction would serialise all commits. It says that there is news, not
   * what.
   */
  wake(wakes: readonly (string | Wake)[]): void;
  /** Does the same for all members of a conversation; other nodes are told in turns by account (OP-3). */
  wakeAll(news: ConversationNews): void;
  /** Does so much of what an account caused wait to be told to other nodes that it should cause no more for now? */
  isBehind(account: string): boolean;
  /** Does the same on this node only. */
  wakeHere(wakes: readonly Wake[]): void;
  /** Whom this node listens for. */
  keys(): readonly string[];
  /** Calls the listener within a second when another node has ended or lost its connection (TR-3). */
  onNodeLost(listener: () => void): () => void;
  /** Resolves once few wakes are left to be sent: whoever wakes very many waits for this between two pages. */
  settled(): Promise<void>;
  /** Returns a function that stops listening. */
  listen(key: string, listener: (wake: Wake) => void): () => void;
  /**
   * Sends a text of ASCII characters to whoever is subscribed at this moment; nothing is stored. Other nodes are told in turns
   * by the account that causes it (OP-3); what it has waiting for that beyond a limit is dropped. Returns how often the text is
   * passed on: to those who are subscribed on this node, and to other nodes.
   */
  publish(keys: readonly string[], text: string, account: string): number;
  /** Does the same where it is known that nobody is subscribed on another node. */
  publishHere(keys: readonly string[], text: string): void;
  subscribe(key: string, listener: (text: string) => void): () => void;
  close(): Promise<void>;
}

export interface Wake {
  readonly key: string;
  /** `events`, or the conversation that has news. If absent, there may be news of any kind. */
  readonly about?: string;
  /** The conversation's last number: whoever has read that far need not read again. */
  readonly upTo?: number;
}

interface ConversationNews {
  readonly keys: readonly string[];
  readonly about: string;
  readonly upTo: number;
  /** Who caused it. */
  readonly accounts: readonly string[];
}

const WAKES = 'parley_wake';
const TRANSIENT = 'parley_live';
/** NOTIFY takes 8,000 bytes. */
const MAX_PAYLOAD = 7_000;
const RETRY_MS = 1_000;
const FEW = 1_000;
/** In portions of some tens of keys. */
const MAX_OF_ACCOUNT = 1_000;
/** Whoever is woken where it is not known who caused it. */
const NOBODY = '';
/** How often it is asked which nodes there are; this also tells whether the connection that hears them still works. */
export const LOOK_MS = 500;
const LIMIT_MS = 5_000;
/** Postgres releases the lock of a node whose process ends, however it ends. */
const HOLD = `select pg_try_advisory_lock(${ADVISORY_LOCKS.nodes}, $1)`;
const NODES = `select objid::bigint::integer as node from pg_locks
  where locktype = 'advisory' and classid = ${ADVISORY_LOCKS.nodes} and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`;
/**
 * Asked after what is to be told was committed: a node that is not seen begins to listen, and to read, only now. Nodes of the
 * version before hold no lock.
 */
const ALONE = `select not exists (${NODES} and objid::bigint <> $1)
  and not exists (select from socket_nodes where not reads_conversation_events) as alone`;

/** All kinds of keys. What is sent to a person reaches all their devices. */
export const keyOf = {
  human: (id: string) => `h:${id}`,
  agent: (id: string) => `a:${id}`,
  device: (id: string) => `d:${id}`,
  /** Wakes whoever holds a connection open in the name of a login session: it may have been revoked. */
  session: (id: string) => `s:${id}`,
  /** Tells this node's dispatcher that something waits for webhooks. */
  webhooks: 'w',
  /** Wakes the owner who watches the events around an agent. */
  agentEvents: (agentId: string) => `t:${agentId}`,
  /** Wakes every node: an operator changed what an account may use. */
  budgets: 'budgets',
};

export interface BusOptions {
  /** For the connection that listens: to open it, and for its answers (OP-9). */
  readonly limitMs: number;
}

export async function createBus(
  { url, pool }: Pick<Storage, 'url' | 'pool'>,
  log: Logger,
  { limitMs }: BusOptions = { limitMs: LIMIT_MS },
): Promise<Bus> {
  // What this node sent comes back to it and is skipped: its own listeners had it already.
  const node = randomBytes(6).toString('hex');
  const wakes = createTopics<Wake>();
  const texts = createTopics<string>();
  const parts = createParts();
  let closed = false;
  let client: pg.Client | undefined;
  /** The number of this node's lock. */
  let held = -1;

  const receive = (channel: string, payload: string) => {
    if (payload.startsWith(`${node} `)) return;
    const body = payload.slice(payload.indexOf(' ') + 1);
    if (channel === WAKES) for (const text of body.split(' ')) emitWake(decodeWake(text));
    else {
      const whole = parts.add(body);
      if (whole !== undefined) for (const key of whole.keys) texts.emit(key, whole.text);
    }
  };
  const emitWake = (wake: Wake) => void wakes.emit(wake.key, wake);
  const connect = async (): Promise<void> => {
    const limits = { connectionTimeoutMillis: limitMs, query_timeout: limitMs };
    const next = new pg.Client({ connectionString: url, ...KEEP_ALIVE, ...limits });
    next.on('notification', ({ channel, payload }) => receive(channel, payload ?? ''));
    next.on('error', () => {});
    next.on('end', () => {
      // A client that never connected has failed already: another attempt for it would double the attempts every time.
      if (!closed && client === next) setTimeout(() => void reconnect(), RETRY_MS).unref();
    });
    try {
      await next.connect();
      await askToKeepAlive(next);
      await next.query(`listen ${WAKES}`);
      await next.query(`listen ${TRANSIENT}`);
      // Another number each time: the connection before may not be missed yet.
      const number = randomInt(2 ** 31);
      await next.query(HOLD, [number]);
      held = number;
    } catch (error) {
      destroyConnection(next);
      throw error;
    }
    client = next;
  };
  const lost = new Set<() => void>();
  let nodes: ReadonlySet<number> = new Set();
  let asking: pg.Client | undefined;
  /** Nothing is heard over a connection that went dark, and nothing says so: it has to be asked. */
  const findNodes = async (): Promise<void> => {
    const asked = client;
    if (asked === undefined || asked === asking) return;
    asking = asked;
    try {
      const { rows } = await asked.query<{ node: number }>(NODES);
      const present = new Set(rows.map(({ node }) => node));
      const before = nodes;
      nodes = present;
      mayBeAlone = present.size <= 1;
      if ([...before].some((node) => !present.has(node))) for (const listener of lost) listener();
    } catch {
      destroyConnection(asked);
    } finally {
      asking = undefined;
    }
  };
  const looking = setInterval(() => void findNodes(), Math.min(limitMs, LOOK_MS));
  looking.unref();
  const reconnect = async (): Promise<void> => {
    if (closed) return;
    try {
      await connect();
      // It is unknown what was sent while the connection was lost, so everyone reads the database.
      for (const key of wakes.keys()) emitWake({ key });
    } catch (error) {
      log.warn({ err: error }, 'bus: no connection to the database, trying again');
      setTimeout(() => void reconnect(), RETRY_MS).unref();
    }
  };

  let waiting = createWakeQueue();
  let unsent = createTextQueue();
  let mayBeAlone = true;
  let flushing: Promise<void> | undefined;
  const settling: (() => void)[] = [];
  const settle = () => {
    for (const resolve of settling.splice(0)) resolve();
  };
  /** Where nobody else is, nobody is told, however much there is. */
  const forgetIfAlone = async (): Promise<void> => {
    const [before, texts] = [waiting, unsent];
    waiting = createWakeQueue();
    unsent = createTextQueue();
    try {
      const { rows } = await pool.query<{ alone: boolean }>(ALONE, [held]);
      mayBeAlone = rows[0]!.alone;
    } catch (error) {
      mayBeAlone = false;
      throw error;
    } finally {
      if (!mayBeAlone) {
        for (const { account, news } of before.take(Number.POSITIVE_INFINITY)) waiting.add(account, news);
        // Those of one account keep their order.
        while (unsent.size > 0) unsent.take().forEach(texts.add);
        unsent = texts;
      }
    }
  };
  /** Wakes that gather while one notification is under way go out together. */
  const tell = async (): Promise<void> => {
    const batch = waiting.take(MAX_PAYLOAD);
    try {
      if (batch.length > 0) {
        const body = batch.map(({ news }) => encodeNews(news)).join(' ');
        await pool.query(NOTIFY, [WAKES, `${node} ${body}`]);
      }
    } catch (error) {
      for (const { account, news } of batch) waiting.add(account, news);
      throw error;
    }
    const parts = unsent.take().flatMap((portion) => portion.parts.map((part) => `${node} ${part}`));
    if (parts.length > 0) await pool.query(NOTIFY_ALL, [TRANSIENT, parts]);
  };
  const flush = async (): Promise<void> => {
    while ((waiting.size > 0 || unsent.size > 0) && !closed) {
      try {
        await (mayBeAlone ? forgetIfAlone() : tell());
      } catch (error) {
        log.warn({ err: error }, 'bus: other nodes were not woken, trying again');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
      if (waiting.size < FEW) settle();
    }
    settle();
  };
  const startFlush = (): void => {
    if (flushing !== undefined || closed || (waiting.size === 0 && unsent.size === 0)) return;
    flushing = flush().then(() => {
      flushing = undefined;
      startFlush();
    });
  };

  await connect();
  return {
    wake: (list) => {
      for (const item of list) {
        const wake = typeof item === 'string' ? { key: item } : item;
        emitWake(wake);
        waiting.add(NOBODY, { keys: [wake.key], about: wake.about, upTo: wake.upTo });
      }
      startFlush();
    },
    wakeAll: ({ keys, about, upTo, accounts }) => {
      for (const key of keys) emitWake({ key, about, upTo });
      for (const account of accounts) waiting.add(account, { keys, about, upTo });
      startFlush();
    },
    isBehind: (account) => waiting.count(account) >= MAX_OF_ACCOUNT,
    wakeHere: (list) => list.forEach(emitWake),
    keys: wakes.keys,
    onNodeLost: (listener) => {
      lost.add(listener);
      return () => void lost.delete(listener);
    },
    settled: () => (waiting.size < FEW ? Promise.resolve() : new Promise((resolve) => settling.push(resolve))),
    listen: wakes.add,
    publishHere: (keys, text) => {
      for (const key of keys) texts.emit(key, text);
    },
    publish: (keys, text, account) => {
      let heard = 0;
      for (const key of keys) heard += texts.emit(key, text);
      splitText(keys, text, account).forEach(unsent.add);
      startFlush();
      return mayBeAlone ? heard : heard + countPortions(keys.length);
    },
    subscribe: texts.add,
    close: async () => {
      await Promise.race([flushing, new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())]);
      closed = true;
      clearInterval(looking);
      if (client === undefined) return;
      const ending = client;
      const timer = setTimeout(() => destroyConnection(ending), RETRY_MS);
      await ending.end().finally(() => clearTimeout(timer));
    },
  };
}

const NOTIFY = 'select pg_notify($1, $2)';
const NOTIFY_ALL = 'select pg_notify($1, part) from unnest($2::text[]) as part';

/** Manages the listeners of each key. */
function createTopics<T>() {
  const listeners = new Map<string, Set<(value: T) => void>>();
  return {
    keys: () => [...listeners.keys()],
    /** Returns how many there are. */
    emit: (key: string, value: T): number => {
      const set = listeners.get(key);
      if (set === undefined) return 0;
      for (const listener of set) listener(value);
      return set.size;
    },
    add: (key: string, listener: (value: T) => void) => {
      const set = listeners.get(key) ?? new Set();
      set.add(listener);
      listeners.set(key, set);
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(key) === set) listeners.delete(key);
      };
    },
  };
}

function decodeWake(text: string): Wake {
  const [key, about, upTo] = text.split('/') as [string, string?, string?];
  if (about === undefined) return { key };
  return upTo === undefined ? { key, about } : { key, about, upTo: Number(upTo) };
}
