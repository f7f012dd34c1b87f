import { randomUUID } from 'node:crypto';
import { until } from '@parley/testkit/until';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bus, createBus, type Wake } from '../src/events/bus.ts';
import type { Storage } from '../src/storage/database.ts';
import { openStorage } from '../src/storage/database.ts';
import { migrateDatabase } from '../src/storage/migrate-database.ts';
import { createDatabase } from './harness/server.ts';

const log = pino({ level: 'silent' });
let storage: Storage;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createDatabase();
  await migrateDatabase(database.url);
  storage = openStorage(database.url, 4);
  drop = database.drop;
});
afterAll(async () => {
  await storage.close();
  await drop();
});

/** A bus of a node of its own, and every statement that it sends. */
async function join(): Promise<{ bus: Bus; sent: string[] }> {
  const sent: string[] = [];
  const pool = new Proxy(storage.pool, {
    get: (target, name) =>
      name === 'query'
        ? (text: string, values: unknown[]) => {
            sent.push(text);
            return target.query(text, values);
          }
        : Reflect.get(target, name),
  });
  return { bus: await createBus({ url: storage.url, pool }, log), sent };
}
const news = (about: string, count = 450) => ({
  keys: Array.from({ length: count }, (_, n) => `a:${n}`),
  about,
  upTo: 1,
  accounts: ['eve'],
});

describe('OP-3 wakes between nodes', () => {
  it('OP-3 attack: messages to large groups cost one node alone no notification', async () => {
    const { bus, sent } = await join();
    const heard: Wake[] = [];
    bus.listen('a:449', (wake) => void heard.push(wake));
    for (let n = 0; n < 500; n++) bus.wakeAll(news(`group-${n}`));
    bus.publish(['a:449'], 'typing', 'eve');
    expect(heard).toHaveLength(500);
    await until(() => expect(bus.isBehind('eve')).toBe(false));
    await bus.close();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((text) => text.includes('pg_notify'))).toEqual([]);
  });

  it('TR-3 a node that has just begun to listen is told at once, before it was noticed', async () => {
    const [one, heard] = [await join(), [] as Wake[]];
    one.bus.wakeAll(news('before'));
    await until(() => expect(one.sent).toHaveLength(1));
    const two = await join();
    two.bus.listen('a:449', (wake) => void heard.push(wake));
    one.bus.wakeAll(news('talk'));
    await until(() => expect(heard).toEqual([{ key: 'a:449', about: 'talk', upTo: 1 }]));
    await Promise.all([one.bus.close(), two.bus.close()]);
  });

  it('OP-12 a node of the version before, which nothing else tells of, is told', async () => {
    const { bus, sent } = await join();
    const id = randomUUID();
    await sql`insert into socket_nodes (id, seen_at) values (${id}, now())`.execute(storage.db);
    bus.wakeAll(news('talk', 1));
    await until(() => expect(sent.filter((text) => text.includes('pg_notify'))).toHaveLength(1));
    await sql`delete from socket_nodes where id = ${id}`.execute(storage.db);
    await bus.close();
  });

  it('OP-3 attack: whoever causes more than can be told is refused, and others are not', async () => {
    const [one, two] = [await join(), await join()];
    for (let n = 0; n < 100; n++) one.bus.wakeAll(news(`group-${n}`));
    expect(one.bus.isBehind('eve')).toBe(true);
    expect(one.bus.isBehind('ann')).toBe(false);
    await until(() => expect(one.bus.isBehind('eve')).toBe(false));
    await Promise.all([one.bus.close(), two.bus.close()]);
  });

  it('OP-3 attack: thousands of frames of one account that are not stored: another’s are told to other nodes in its turn', async () => {
    const [one, two] = [await join(), await join()];
    const heard: string[] = [];
    two.bus.subscribe('h:ben', (text) => void heard.push(text));
    for (let n = 0; n < 2_000; n++) one.bus.publish(['h:eve'], 'x'.repeat(4_300), 'eve');
    one.bus.publish(['h:ben'], 'typing', 'ann');
    await until(() => expect(heard).toEqual(['typing']));
    await Promise.all([one.bus.close(), two.bus.close()]);
  });

  it('OP-1 what is told to other nodes is counted, where there are any', async () => {
    const one = await join();
    const group = Array.from({ length: 1_000 }, (_, n) => `h:${n}`);
    expect(one.bus.publish(group, 'typing', 'eve')).toBe(0);
    const two = await join();
    two.bus.subscribe('h:0', () => {});
    await until(() => expect(one.bus.publish(group, 'typing', 'eve')).toBe(25));
    one.bus.subscribe('h:0', () => {});
    expect(one.bus.publish(group, 'typing', 'eve')).toBe(26);
    await Promise.all([one.bus.close(), two.bus.close()]);
  });
});
