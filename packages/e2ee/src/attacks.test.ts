import type { Envelope } from '@parley/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { agent, CONVERSATION, Endpoint, humanDevice, OTHER_CONVERSATION, resign, seeded } from '../tests/harness.ts';
import { utf8 } from './bytes.ts';
import { type Crypto, createPeer, generateX25519, type Peer, seal } from './index.ts';
import { nodeCrypto } from './provider/node.ts';

// biome-ignore lint/suspicious/noExplicitAny: an attacker keeps to no types
type Loose = any;

let bot: Endpoint;
let phone: Endpoint;
let laptop: Endpoint;
let mallory: Endpoint;

beforeEach(() => {
  const crypto = seeded(nodeCrypto, 'attacks');
  bot = new Endpoint(crypto, agent(1));
  phone = new Endpoint(crypto, humanDevice(2));
  laptop = new Endpoint(crypto, { ...humanDevice(2), device_id: humanDevice(3).device_id! });
  mallory = new Endpoint(crypto, agent(66));
  for (const device of [phone, laptop]) bot.begin(device, 1);
});

const change = (envelope: Envelope, edit: (copy: Loose) => void): Envelope => {
  const copy = structuredClone(envelope);
  edit(copy);
  return copy;
};

/** Every string and number below a value, by path. */
function leaves(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, below]) => leaves(below, [...path, key]));
}
const at = (root: Loose, path: (string | number)[]) => path.reduce((value, key) => value[key], root);

describe('what someone on the way can do', () => {
  it.each(['websocket', 'webhook'] as const)('EE-11 flip any bit anywhere in the envelope: %s', (mode) => {
    const envelope = bot.seal('pay 10', [phone, laptop], { mode });
    let tried = 0;
    for (const path of leaves(envelope)) {
      const value = at(envelope, path);
      const variants =
        typeof value === 'number'
          ? Array.from({ length: 31 }, (_, bit) => value ^ (1 << bit))
          : [...value].flatMap((letter: string, index: number) =>
              Array.from(
                { length: 7 },
                (_, bit) =>
                  value.slice(0, index) +
                  String.fromCharCode(letter.charCodeAt(0) ^ (1 << bit)) +
                  value.slice(index + 1),
              ),
            );
      for (const variant of variants) {
        const altered = change(envelope, (copy) => {
          at(copy, path.slice(0, -1))[path.at(-1)!] = variant;
        });
        tried++;
        const opened = phone.tryOpen(altered, bot, { mode });
        if (opened.ok) expect.unreachable(`${path.join('.')} may be altered`);
      }
    }
    expect(tried).toBeGreaterThan(3_000);
    expect(phone.open(envelope, bot, { mode })).toBe('pay 10');
  });

  it('EE-11 add, remove or rename a field: nothing may be put beside what was signed', () => {
    const envelope = bot.seal('x', [phone]);
    const edits: ((copy: Loose) => void)[] = [
      (copy) => (copy.extra = 1),
      (copy) => (copy.header.extra = 1),
      (copy) => (copy.wraps[0].extra = 1),
      (copy) => copy.wraps.push({ kind: 'none' }),
      (copy) => delete copy.wraps[0].handshake,
      (copy) => delete copy.header.version,
      (copy) => (copy.wraps = []),
      (copy) => (copy.header.sender.device_id = phone.address),
    ];
    for (const edit of edits) expect(phone.open(change(envelope, edit), bot)).toMatch(/^! /);
    for (const nothing of [null, 'x', [], {}, { ...envelope, wraps: null }]) {
      expect(phone.open(nothing, bot)).toBe('! malformed');
    }
  });

  it('EE-11 swap wraps between the devices of one message', () => {
    const envelope = bot.seal('x', [phone, laptop]);
    const swapped = change(envelope, ({ wraps }) => {
      [wraps[0].to, wraps[1].to] = [wraps[1].to, wraps[0].to];
    });
    expect(phone.open(swapped, bot)).toBe('! signature');
    // Even the sender cannot: a wrap is bound to its device.
    expect(phone.open(resign(bot, swapped), bot)).toMatch(/^! (wrap|prekey_unknown)$/);
  });

  it('EE-11 swap wraps between two messages, or their contents', () => {
    const [one, two] = [bot.seal('one', [phone]), bot.seal('two', [phone])];
    const wrapsSwapped = { ...one, wraps: two.wraps };
    const contentSwapped = { ...one, ciphertext: two.ciphertext };
    for (const envelope of [wrapsSwapped, contentSwapped]) expect(phone.open(envelope, bot)).toBe('! signature');
    expect(phone.open(resign(bot, wrapsSwapped), bot)).toBe('! wrap');
    expect(phone.open(resign(bot, contentSwapped), bot)).toBe('! content');
  });

  it('EE-11 replay: the same message opens once, in any mode, also after the session is gone', () => {
    const ratcheted = bot.seal('x', [phone]);
    const plain = bot.seal('y', [phone], { mode: 'webhook' });
    expect(phone.open(ratcheted, bot)).toBe('x');
    expect(phone.open(plain, bot, { mode: 'webhook' })).toBe('y');
    for (const envelope of [ratcheted, plain]) {
      expect(phone.open(envelope, bot, { mode: 'webhook' })).toBe('! replayed');
    }
    phone.peers.set(bot.address, { ...phone.peer(bot), sessions: [] });
    expect(phone.open(ratcheted, bot)).toBe('! replayed');
  });

  it('EE-11 replay under another message id: the ratchet itself refuses it', () => {
    const envelope = bot.seal('x', [phone]);
    phone.open(envelope, bot);
    const renamed = resign(
      bot,
      change(envelope, ({ header }) => {
        header.client_message_id = 'another';
      }),
    );
    expect(phone.open(renamed, bot)).toBe('! replayed');
  });

  it('EE-22 replay after reset: without a one-time prekey, a first message begins its session once, also when it is forgotten', () => {
    mallory.begin(phone);
    const order = mallory.seal('pay 10', [phone]);
    expect(phone.open(order, mallory)).toBe('pay 10');
    // Nine more sessions push the first one out, three hundred messages its name.
    for (let n = 0; n < 9; n++) {
      mallory.begin(phone);
      for (let m = 0; m < 40; m++) expect(phone.open(mallory.seal('x', [phone]), mallory)).toBe('x');
    }
    expect(phone.peer(mallory).sessions).toHaveLength(8);
    expect(phone.open(order, mallory)).toBe('! session_unknown');
  });

  it('EE-22 flood of first messages: what is remembered of them is bounded, and then only a one-time prekey begins one', () => {
    for (let n = 0; n < 256; n++) {
      mallory.begin(phone);
      expect(phone.open(mallory.seal('x', [phone]), mallory)).toBe('x');
    }
    mallory.begin(phone);
    expect(phone.open(mallory.seal('x', [phone]), mallory)).toBe('! session_unknown');
    expect(phone.peer(mallory).begun).toHaveLength(256);
    mallory.begin(phone, 2);
    expect(phone.open(mallory.seal('y', [phone]), mallory)).toBe('y');
    // The signed prekey is replaced and thrown away: nothing has to be remembered of what was begun with it.
    const signed = generateX25519(phone.crypto);
    phone.own = { ...phone.own, signedPrekeys: new Map([[2, signed]]) };
    mallory.begin(phone);
    expect(phone.open(mallory.seal('z', [phone]), mallory)).toBe('z');
    expect(phone.peer(mallory).begun).toHaveLength(1);
  });

  it('EE-25 clock correction loses messages: a sender four minutes ahead is put right', () => {
    const ahead = (n: number) => ({ created_at: new Date(Date.UTC(2026, 0, 1) + 240_000 + n).toISOString() });
    for (let n = 0; n < 400; n++) expect(phone.open(bot.seal('x', [phone], ahead(n)), bot)).toBe('x');
    const late = bot.seal('put right', [phone], { created_at: '2026-01-01T00:00:00.500Z' });
    expect(phone.open(late, bot)).toBe('put right');
    expect(phone.open(late, bot)).toBe('! replayed');
  });

  it('EE-25 without a ratchet what may be a repetition is refused by another name, so that it can be told', () => {
    const mode = 'webhook';
    for (let n = 0; n < 300; n++) phone.open(bot.seal('x', [phone], { mode }), bot, { mode });
    const late = bot.seal('late', [phone], { mode, created_at: '2026-01-01T00:00:00.500Z' });
    expect(phone.open(late, bot, { mode })).toBe('! stale');
  });

  it('EE-26 lone surrogates and 1e999 in wraps: the envelope is refused, nothing is thrown', () => {
    const envelope = bot.seal('x', [phone]);
    const bad = [
      { kind: '\ud800' },
      { kind: 'ratchet', n: Number.POSITIVE_INFINITY },
      { '\udfff': 1 },
      { n: Number.NaN },
    ];
    for (const wrap of bad) {
      const altered = change(envelope, ({ wraps }) => wraps.push(wrap));
      expect(phone.open(altered, bot)).toBe('! malformed');
    }
    const text = JSON.stringify(envelope).replace(/"n":0/, '"n":1e999');
    expect(phone.open(JSON.parse(text), bot)).toBe('! malformed');
    expect(phone.open(envelope, bot)).toBe('x');
  });

  it('EE-4 reorder: whatever the order, each message says what it said', () => {
    const envelopes = ['a', 'b', 'c', 'd'].map((text) => bot.seal(text, [phone]));
    expect([3, 1, 0, 2].map((index) => phone.open(envelopes[index], bot))).toEqual(['d', 'b', 'a', 'c']);
  });

  it('EE-7 downgrade the mode: an envelope without a ratchet is refused where one was promised', () => {
    const envelope = bot.seal('x', [phone], { mode: 'webhook' });
    expect(phone.open(envelope, bot, { mode: 'websocket' })).toBe('! downgraded');
    expect(phone.open(envelope, bot, { mode: 'polling' })).toBe('! downgraded');
    expect(phone.open(envelope, bot, { mode: 'webhook' })).toBe('x');
  });

  it('EE-7 downgrade to a group key in a conversation of two', () => {
    bot.group = { conversationId: CONVERSATION, keys: [] };
    const envelope = bot.seal('x', [phone]);
    expect(phone.open(envelope, bot)).toBe('! downgraded');
  });

  it('TC-6 relabel msg_subtype: a tool call passed off as a text, and a text as a tool call', () => {
    const call = bot.seal('{}', [phone], { content_type: 'artifact', msg_subtype: 'artifact_tool_call' });
    const relabelled = change(call, ({ header }) => Object.assign(header, { msg_subtype: 'artifact' }));
    expect(phone.open(relabelled, bot)).toBe('! signature');
    expect(phone.open(resign(bot, relabelled), bot)).toBe('! wrap');
    const text = bot.seal('{}', [phone]);
    const promoted = change(text, ({ header }) => {
      Object.assign(header, { content_type: 'artifact', msg_subtype: 'artifact_tool_call' });
    });
    expect(phone.open(promoted, bot)).toBe('! signature');
    expect(phone.open(resign(bot, promoted), bot)).toBe('! wrap');
    expect(phone.open(call, bot)).toBe('{}');
  });

  it('TC-1 mislabel: a subtype that does not fit its content type, or whoever sends it', () => {
    const envelope = change(bot.seal('x', [phone]), ({ header }) => Object.assign(header, { msg_subtype: 'image' }));
    expect(phone.open(resign(bot, envelope), bot)).toBe('! label');
    expect(() => phone.seal('x', [], { content_type: 'artifact', msg_subtype: 'artifact_tool_call' })).toThrow(
      TypeError,
    );
  });

  it('EE-1 move an envelope to another conversation', () => {
    const envelope = bot.seal('x', [phone]);
    expect(phone.open(envelope, bot, { conversationId: OTHER_CONVERSATION })).toBe('! conversation');
    const moved = change(envelope, ({ header }) => Object.assign(header, { conversation_id: OTHER_CONVERSATION }));
    expect(phone.open(moved, bot, { conversationId: OTHER_CONVERSATION })).toBe('! signature');
    expect(phone.open(resign(bot, moved), bot, { conversationId: OTHER_CONVERSATION })).toBe('! wrap');
  });

  it('EE-3 forge the sender: another identity writes in the name of the bot', () => {
    mallory.begin(phone, 2);
    const forged = mallory.seal('x', [phone]);
    expect(phone.open(forged, bot)).toBe('! sender');
    const posing = change(forged, ({ header }) => Object.assign(header, { sender: bot.own.sender }));
    expect(phone.open(posing, bot)).toBe('! signature');
    expect(phone.open(resign(mallory, posing), bot)).toBe('! signature');
  });

  it('EE-3 steal the wraps: what the bot sealed, signed by someone else as their own', () => {
    mallory.begin(phone, 2);
    const envelope = bot.seal('x', [phone]);
    const stolen = resign(
      mallory,
      change(envelope, ({ header }) => Object.assign(header, { sender: mallory.own.sender })),
    );
    expect(phone.open(stolen, mallory)).toBe('! sender_key');
    phone.peers.set(mallory.address, createPeer(mallory.own.sender, { identityKey: mallory.own.identity.publicKey }));
    expect(phone.open(stolen, mallory)).toBe('! wrap');
  });

  it('EE-11 reflection: what a device sent is not taken for an answer', () => {
    const envelope = bot.seal('x', [phone]);
    expect(bot.open(envelope, phone)).toBe('! sender');
    const asPhone = change(envelope, ({ header }) => Object.assign(header, { sender: phone.own.sender }));
    expect(bot.open(asPhone, phone)).toBe('! signature');
    expect(bot.open(resign(phone, asPhone), phone)).toBe('! not_addressed');
    const toBot = change(asPhone, ({ wraps }) => Object.assign(wraps[0], { to: bot.address }));
    expect(bot.open(resign(phone, toBot), phone)).toMatch(/^! /);
  });

  it('EE-11 one device, two wraps: a message that would say different things is refused', () => {
    const envelope = bot.seal('x', [phone]);
    const doubled = change(envelope, ({ wraps }) => wraps.push(wraps[0]));
    expect(phone.open(resign(bot, doubled), bot)).toBe('! malformed');
  });

  it('EE-11 what is refused names no secret and changes nothing', () => {
    const envelope = bot.seal('secret', [phone]);
    const before = JSON.stringify(phone.peer(bot).sessions);
    const altered = resign(
      bot,
      change(envelope, ({ wraps }) => Object.assign(wraps[0], { n: 900 })),
    );
    expect(phone.tryOpen(altered, bot)).toEqual({ ok: false, problem: 'wrap' });
    expect(JSON.stringify(phone.peer(bot).sessions)).toBe(before);
    expect(phone.open(envelope, bot)).toBe('secret');
  });
});

describe('what a peer who misbehaves can do', () => {
  it('EE-4 skipped-key flood: a message too far ahead costs nothing, others still open', () => {
    const [first, second] = [bot.seal('1', [phone]), bot.seal('2', [phone])];
    phone.open(first, bot);
    let derived = 0;
    const counting: Crypto = {
      ...phone.crypto,
      hmacSha256(key, bytes) {
        derived++;
        return nodeCrypto.hmacSha256(key, bytes);
      },
    };
    const flood = resign(
      bot,
      change(second, ({ wraps }) => Object.assign(wraps[0], { n: 2_000_000_000 })),
    );
    const attacked = Object.assign(Object.create(phone), { crypto: counting }) as Endpoint;
    expect(attacked.tryOpen(flood, bot)).toEqual({ ok: false, problem: 'skipped' });
    expect(derived).toBe(0);
    expect(phone.open(second, bot)).toBe('2');
  });

  it('EE-4 skipped keys: a thousand of a chain are kept, two thousand of a session', () => {
    const lost: Envelope[] = [];
    const skip = () => {
      const skipped = Array.from({ length: 1_000 }, (_, index) => bot.seal(`${index}`, [phone]));
      lost.push(skipped[0]!, skipped[999]!);
      expect(phone.open(bot.seal('next', [phone]), bot)).toBe('next');
      bot.open(phone.seal('turn', [bot]), phone);
    };
    for (let chain = 0; chain < 3; chain++) skip();
    expect(phone.peer(bot).sessions[0]!.ratchet.skipped.size).toBe(2_000);
    expect(phone.open(lost[5], bot)).toBe('999');
    expect(phone.open(lost[2], bot)).toBe('0');
    // It was never opened, so it is not called a repetition, which nobody would be told of.
    expect(phone.open(lost[0], bot)).toBe('! wrap');
    expect(phone.peer(bot).sessions[0]!.ratchet.skipped.size).toBe(1_998);
  });

  it('EE-4 low-order point: a ratchet key that would make the secret known is refused', () => {
    const zero = 'A'.repeat(43);
    const envelope = bot.seal('x', [phone]);
    for (const field of ['dh', 'session'] as const) {
      const weak = change(envelope, ({ wraps }) => Object.assign(wraps[0], { [field]: zero }));
      expect(phone.open(resign(bot, weak), bot)).toBe('! wrap');
    }
    const weak = change(envelope, ({ wraps }) => Object.assign(wraps[0].handshake, { exchange_key: zero }));
    expect(phone.open(resign(bot, weak), bot)).toBe('! sender_key');
    phone.peers.set(bot.address, createPeer(bot.own.sender, { identityKey: bot.own.identity.publicKey }));
    expect(phone.open(resign(bot, weak), bot)).toBe('! wrap');
  });

  it('EE-5 unknown key share: a handshake with the exchange key of someone else', () => {
    const envelope = bot.seal('x', [phone]);
    const { publicKey } = mallory.own.exchange;
    const taken = change(envelope, ({ wraps }) => {
      wraps[0].handshake.exchange_key = Buffer.from(publicKey).toString('base64url');
    });
    expect(phone.open(resign(bot, taken), bot)).toBe('! sender_key');
  });
});

describe('what a thief of keys can do', () => {
  /** Takes everything a device holds now. */
  const steal = (victim: Endpoint): Endpoint => {
    const thief = new Endpoint(victim.crypto, victim.own.sender);
    thief.own = victim.own;
    for (const [address, peer] of victim.peers) thief.peers.set(address, { ...peer, replay: new Map() });
    return thief;
  };

  it('EE-4 forward secrecy: keys stolen today do not open what was read before', () => {
    const old = [bot.seal('1', [phone]), bot.seal('2', [phone])];
    for (const envelope of old) phone.open(envelope, bot);
    bot.open(phone.seal('turn', [bot]), phone);
    const later = bot.seal('3', [phone]);
    phone.open(later, bot);
    const thief = steal(phone);
    for (const envelope of [...old, later]) expect(thief.open(envelope, bot)).toMatch(/^! /);
  });

  it('EE-4 post-compromise: after the next turn of both the stolen keys open nothing new', () => {
    phone.open(bot.seal('1', [phone]), bot);
    bot.open(phone.seal('2', [bot]), phone);
    const thief = steal(phone);
    phone.open(bot.seal('3', [phone]), bot);
    bot.open(phone.seal('4', [bot]), phone);
    const secret = bot.seal('5', [phone]);
    expect(thief.open(secret, bot)).toMatch(/^! /);
    expect(phone.open(secret, bot)).toBe('5');
  });

  it('EE-4 keys are not used twice: two seals from one saved state would be noticed, so the state comes back', () => {
    const before: Peer = bot.peer(phone);
    const message = { plaintext: utf8('x'), recipients: [bot.recipient(phone)] };
    const sealed = seal(bot.crypto, bot.own, { ...message, header: bot.header() });
    if (!sealed.ok) expect.unreachable();
    else expect(sealed.peers[0]!.sessions[0]!.ratchet.sending!.n).toBe(before.sessions[0]!.ratchet.sending!.n + 1);
  });
});

describe('what a programmer who errs can do', () => {
  it('EE-3 seal refuses another sender, a recipient twice, and itself', () => {
    expect(() => bot.seal('x', [phone], { sender: phone.own.sender })).toThrow('header.sender must be own.sender');
    expect(() => bot.seal('x', [phone, phone])).toThrow('recipients must be other devices, each once');
    expect(() => bot.seal('x', [bot], { mode: 'webhook' })).toThrow('recipients must be other devices, each once');
  });
});
