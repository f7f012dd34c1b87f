import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { headName } from './chain.ts';
import {
  entryBytes,
  entryHash,
  foldLedger,
  type Grants,
  LedgerEntry,
  type LedgerProblem,
  type LedgerReading,
} from './ledger.ts';

interface Case {
  readonly name: string;
  readonly relation_id?: string;
  readonly seen?: { length: number; head: string };
  readonly revocations?: readonly { device_id: string; salt: string; heads: readonly string[] }[];
  readonly list: readonly string[];
  readonly expect: object;
}

interface Vectors {
  readonly devices: Readonly<Record<string, { seed: string; public_key: string }>>;
  readonly relation_id: string;
  readonly entries: Readonly<Record<string, { statement: LedgerEntry; signed: string; hash: string }>>;
  readonly cases: readonly Case[];
}
const vectors = JSON.parse(
  readFileSync(new URL('../../../../vectors/ledger/chain.json', import.meta.url), 'utf8'),
) as Vectors;
const listOf = (names: readonly string[]) => names.map((name) => vectors.entries[name]!.statement);
const chain = listOf(['grant', 'change', 'revoke']);
const [first, second] = chain as [LedgerEntry, LedgerEntry];
const bound = listOf(['bound grant'])[0]!;

const reading: LedgerReading = {
  relationId: vectors.relation_id,
  signerOf: (deviceId) => vectors.devices[deviceId] && { key: vectors.devices[deviceId].public_key },
  verify: (x, bytes, signature) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, bytes, key, Buffer.from(signature, 'base64url'));
  },
};

/** A new entry in the hand of a device that may sign. */
function signAs(deviceId: string, changes: Partial<LedgerEntry>, base: LedgerEntry = second): LedgerEntry {
  const { seed, public_key } = vectors.devices[deviceId]!;
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: seed, x: public_key }, format: 'jwk' });
  const entry = { ...base, ...changes, device_id: deviceId } as LedgerEntry;
  return { ...entry, signature: sign(null, entryBytes(entry), key).toString('base64url') };
}

/** Reads as one who knows that these devices are revoked. */
function readingOf({ relation_id = vectors.relation_id, seen, revocations = [] }: Partial<Case>): LedgerReading {
  return {
    ...reading,
    relationId: relation_id,
    ...(seen === undefined ? {} : { seen }),
    signerOf: (deviceId) => {
      const signer = reading.signerOf(deviceId);
      const [named, ...namedSince] = revocations
        .filter(({ device_id }) => device_id === deviceId)
        .map(({ salt, heads }) => (length: number, head: string) => {
          return heads.includes(headName(salt, { kind: 'ledger', id: relation_id, length, head }));
        });
      return signer && { ...signer, named, namedSince };
    },
  };
}

function toWire({ length, head, scopes, revoked, subject }: Grants) {
  const about = subject && {
    relation_id: subject.relationId,
    agent_id: subject.agentId,
    account_id: subject.accountId,
    conversation_id: subject.conversationId,
    agent_key: subject.agentKey,
  };
  return { ok: true, length, head, scopes, revoked, subject: about ?? null };
}

describe('RL-10 the bytes of an entry', () => {
  it.each(Object.entries(vectors.entries))('RL-10 %s has its form, its bytes and its hash', (_, published) => {
    const { statement, signed, hash } = published;
    expect(Buffer.from(entryBytes(statement)).toString()).toBe(signed);
    expect(entryHash(statement)).toBe(hash);
    expect(Compile(LedgerEntry).Check(statement)).toBe(true);
  });

  it('RL-10 the hash covers the signature, the signed bytes do not', () => {
    const other = { ...first, signature: second.signature };
    expect(entryBytes(other)).toEqual(entryBytes(first));
    expect(entryHash(other)).not.toBe(entryHash(first));
  });

  it('RL-10 a signature has one spelling: other padding bits are refused', () => {
    const other = { ...first, signature: `${first.signature.slice(0, -1)}B` };
    expect(Compile(LedgerEntry).Check(other)).toBe(false);
  });

  it('EE-19 an entry of version 2 has a conversation and the key of the agent, one of version 1 has neither', () => {
    if (bound.version !== 2) throw new Error('another version');
    const { conversation_id: _, ...without } = bound;
    const { agent_key: __, ...keyless } = bound;
    const check = Compile(LedgerEntry);
    for (const entry of [without, keyless, { ...bound, version: 1 }, { ...first, version: 2 }, { ...bound, note: 1 }]) {
      expect(check.Check(entry)).toBe(false);
    }
  });

  it('EE-19 attack: an entry of one version is read as one of the other', () => {
    const text = (entry: LedgerEntry) => Buffer.from(entryBytes(entry)).toString();
    expect(text(first)).toMatch(/^parley-ledger-v1\n/);
    expect(text(bound)).toMatch(/^parley-ledger-v2\n/);
    const relabelled = { ...bound, version: 1 } as unknown as LedgerEntry;
    expect(foldLedger([relabelled], reading)).toEqual({ ok: false, problem: 'signature', seq: 1 });
  });
});

describe('RL-10 folding', () => {
  it.each(vectors.cases)('RL-10 $name', ({ list, expect: expected, ...surroundings }) => {
    const outcome = foldLedger(listOf(list), readingOf(surroundings));
    expect(outcome.ok ? toWire(outcome) : outcome).toEqual(expected);
  });

  it('RL-10 an empty chain grants nothing', () => {
    expect(foldLedger([], reading)).toMatchObject({ ok: true, length: 0, head: null, scopes: [], revoked: false });
  });

  it('EE-18 an entry of a device that no list ever named breaks the chain, however well it is signed', () => {
    const signerOf = (id: string) => (id === bound.device_id ? undefined : reading.signerOf(id));
    expect(foldLedger([bound], { ...reading, signerOf })).toEqual({ ok: false, problem: 'device', seq: 1 });
  });

  it('EE-14 one of the old form may be of a device that was revoked before there was a list: it is void', () => {
    const signerOf = (id: string) => (id === second.device_id ? undefined : reading.signerOf(id));
    const read = foldLedger([first, second], { ...reading, signerOf });
    expect(read).toMatchObject({ ok: true, length: 2, counting: [first], subject: undefined });
  });

  it('RL-10 a chain that branched off before what was seen is refused', () => {
    const branch = signAs(first.device_id, { scopes: [] });
    const seen = { length: 2, head: entryHash(second) };
    expect(foldLedger([first, second], { ...reading, seen })).toMatchObject({ ok: true });
    expect(foldLedger([first, branch], { ...reading, seen })).toEqual({ ok: false, problem: 'rewritten', seq: 2 });
  });

  it.each<[LedgerProblem, Partial<LedgerEntry>]>([
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

describe('EE-19 the whole subject', () => {
  it.each<keyof Extract<LedgerEntry, { version: 2 }>>([
    'relation_id',
    'agent_id',
    'account_id',
    'conversation_id',
    'agent_key',
  ])('EE-19 attack: grants transferred by editing %s break the signature', (field) => {
    const edited = { ...bound, [field]: field === 'agent_key' ? 'A'.repeat(43) : second.device_id } as LedgerEntry;
    const relationId = field === 'relation_id' ? second.device_id : vectors.relation_id;
    expect(foldLedger([edited], { ...reading, relationId })).toEqual({ ok: false, problem: 'signature', seq: 1 });
  });

  it('EE-19 attack: the last entry that counts is of the old form, so nothing names whom it is about', () => {
    const old = foldLedger([first, second], reading);
    expect(old.ok && old.subject).toBeUndefined();
    expect(old.ok && old.counting.length).toBe(2);
  });
});

describe('EE-18 attack: a revoked device goes on signing', () => {
  const [mine, stolen] = Object.keys(vectors.devices) as [string, string];
  const scopes = ['a', 'b', 'c', 'd'].map((id) => ({ id, sensitivity: 'medium' as const }));
  const step = fc.record({ byThief: fc.boolean(), given: fc.subarray(scopes), isEnd: fc.boolean() });

  /** What an honest reader expects: only the steps that count give, all of them take. */
  function expected(steps: readonly { byThief: boolean; given: typeof scopes }[], namedAt: number) {
    let granted: typeof scopes = [];
    for (const [index, { byThief, given }] of steps.entries()) {
      const counts = !byThief || index < namedAt;
      granted = counts ? given : granted.filter(({ id }) => given.some((scope) => scope.id === id));
    }
    return granted;
  }

  it('EE-18 whatever it signs where, only entries that count give, and all of them take', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), fc.nat({ max: 6 }), (steps, at) => {
        const entries: LedgerEntry[] = [];
        const said = steps.map(({ byThief, given, isEnd }, index) => {
          // Only beyond its limit: one that counts would end the chain.
          const ends = isEnd && byThief && index >= at;
          return {
            byThief,
            given: ends ? [] : given,
            action: ends ? 'revoke' : index === 0 ? 'grant' : 'change',
          } as const;
        });
        for (const { byThief, given, action } of said) {
          const last = entries.at(-1);
          const place = { seq: entries.length + 1, prev: last === undefined ? null : entryHash(last) };
          entries.push(signAs(byThief ? stolen : mine, { ...place, action, scopes: given }, bound));
        }
        const heads = at === 0 || at > entries.length ? [] : [at];
        const namedAt = heads.length === 0 ? 0 : at;
        const names = heads.map((length) => {
          const head = entryHash(entries[length - 1]!);
          return headName('salt', { kind: 'ledger', id: vectors.relation_id, length, head });
        });
        // Of a chain that ends before the named point nothing counts, whose steps above may be an end.
        fc.pre(at <= entries.length);
        const outcome = foldLedger(
          entries,
          readingOf({ revocations: [{ device_id: stolen, salt: 'salt', heads: names }] }),
        );
        expect(outcome).toMatchObject({ ok: true, scopes: expected(said, namedAt) });
        if (outcome.ok)
          expect(outcome.counting).toEqual(entries.filter((_, index) => !said[index]!.byThief || index < namedAt));
      }),
      { numRuns: 200 },
    );
  });
});
