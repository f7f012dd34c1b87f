import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { agent, Endpoint, humanDevice, OTHER_CONVERSATION, seeded } from '../tests/harness.ts';
import { browserCrypto } from './provider/browser.ts';
import { nodeCrypto } from './provider/node.ts';

let bot: Endpoint;
let phone: Endpoint;
let laptop: Endpoint;

beforeEach(() => {
  const crypto = seeded(nodeCrypto, 'envelope');
  bot = new Endpoint(crypto, agent(1));
  phone = new Endpoint(crypto, humanDevice(2));
  laptop = new Endpoint(crypto, { ...humanDevice(2), device_id: humanDevice(3).device_id! });
});

describe('with a ratchet', () => {
  it('EE-5 a first message reaches someone who was offline, and the answer comes back', () => {
    bot.begin(phone, 1);
    expect(phone.open(bot.seal('hello', [phone]), bot)).toBe('hello');
    expect(bot.open(phone.seal('hello yourself', [bot]), phone)).toBe('hello yourself');
    expect(phone.open(bot.seal('again', [phone]), bot)).toBe('again');
  });

  it('EE-5 works without a one-time prekey, and deletes one that was used', () => {
    bot.begin(phone);
    expect(phone.open(bot.seal('hello', [phone]), bot)).toBe('hello');
    expect(phone.own.oneTimePrekeys.size).toBe(3);
    laptop.begin(phone, 2);
    expect(phone.open(laptop.seal('hello', [phone]), laptop)).toBe('hello');
    expect([...phone.own.oneTimePrekeys.keys()]).toEqual([1, 3]);
  });

  it('EE-5 the handshake goes with every message until it is answered, then no more', () => {
    bot.begin(phone, 1);
    const [first, second] = [bot.seal('1', [phone]), bot.seal('2', [phone])];
    expect(phone.open(second, bot)).toBe('2');
    expect(phone.open(first, bot)).toBe('1');
    expect(bot.open(phone.seal('3', [bot]), phone)).toBe('3');
    expect(bot.seal('4', [phone]).wraps[0]).not.toHaveProperty('handshake');
  });

  it('EE-4 one message is wrapped for several devices, each opens its own', () => {
    bot.begin(phone, 1);
    bot.begin(laptop, 1);
    const envelope = bot.seal('to both', [phone, laptop]);
    expect(envelope.wraps).toHaveLength(2);
    expect(phone.open(envelope, bot)).toBe('to both');
    expect(laptop.open(envelope, bot)).toBe('to both');
  });

  it('EE-4 a device knows whether it is the only one that can open a message', () => {
    bot.begin(phone, 1);
    bot.begin(laptop, 1);
    const isForUsAlone = (recipients: Endpoint[]) => {
      const opened = phone.tryOpen(bot.seal('hello', recipients), bot);
      return opened.ok && opened.isForUsAlone;
    };
    expect([isForUsAlone([phone, laptop]), isForUsAlone([phone])]).toEqual([false, true]);
  });

  it('EE-4 sealing without a session says with whom to begin one', () => {
    expect(() => bot.seal('hello', [phone])).toThrow('session_missing');
  });

  it('EE-5 two who write first at the same moment lose nothing and end up in one session', () => {
    bot.begin(phone, 1);
    phone.begin(bot, 1);
    const [fromBot, fromPhone] = [bot.seal('b1', [phone]), phone.seal('p1', [bot])];
    expect(bot.open(fromPhone, phone)).toBe('p1');
    expect(phone.open(fromBot, bot)).toBe('b1');
    expect(phone.open(bot.seal('b2', [phone]), bot)).toBe('b2');
    expect(bot.open(phone.seal('p2', [bot]), phone)).toBe('p2');
    const sessions = [bot.peer(phone), phone.peer(bot)].map(({ sessions }) => sessions[0]!.id);
    expect(sessions[0]).toBe(sessions[1]);
  });

  it('EE-5 a session reset loses nothing of what is on its way in either direction', () => {
    bot.begin(phone, 1);
    phone.open(bot.seal('0', [phone]), bot);
    const late = [phone.seal('from the old session', [bot]), bot.seal('also old', [phone])];
    bot.begin(phone, 2);
    const fresh = bot.seal('new session', [phone]);
    expect(phone.open(fresh, bot)).toBe('new session');
    expect(phone.open(late[1], bot)).toBe('also old');
    expect(bot.open(late[0], phone)).toBe('from the old session');
    expect(bot.open(phone.seal('answer', [bot]), phone)).toBe('answer');
  });

  it('EE-5 after its state was lost, a device says so and is reached again by a new handshake', () => {
    bot.begin(phone, 1);
    phone.open(bot.seal('0', [phone]), bot);
    bot.open(phone.seal('1', [bot]), phone);
    phone.meet(bot);
    expect(phone.open(bot.seal('2', [phone]), bot)).toBe('! session_unknown');
    phone.begin(bot, 1);
    expect(bot.open(phone.seal('3', [bot]), phone)).toBe('3');
    expect(phone.open(bot.seal('4', [phone]), bot)).toBe('4');
  });

  it('EE-11 conversations read one after the other after a long absence lose nothing', () => {
    bot.begin(phone, 1);
    const busy = Array.from({ length: 600 }, (_, index) => bot.seal(`${index}`, [phone]));
    const created_at = busy[0]!.header.created_at;
    const quiet = bot.seal('quiet', [phone], { conversation_id: OTHER_CONVERSATION, created_at });
    for (const [index, envelope] of busy.entries()) expect(phone.open(envelope, bot)).toBe(`${index}`);
    expect(phone.open(quiet, bot, { conversationId: OTHER_CONVERSATION })).toBe('quiet');
    expect(phone.open(busy[0], bot)).toBe('! replayed');
  });

  it('EE-5 a handshake to a prekey that is gone is told apart', () => {
    bot.begin(phone, 1);
    laptop.begin(phone, 1);
    expect(phone.open(bot.seal('first', [phone]), bot)).toBe('first');
    expect(phone.open(laptop.seal('too late', [phone]), laptop)).toBe('! prekey_unknown');
  });

  it('EE-4 loss, disorder and duplicates: everything that arrives opens, once', () => {
    const step = fc.record({ who: fc.boolean(), deliver: fc.nat({ max: 5 }), drop: fc.integer({ min: 0, max: 9 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, both) => {
        const crypto = seeded(nodeCrypto, 'disorder');
        const a = new Endpoint(crypto, agent(1));
        const b = new Endpoint(crypto, humanDevice(2));
        a.begin(b, 1);
        if (both) b.begin(a, 1);
        const wire: { from: Endpoint; to: Endpoint; text: string; envelope: unknown }[] = [];
        for (const [index, { who, deliver, drop }] of steps.entries()) {
          const [from, to] = who ? [a, b] : [b, a];
          if (from.peer(to).sessions.length > 0) {
            const text = `${index}`;
            const letter = { from, to, text, envelope: from.seal(text, [to]) };
            if (drop > 0) wire.push(letter);
          }
          const [letter] = wire.splice(deliver % Math.max(wire.length, 1), 1);
          if (letter === undefined) continue;
          expect(letter.to.open(letter.envelope, letter.from)).toBe(letter.text);
          expect(letter.to.open(letter.envelope, letter.from)).toBe('! replayed');
        }
        for (const { from, to, text, envelope } of wire.reverse()) expect(to.open(envelope, from)).toBe(text);
      }),
      { seed: 20260101, numRuns: 60 },
    );
  });
});

describe('without a ratchet', () => {
  it('EE-7 webhook mode: sealed to a signed prekey, without state on either side', () => {
    const envelope = phone.seal('hello', [bot], { mode: 'webhook' });
    expect(envelope.wraps).toMatchObject([{ kind: 'hpke', to: bot.address, prekey_id: 1 }]);
    expect(bot.open(envelope, phone, { mode: 'webhook' })).toBe('hello');
    expect(phone.open(bot.seal('back', [phone], { mode: 'webhook' }), bot, { mode: 'webhook' })).toBe('back');
    expect(bot.peer(phone).sessions).toEqual([]);
  });

  it('EE-2 a prekey that was replaced still opens what was sealed to it, until it is thrown away', () => {
    const envelope = phone.seal('hello', [bot], { mode: 'webhook' });
    const [old] = bot.own.signedPrekeys.values();
    bot.own = { ...bot.own, signedPrekeys: new Map([[2, old!]]) };
    expect(bot.open(envelope, phone, { mode: 'webhook' })).toBe('! prekey_unknown');
    bot.own = { ...bot.own, signedPrekeys: new Map([...bot.own.signedPrekeys, [1, old!]]) };
    expect(bot.open(envelope, phone, { mode: 'webhook' })).toBe('hello');
  });

  it('EE-11 what was created before a given time is stale', () => {
    const envelope = phone.seal('hello', [bot], { mode: 'webhook', created_at: '2026-01-01T00:00:00.000Z' });
    const opening = { mode: 'webhook', notBefore: '2026-01-01T00:00:00.001Z' } as const;
    expect(bot.open(envelope, phone, opening)).toBe('! stale');
    expect(bot.open(envelope, phone, { ...opening, notBefore: '2026-01-01T00:00:00.000Z' })).toBe('hello');
  });
});

describe('between providers', () => {
  it('EE-13 Node and the browser make and open the same bytes', () => {
    const talk = (one: typeof nodeCrypto, other: typeof nodeCrypto) => {
      const a = new Endpoint(seeded(one, 'a'), agent(1));
      const b = new Endpoint(seeded(other, 'b'), humanDevice(2));
      a.begin(b, 1);
      const envelopes = [];
      for (const text of ['eins', '二', 'trois']) {
        const there = a.seal(text, [b]);
        expect(b.open(there, a)).toBe(text);
        const back = b.seal(text, [a]);
        expect(a.open(back, b)).toBe(text);
        const plain = a.seal(text, [b], { mode: 'webhook' });
        expect(b.open(plain, a, { mode: 'webhook' })).toBe(text);
        envelopes.push(there, back, plain);
      }
      return envelopes;
    };
    const reference = talk(nodeCrypto, nodeCrypto);
    expect(talk(browserCrypto, browserCrypto)).toEqual(reference);
    expect(talk(nodeCrypto, browserCrypto)).toEqual(reference);
  });

  it('EE-3 an envelope fits what the server accepts, however long', () => {
    bot.begin(phone, 1);
    const text = 'ü'.repeat(100_000);
    expect(phone.open(bot.seal(text, [phone]), bot)).toBe(text);
  });
});
