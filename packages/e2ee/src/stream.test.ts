import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { agent, CONVERSATION, humanDevice, OTHER_CONVERSATION, seeded, uuid } from '../tests/harness.ts';
import { utf8 } from './bytes.ts';
import { browserCrypto } from './provider/browser.ts';
import { generateEd25519 } from './provider/crypto.ts';
import { nodeCrypto } from './provider/node.ts';
import { endStream, openDelta, type StreamBinding, type StreamState, sealDelta, startStream } from './stream.ts';

const PLACE: StreamBinding = { conversationId: CONVERSATION, streamId: uuid(9), sender: agent(1) };
const crypto = seeded(nodeCrypto, 'stream');
const identity = generateEd25519(crypto);
const identityKey = identity.publicKey;
let key: Uint8Array;
let writer: StreamState;
let reader: StreamState;

beforeEach(() => {
  key = crypto.randomBytes(32);
  writer = startStream(crypto, key, PLACE);
  reader = startStream(crypto, key, PLACE);
});

function write(text: string) {
  const { state, ...delta } = sealDelta(crypto, writer, { plaintext: utf8(text), identity });
  writer = state;
  return delta;
}
type Delta = ReturnType<typeof write>;

function read(delta: Delta, by: StreamState = reader): string {
  const opened = openDelta(crypto, by, { ...delta, identityKey });
  if (!opened.ok) return `! ${opened.problem}`;
  reader = opened.state;
  return new TextDecoder().decode(opened.plaintext);
}

describe('deltas of a stream', () => {
  it('TC-9 say what was said, in both providers alike', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (pieces) => {
        let [ours, theirs] = [startStream(nodeCrypto, key, PLACE), startStream(browserCrypto, key, PLACE)];
        for (const [index, piece] of pieces.entries()) {
          const sealed = sealDelta(nodeCrypto, ours, { plaintext: piece, identity });
          expect(sealDelta(browserCrypto, theirs, { plaintext: piece, identity })).toEqual(sealed);
          const opened = openDelta(browserCrypto, theirs, { ...sealed, identityKey });
          expect(opened).toMatchObject({ ok: true, plaintext: piece, missed: 0 });
          expect(sealed.index).toBe(index);
          ours = sealed.state;
          if (opened.ok) theirs = opened.state;
        }
      }),
      { seed: 9, numRuns: 30 },
    );
  });

  it('TC-9 one that is lost is noticed, and the rest goes on', () => {
    const deltas = ['a', 'b', 'c'].map(write);
    expect(read(deltas[0]!)).toBe('a');
    expect(openDelta(crypto, reader, { ...deltas[2]!, identityKey })).toMatchObject({ ok: true, missed: 1 });
  });

  it('EE-11 replay and reorder: no delta comes twice, or after a later one', () => {
    const deltas = ['a', 'b', 'c'].map(write);
    expect(read(deltas[0]!)).toBe('a');
    expect(read(deltas[0]!)).toBe('! replayed');
    expect(read(deltas[2]!)).toBe('c');
    expect(read(deltas[1]!)).toBe('! replayed');
  });

  it('EE-11 renumber: a delta passed off under another number does not open', () => {
    const [first, second] = [write('a'), write('b')];
    expect(read({ ...first, index: 1 })).toBe('! delta');
    expect(read({ ...second, index: 0 })).toBe('! delta');
    for (const index of [-1, 0.5, Number.NaN, 2 ** 53]) expect(read({ ...first, index })).toBe('! delta');
    expect(read(first)).toBe('a');
  });

  it('EE-11 flip any bit: nothing opens, and the state stays', () => {
    const delta = write('pay 10');
    for (let bit = 0; bit < delta.sealed.length * 8; bit++) {
      const sealed = delta.sealed.slice();
      sealed[bit >> 3]! ^= 1 << (bit & 7);
      expect(read({ ...delta, sealed })).toBe('! delta');
    }
    for (const length of [0, 15, 63, 64, 79]) {
      expect(read({ ...delta, sealed: delta.sealed.subarray(0, length) })).toBe('! delta');
    }
    expect(read(delta)).toBe('pay 10');
  });

  it('EE-3 attack: another member of the group, who holds the key of the stream, goes on in its name', () => {
    expect(read(write('a'))).toBe('a');
    const mallory = generateEd25519(crypto);
    const forged = sealDelta(crypto, reader, { plaintext: utf8('send money'), identity: mallory });
    expect(read(forged)).toBe('! delta');
    expect(read(write('b'))).toBe('b');
  });

  it.each<[string, Partial<StreamBinding>]>([
    ['another stream', { streamId: uuid(8) }],
    ['another conversation', { conversationId: OTHER_CONVERSATION }],
    ['another agent', { sender: agent(2) }],
    ['a person of the same id', { sender: { kind: 'human', id: agent(1).id } }],
    ['another device', { sender: humanDevice(1) }],
  ])('EE-11 move a delta to %s: it does not open', (_, place) => {
    const delta = write('a');
    const elsewhere = startStream(crypto, key, { ...PLACE, ...place });
    expect(read(delta, elsewhere)).toBe('! delta');
    expect(elsewhere.key).not.toEqual(reader.key);
  });

  it('EE-11 the key of another stream opens nothing; one that has ended neither', () => {
    const delta = write('a');
    expect(read(delta, startStream(crypto, crypto.randomBytes(32), PLACE))).toBe('! delta');
    endStream(reader);
    expect(reader.key).toEqual(new Uint8Array(32));
    expect(read(delta)).toBe('! delta');
  });

  it('EE-13 arguments are refused by name, and never shown', () => {
    expect(() => startStream(crypto, new Uint8Array(31).fill(0x41), PLACE)).toThrow(/^streamKey must have 32 bytes$/);
    const plaintext = utf8('');
    expect(() => sealDelta(crypto, writer, { plaintext: 'secret' as never, identity })).toThrow(
      /^plaintext must be a Uint8Array$/,
    );
    expect(() => sealDelta(crypto, writer, { plaintext, identity: 'secret' as never })).toThrow(
      /^identity.publicKey must be a Uint8Array$/,
    );
    const sealed = new Uint8Array(80);
    expect(() => openDelta(crypto, reader, { index: 0, sealed: 'secret' as never, identityKey })).toThrow(
      /^sealed must be a Uint8Array$/,
    );
    expect(() => openDelta(crypto, reader, { index: 0, sealed, identityKey: sealed })).toThrow(
      /^identityKey must have 32 bytes$/,
    );
  });
});
