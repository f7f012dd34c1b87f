import { beforeEach, describe, expect, it } from 'vitest';
import { agent, CONVERSATION, Endpoint, humanDevice, OTHER_CONVERSATION, resign, seeded } from '../tests/harness.ts';
import { nodeCrypto } from './provider/node.ts';

let ada: Endpoint;
let bob: Endpoint;
let eve: Endpoint;
let bot: Endpoint;

beforeEach(() => {
  const crypto = seeded(nodeCrypto, 'group');
  [ada, bob, eve] = [
    new Endpoint(crypto, humanDevice(1)),
    new Endpoint(crypto, humanDevice(2)),
    new Endpoint(crypto, humanDevice(3)),
  ];
  bot = new Endpoint(crypto, agent(4));
  const all = [ada, bob, eve, bot];
  for (const one of all) {
    one.group = { conversationId: CONVERSATION, keys: [] };
    for (const other of all) if (one !== other) one.begin(other);
  }
});

describe('EE-12 group keys', () => {
  it('EE-12 the first message carries the key for every device, the next ones do not', () => {
    const first = ada.seal('1', [bob, eve]);
    expect(first.wraps.map(({ kind }) => kind)).toEqual(['group', 'ratchet', 'ratchet']);
    const second = ada.seal('2', [bob, eve]);
    expect(second.wraps.map(({ kind }) => kind)).toEqual(['group']);
    for (const member of [bob, eve]) {
      expect(member.open(first, ada)).toBe('1');
      expect(member.open(second, ada)).toBe('2');
    }
  });

  it('EE-12 members answer under the same key', () => {
    const first = ada.seal('1', [bob, eve]);
    bob.open(first, ada);
    eve.open(first, ada);
    const answer = bob.seal('2', [ada, eve]);
    expect(answer.wraps).toMatchObject([{ kind: 'group', key: (first.wraps[0] as { key: string }).key }]);
    expect(ada.open(answer, bob)).toBe('2');
    expect(eve.open(answer, bob)).toBe('2');
  });

  it('EE-12 whoever left opens nothing that is said afterwards', () => {
    const first = ada.seal('1', [bob, eve]);
    for (const member of [bob, eve]) member.open(first, ada);
    const after = ada.seal('without eve', [bob]);
    expect(bob.open(after, ada)).toBe('without eve');
    expect(eve.open(after, ada)).toBe('! group_key_unknown');
    expect(eve.open(bob.seal('nor from bob', [ada]), bob)).toBe('! group_key_unknown');
  });

  it('EE-12 whoever comes opens nothing that was said before', () => {
    const first = ada.seal('1', [bob]);
    bob.open(first, ada);
    const second = bob.seal('hello eve', [ada, eve]);
    expect(eve.open(second, bob)).toBe('hello eve');
    expect(eve.open(first, ada)).toBe('! group_key_unknown');
    expect(ada.open(second, bob)).toBe('hello eve');
  });

  it('EE-12 two who rotate at the same moment lose nothing', () => {
    const [fromAda, fromBob] = [ada.seal('a', [bob, eve]), bob.seal('b', [ada, eve])];
    expect([eve.open(fromAda, ada), eve.open(fromBob, bob)]).toEqual(['a', 'b']);
    expect([ada.open(fromBob, bob), bob.open(fromAda, ada)]).toEqual(['b', 'a']);
    const next = eve.seal('e', [ada, bob]);
    expect([ada.open(next, eve), bob.open(next, eve)]).toEqual(['e', 'e']);
  });

  it('EE-12 replay: a message under the group key opens once', () => {
    const envelope = ada.seal('1', [bob]);
    bob.open(envelope, ada);
    expect(bob.open(envelope, ada)).toBe('! replayed');
    const second = ada.seal('2', [bob]);
    bob.open(second, ada);
    expect(bob.open(second, ada)).toBe('! replayed');
  });

  it('EE-25 clock correction in a group: the number of a message decides, also after its name is forgotten', () => {
    const ahead = { created_at: '2026-01-01T00:10:00.000Z' };
    const first = ada.seal('first', [bob, bot], ahead);
    bob.open(first, ada);
    for (let n = 0; n < 300; n++) expect(bob.open(ada.seal('x', [bob, bot], ahead), ada)).toBe('x');
    const missing = ada.seal('late', [bob, bot], ahead);
    expect(bob.open(ada.seal('put right', [bob, bot]), ada)).toBe('put right');
    expect(bob.open(missing, ada)).toBe('late');
    for (const again of [first, missing]) expect(bob.open(again, ada)).toBe('! replayed');
  });

  it('EE-25 a message for the devices alone does not make forget what arrived under the group key', () => {
    bob.open(ada.seal('1', [bob]), ada);
    const order = ada.seal('order', [bob]);
    expect(bob.open(order, ada)).toBe('order');
    for (let n = 0; n < 300; n++) bob.open(ada.seal('x', [bob]), ada);
    const { group } = ada;
    ada.group = undefined;
    expect(bob.open(ada.seal('alone', [bob]), ada)).toBe('alone');
    ada.group = group;
    expect(bob.open(order, ada)).toBe('! replayed');
  });

  describe('EE-25 attack: a member drives a key out by others, and gives it again', () => {
    /** Returns what the others make of the key when it comes again. */
    const giveAgain = (between = () => {}): string[] => {
      const [key] = eve.group!.keys;
      const { crypto } = eve;
      const give = () => {
        eve.group = { conversationId: CONVERSATION, keys: [] };
        const envelope = eve.seal('x', [ada, bob]);
        return [ada.open(envelope, eve), bob.open(envelope, eve)];
      };
      for (let n = 0; n < 8; n++) expect(give()).toEqual(['x', 'x']);
      between();
      const randomBytes = (length: number) => (length === 32 ? key!.key : crypto.randomBytes(length));
      Object.assign(eve, { crypto: { ...crypto, randomBytes } });
      return give();
    };

    it('so that its sender counts from 0 again: what it writes is not taken for a repetition', () => {
      const first = ada.seal('1', [bob, eve]);
      for (const member of [bob, eve]) expect(member.open(first, ada)).toBe('1');
      expect(giveAgain()).toEqual(['! wrap', '! wrap']);
      expect(bob.open(ada.seal('2', [bob, eve]), ada)).toBe('2');
    });

    it('so that it is not known what arrived under it: nothing opens twice', () => {
      const first = ada.seal('1', [bob, eve]);
      for (const member of [bob, eve]) expect(member.open(first, ada)).toBe('1');
      const order = ada.seal('order', [bob, eve]);
      expect(bob.open(order, ada)).toBe('order');
      for (let n = 0; n < 300; n++) bob.open(ada.seal('x', [bob, eve]), ada);
      expect(giveAgain(() => bob.open(ada.seal('2', [bob, eve]), ada))).toEqual(['! wrap', '! wrap']);
      expect(bob.open(order, ada)).toBe('! group_key_unknown');
    });
  });

  it('EE-12 a member cannot write in the name of another', () => {
    const first = ada.seal('1', [bob, eve]);
    bob.open(first, ada);
    eve.open(first, ada);
    const forged = { ...bob.seal('2', [ada, eve]) };
    forged.header = { ...forged.header, sender: ada.own.sender };
    expect(eve.open(resign(bob, forged), ada)).toBe('! signature');
  });

  it('EE-12 a key under the name of another is refused', () => {
    const first = ada.seal('1', [bob]);
    const [group, ...rest] = first.wraps as [{ key: string }, ...object[]];
    const renamed = { ...first, wraps: [{ ...group, key: 'A'.repeat(22) }, ...rest] as typeof first.wraps };
    expect(bob.open(resign(ada, renamed), ada)).toBe('! wrap');
  });

  it('EE-12 in a group of another conversation the key means nothing', () => {
    const envelope = ada.seal('1', [bob]);
    bob.group = { conversationId: OTHER_CONVERSATION, keys: [] };
    expect(bob.open(envelope, ada)).toBe('! downgraded');
    expect(() => bob.seal('x', [ada])).toThrow('group must be of the conversation in header');
  });

  it('EE-12 attack: whoever left names a device of theirs like one that stays: its key is not used to write', () => {
    const { id } = eve.own.sender;
    const mallory = new Endpoint(ada.crypto, { kind: 'human', id, device_id: bob.address });
    mallory.group = { conversationId: CONVERSATION, keys: [] };
    mallory.begin(ada);
    ada.meet(mallory);
    expect(ada.open(mallory.seal('still here', [ada]), mallory)).toBe('still here');
    ada.meet(bob);
    ada.begin(bob);
    const after = ada.seal('without eve', [bob]);
    expect(after.wraps.map(({ kind }) => kind)).toEqual(['group', 'ratchet']);
    expect(mallory.open(after, ada)).not.toBe('without eve');
    expect(bob.open(after, ada)).toBe('without eve');
  });

  it('EE-12 attack: whoever has the old keys of an agent whose new ones were accepted opens nothing more', () => {
    const renewed = new Endpoint(ada.crypto, bot.own.sender);
    renewed.group = { conversationId: CONVERSATION, keys: [] };
    for (const one of [ada, bob]) {
      const first = one.seal('1', [one === ada ? bob : ada, bot]);
      expect(bot.open(first, one)).toBe('1');
      (one === ada ? bob : ada).open(first, one);
    }
    // Also under a key that someone else made.
    for (const [one, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      one.meet(renewed);
      one.begin(renewed);
      const after = one.seal('for the new keys', [other, renewed]);
      expect(bot.open(after, one)).not.toBe('for the new keys');
      expect(renewed.open(after, one)).toBe('for the new keys');
    }
  });

  it('EE-12 an agent that keeps no state gets the key by L2', () => {
    const envelope = ada.seal('1', [bot], { mode: 'webhook' });
    expect(envelope.wraps.map(({ kind }) => kind)).toEqual(['group', 'hpke']);
    expect(bot.open(envelope, ada, { mode: 'websocket' })).toBe('! downgraded');
    expect(bot.open(envelope, ada, { mode: 'webhook' })).toBe('1');
  });
});
