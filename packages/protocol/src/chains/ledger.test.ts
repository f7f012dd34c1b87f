import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { entryBytes, entryHash, foldLedger, LedgerEntry, type LedgerReading } from './ledger.ts';

interface Vectors {
  readonly devices: Readonly<Record<string, { seed: string; public_key: string }>>;
  readonly entries: readonly { entry: LedgerEntry; signed: string; hash: string }[];
  readonly cases: readonly {
    name: string;
    relation_id: string;
    seen?: { length: number; head: string };
    entries: readonly LedgerEntry[];
    expect: object;
  }[];
}
const vectors = JSON.parse(
  readFileSync(new URL('../../../vectors/ledger/chain.json', import.meta.url), 'utf8'),
) as Vectors;
const chain = vectors.entries.map(({ entry }) => entry);
const [first, second] = chain as [LedgerEntry, LedgerEntry];

const reading: LedgerReading = {
  relationId: first.relation_id,
  keyOf: (deviceId) => vectors.devices[deviceId]?.public_key,
  verify: (x, bytes, signature) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, bytes, key, Buffer.from(signature, 'base64url'));
  },
};

/** A new entry in the hand of a device that may sign. */
function signAs(deviceId: string, changes: Partial<LedgerEntry>, base: LedgerEntry = second): LedgerEntry {
  const { seed, public_key } = vectors.devices[deviceId]!;
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: seed, x: public_key }, format: 'jwk' });
  const entry = { ...base, ...changes, device_id: deviceId };
  return { ...entry, signature: sign(null, entryBytes(entry), key).toString('base64url') };
}

describe('RL-10 the bytes of an entry', () => {
  it.each(vectors.entries)(
    'RL-10 entry $entry.seq has the bytes and the hash of the vector',
    ({ entry, signed, hash }) => {
      expect(Buffer.from(entryBytes(entry)).toString()).toBe(signed);
      expect(entryHash(entry)).toBe(hash);
      expect(Compile(LedgerEntry).Check(entry)).toBe(true);
    },
  );

  it('RL-10 the hash covers the signature, the signed bytes do not', () => {
    const other = { ...first, signature: second.signature };
    expect(entryBytes(other)).toEqual(entryBytes(first));
    expect(entryHash(other)).not.toBe(entryHash(first));
  });

  it('RL-10 a signature has one spelling: other padding bits are refused', () => {
    const other = { ...first, signature: `${first.signature.slice(0, -1)}B` };
    expect(Compile(LedgerEntry).Check(other)).toBe(false);
  });
});

describe('RL-10 folding', () => {
  it.each(vectors.cases)('RL-10 $name', ({ relation_id, seen, entries, expect: expected }) => {
    const outcome = foldLedger(entries, { ...reading, relationId: relation_id, ...(seen ? { seen } : {}) });
    expect(outcome).toMatchObject(expected);
  });

  it('RL-10 an empty chain grants nothing', () => {
    expect(foldLedger([], reading)).toMatchObject({ ok: true, length: 0, head: null, scopes: [], revoked: false });
  });

  it('EE-14 an entry of a device that is not certified is void, however well it is signed', () => {
    const known = { ...reading, keyOf: (id: string) => (id === second.device_id ? undefined : reading.keyOf(id)) };
    expect(foldLedger(chain, known)).toEqual({ ok: false, problem: 'device', seq: 2 });
  });

  it('RL-10 a chain that branched off before what was seen is refused', () => {
    const branch = signAs(first.device_id, { scopes: [] });
    const seen = { length: 2, head: entryHash(second) };
    expect(foldLedger([first, second], { ...reading, seen })).toMatchObject({ ok: true });
    expect(foldLedger([first, branch], { ...reading, seen })).toEqual({ ok: false, problem: 'rewritten', seq: 2 });
  });

  it.each<[string, Partial<LedgerEntry>]>([
    ['action', { action: 'grant' }],
    ['party', { agent_id: first.relation_id }],
    ['party', { account_id: first.relation_id }],
    ['manifest', { manifest_version: 0 }],
    ['scopes', { action: 'revoke', scopes: first.scopes }],
    ['scopes', { scopes: [...first.scopes, ...first.scopes] }],
    ['seq', { seq: 3 }],
    ['prev', { prev: null }],
  ])('RL-10 a well-signed second entry with a wrong %s is refused', (problem, changes) => {
    expect(foldLedger([first, signAs(first.device_id, changes)], reading)).toEqual({ ok: false, problem, seq: 2 });
  });
});
