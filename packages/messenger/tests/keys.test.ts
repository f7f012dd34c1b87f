import { ApiError, createMemoryStore, type Store } from '@parley/messenger';
import { describe, expect, test } from 'vitest';
import { Clock, LinkedServer, startLinked, text, words } from './linked.ts';

const DAY = 24 * 60 * 60 * 1_000;
const names = async (store: Store, prefix: string) =>
  (await store.list(prefix)).map(([key]) => key.slice(prefix.length));

describe('EE-5 prekeys', () => {
  test('are made at the first start, refilled when they run low, and never used twice', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    const store = createMemoryStore();
    const agent = await startLinked(server, 'agent', { clock, store });
    await clock.advance(0);
    const owner = server.owners.get(server.agentId)!;
    expect(owner.oneTime).toHaveLength(100);
    owner.oneTime.splice(0, 70);
    await clock.advance(60_000);
    server.wires[0]!.close();
    await clock.advance(2_000);
    expect(owner.oneTime).toHaveLength(100);
    expect(owner.oneTime.at(-1)!.key_id).toBe(170);
    expect(await names(store, 'own/once/')).toHaveLength(170);
    expect(agent.problems).toEqual([]);
  });

  test('a spent one is deleted with the state of the session it began', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    const store = createMemoryStore();
    const device = await startLinked(server, 'human', { clock, store });
    const agent = await startLinked(server, 'agent', { clock });
    await clock.advance(0);
    await agent.messenger.send({ conversationId: server.conversationId, payload: text('hello') });
    await clock.advance(1_000);
    expect(words(device)).toEqual(['hello']);
    expect(await names(store, 'own/once/')).not.toContain('1');
    expect(await store.list(`peer/agent/${server.agentId}/`)).toHaveLength(1);
    expect(await store.list('peer/')).toHaveLength(1);
  });

  test('the signed one changes every week, and the old ones stay for a month', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    const store = createMemoryStore();
    await startLinked(server, 'agent', { clock, store });
    await clock.advance(0);
    const owner = server.owners.get(server.agentId)!;
    const wake = async (days: number) => {
      clock.leap(days * DAY);
      await clock.advance(1_000);
    };
    expect(owner.signed!.key_id).toBe(1);
    await wake(6);
    expect(owner.signed!.key_id).toBe(1);
    for (let week = 2; week <= 8; week++) {
      await wake(7);
      expect(owner.signed!.key_id).toBe(week);
    }
    expect(await names(store, 'own/signed/')).toEqual(['3', '4', '5', '6', '7', '8']);
  });
});

describe('EE-5 someone who has no prekeys', () => {
  test('is left out of what is sealed, asked for again soon, then seldom, and hears everything once they are there', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    await startLinked(server, 'human', { clock });
    const agent = await startLinked(server, 'agent', { clock });
    const store = createMemoryStore();
    // The account's list names it before it has uploaded any.
    await server.registerDevice(store);
    await clock.advance(0);
    const say = (word: string) => agent.messenger.send({ conversationId: server.conversationId, payload: text(word) });
    const asked = () => server.calls.filter((call) => call.includes('bundles')).length;
    await say('too early');
    const before = asked();
    for (let tenths = 0; tenths < 600; tenths++) {
      await say('nobody there');
      clock.leap(100);
    }
    expect(asked() - before).toBe(6);

    const late = await startLinked(server, 'human', { clock, store });
    await clock.advance(60_000);
    await say('there');
    await clock.advance(0);
    expect(words(late)).toEqual(['there']);
  });

  test('for a moment misses only that moment', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    await startLinked(server, 'human', { clock });
    const agent = await startLinked(server, 'agent', { clock });
    const store = createMemoryStore();
    await server.registerDevice(store);
    await clock.advance(0);
    await agent.messenger.send({ conversationId: server.conversationId, payload: text('too early') });
    const late = await startLinked(server, 'human', { clock, store });
    await clock.advance(500);
    await agent.messenger.send({ conversationId: server.conversationId, payload: text('in time') });
    await clock.advance(0);
    expect(words(late)).toEqual(['in time']);
  });
});

describe('EE-25 prekeys and clocks', () => {
  /** An agent with a replaced signed prekey, whose clock and the server's can part. */
  async function start({ behind = 0 } = {}) {
    const server = new LinkedServer();
    const clock = new Clock();
    server.now = () => new Date(clock.now().getTime() + behind * DAY);
    const store = createMemoryStore();
    await startLinked(server, 'agent', { clock, store });
    const wake = async (days: number) => {
      clock.leap(days * DAY);
      await clock.advance(1_000);
    };
    await wake(7);
    return { server, clock, store, wake, signed: () => names(store, 'own/signed/') };
  }

  test('EE-25 attack: a clock 40 days ahead deletes the keys that first messages on their way need', async () => {
    const { server, clock, store, wake, signed } = await start();
    expect(await signed()).toEqual(['1', '2']);
    const real = clock.now().getTime();
    server.now = () => new Date(real);
    await wake(40);
    expect(await signed()).toEqual(['1', '2', '3']);
    const problems: unknown[] = [];
    await startLinked(server, 'agent', { clock, store, onProblem: (problem) => void problems.push(problem) });
    await clock.advance(1_000);
    expect(problems).toMatchObject([{ kind: 'clock', byMs: expect.closeTo(40 * DAY, -7) }]);
    expect(await signed()).toContain('1');
    // Put right: it is over, and the key that is dated ahead is replaced.
    await wake(-40);
    server.wires.at(-1)!.close();
    await clock.advance(120_000);
    expect(problems.slice(1)).toEqual([{ kind: 'over', subject: 'clock' }]);
    expect(await signed()).toEqual(['1', '2', '3', '4']);
  });

  test('EE-25 a key that was made by a clock that was behind is not old when the clock is right', async () => {
    const { server, wake, signed } = await start({ behind: 40 });
    server.now = undefined;
    // By its own date the first key is 47 days old, and by that it would go at once.
    await wake(40);
    expect(await signed()).toEqual(['1', '2', '3']);
  });

  test('EE-24 attack: made-up key numbers use up all that there are', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    const owner = () => server.owners.get(server.agentId)!;
    await startLinked(server, 'agent', { clock });
    await clock.advance(61_000);
    owner().oneTime.splice(0, 70);
    owner().nextId = 2 ** 31 - 1;
    server.wires[0]!.close();
    await clock.advance(2_000);
    expect(owner().oneTime.at(-1)!.key_id).toBe(170);
  });
});

describe('EE-10 a keystore', () => {
  test('that the agent was not set up with is refused, and nothing is saved in it', async () => {
    const server = new LinkedServer();
    await startLinked(server, 'agent');
    const store = createMemoryStore();
    await expect(startLinked(server, 'agent', { store })).rejects.toMatchObject({ code: 'KEYSTORE_MISMATCH' });
    expect(await store.list('')).toEqual([]);
  });

  test('of someone else is refused', async () => {
    const store = createMemoryStore();
    await startLinked(new LinkedServer(), 'agent', { store });
    await expect(startLinked(new LinkedServer(), 'agent', { store })).rejects.toMatchObject({
      code: 'KEYSTORE_FOREIGN',
    });
  });

  test('that was published before starts without a network, an empty one does not', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    const store = createMemoryStore();
    await startLinked(server, 'agent', { clock, store });
    await clock.advance(0);
    server.onCall = () => {
      throw new ApiError({ status: 0, code: 'UNREACHABLE', message: 'no network' });
    };
    const again = await startLinked(server, 'agent', { clock, store });
    expect(again.messenger.status()).toBe('connecting');
    await expect(startLinked(server, 'agent', { clock })).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });

  test('tells the fingerprint of an identity it made, once', async () => {
    const server = new LinkedServer();
    const store = createMemoryStore();
    const made: string[] = [];
    const onKeyGenerated = (fingerprint: string) => void made.push(fingerprint);
    await startLinked(server, 'agent', { store, onKeyGenerated });
    await startLinked(server, 'agent', { store, onKeyGenerated });
    expect(made).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });
});
