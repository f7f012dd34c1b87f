import {
  type ChainKind,
  compareLists,
  type DeviceList,
  DeviceStatement,
  deviceStatementBytes,
  deviceStatementHash,
  foldDeviceList,
  headName,
  type KeyBox,
  type ListComparison,
  type ListedDevice,
  listedSigner,
} from '@parley/protocol';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { seeded, uuid } from '../../tests/harness.ts';
import { type Published, type PublishedPair, readVectors } from '../../tests/vectors.ts';
import { fromBase64Url, toBase64Url } from '../bytes.ts';
import { generateEd25519, generateX25519, type KeyPair } from '../provider/crypto.ts';
import { nodeCrypto } from '../provider/node.ts';
import { recoveryKeyOf } from '../recovery.ts';
import { boxAccountKey, chainVerifier, nameHeads, signDeviceStatement, unboxAccountKey } from './device-list.ts';

interface Expected {
  readonly ok: true;
  readonly account_key: string;
  readonly recovery_key: string;
  readonly devices: readonly ListedDevice[];
  readonly revoked: readonly string[];
  readonly boxes: readonly string[];
}

interface Vectors {
  readonly account_id: string;
  readonly account_keys: readonly PublishedPair[];
  readonly recovery_secret: string;
  readonly recovery_key: PublishedPair;
  readonly devices: Readonly<Record<string, { device_id: string; identity: PublishedPair; exchange: PublishedPair }>>;
  readonly chains: readonly { kind: ChainKind; id: string; length: number; head: string }[];
  readonly statements: Published<DeviceStatement>;
  readonly boxes: readonly { statement: string; device: string; account_key: number }[];
  readonly heads: readonly { statement: string; names: readonly string[] }[];
  readonly signatures: readonly { list: readonly string[]; device: string; chains: readonly string[] }[];
  readonly cases: readonly {
    name: string;
    account_id?: string;
    list: readonly string[];
    expect: Expected | { ok: false; problem: string; seq: number };
  }[];
  readonly comparisons: readonly {
    seen: readonly string[];
    offered: readonly string[];
    expect: ListComparison;
    where_only_the_end_was_seen: ListComparison;
  }[];
}

const vectors = readVectors<Vectors>('device-list');
const crypto = seeded(nodeCrypto, 'device-list tests');
const verify = chainVerifier(nodeCrypto);
const listOf = (names: readonly string[]) => names.map((name) => vectors.statements[name]!.statement);
const pairOf = ({ private_key, public_key }: PublishedPair): KeyPair => ({
  privateKey: fromBase64Url(private_key)!,
  publicKey: fromBase64Url(public_key)!,
});
const fold = (names: readonly string[]) => {
  const list = foldDeviceList(listOf(names), { accountId: vectors.account_id, verify });
  if (!list.ok) throw new Error(`${list.problem} at ${list.seq}`);
  return list;
};

function toWire({ accountKey, recoveryKey, devices, revoked, boxes, ...list }: DeviceList) {
  return {
    ...list,
    account_key: accountKey,
    recovery_key: recoveryKey,
    devices: [...devices.values()],
    revoked: [...revoked.keys()],
    boxes: [...boxes.keys()],
  };
}

describe('EE-18 the published device list', () => {
  it.each(Object.entries(vectors.statements))('EE-18 %s has its form, its bytes and its hash', (_, published) => {
    const { statement, signed, hash } = published;
    expect(Compile(DeviceStatement).Check(statement)).toBe(true);
    expect(new TextDecoder().decode(deviceStatementBytes(statement))).toBe(signed);
    expect(deviceStatementHash(statement)).toBe(hash);
  });

  it.each(vectors.cases)('EE-18 $name', ({ list, account_id = vectors.account_id, expect: expected }) => {
    const folded = foldDeviceList(listOf(list), { accountId: account_id, verify });
    expect(folded.ok ? toWire(folded) : folded).toEqual(expected);
  });

  it.each(vectors.comparisons)('EE-17 after $seen.length statements $offered.length are offered: $expect', (one) => {
    const [seen, offered] = [fold(one.seen), fold(one.offered)];
    const there = { ...offered, statements: listOf(one.offered) };
    expect(compareLists({ ...seen, statements: listOf(one.seen) }, there)).toBe(one.expect);
    expect(compareLists(seen, there)).toBe(one.where_only_the_end_was_seen);
  });
});

describe('EE-17 the private account key in a box', () => {
  const find = ({ statement, device }: { statement: string; device: string }): KeyBox => {
    const said = vectors.statements[statement]!.statement;
    const boxes = said.action === 'keep' ? [said.box] : 'rotation' in said ? said.rotation!.boxes : [];
    return boxes.find(({ device_id }) => device_id === vectors.devices[device]!.device_id)!;
  };

  it.each(vectors.boxes)('EE-17 $device opens its box of $statement', ({ account_key, ...where }) => {
    const pair = vectors.account_keys[account_key - 1]!;
    const exchange = pairOf(vectors.devices[where.device]!.exchange);
    const context = { accountId: vectors.account_id, accountKey: pair.public_key, exchange };
    const opened = unboxAccountKey(nodeCrypto, find(where), context);
    expect(opened && toBase64Url(opened.privateKey)).toBe(pair.private_key);
  });

  it('EE-17 attack: a box of another device, account, account key, or one that was altered, stays shut', () => {
    const box = find({ statement: 'keep B', device: 'B' });
    const { exchange: own, device_id } = vectors.devices.B!;
    const context = {
      accountId: vectors.account_id,
      accountKey: vectors.account_keys[0]!.public_key,
      exchange: pairOf(own),
    };
    expect(unboxAccountKey(nodeCrypto, box, context)).toBeDefined();
    const other = pairOf(vectors.devices.T!.exchange);
    expect(unboxAccountKey(nodeCrypto, box, { ...context, exchange: other })).toBeUndefined();
    expect(unboxAccountKey(nodeCrypto, box, { ...context, accountId: uuid(1) })).toBeUndefined();
    const rotated = vectors.account_keys[1]!.public_key;
    expect(unboxAccountKey(nodeCrypto, box, { ...context, accountKey: rotated })).toBeUndefined();
    const moved = { ...box, device_id: vectors.devices.T!.device_id };
    expect(unboxAccountKey(nodeCrypto, moved, context)).toBeUndefined();
    const enc = find({ statement: 'keep T', device: 'T' }).enc;
    expect(unboxAccountKey(nodeCrypto, { ...box, enc }, context)).toBeUndefined();
    const zeros = toBase64Url(new Uint8Array(32));
    expect(unboxAccountKey(nodeCrypto, { ...box, enc: zeros }, context)).toBeUndefined();
    const ciphertext = `${box.ciphertext[0] === 'A' ? 'B' : 'A'}${box.ciphertext.slice(1)}`;
    expect(unboxAccountKey(nodeCrypto, { ...box, ciphertext }, context)).toBeUndefined();
    expect(unboxAccountKey(nodeCrypto, { ...box, ciphertext: '***' }, context)).toBeUndefined();
    expect(device_id).toBe(box.device_id);
  });

  it('EE-17 attack: a keeper that seals a key which is not the half of the one it names', () => {
    const [named, sealed] = [generateEd25519(crypto), generateEd25519(crypto)];
    const exchange = generateX25519(crypto);
    const device = { device_id: uuid(2), exchange_key: toBase64Url(exchange.publicKey) };
    const lie = { publicKey: named.publicKey, privateKey: sealed.privateKey };
    const box = boxAccountKey(crypto, lie, { accountId: uuid(1), device })!;
    const context = { accountId: uuid(1), accountKey: toBase64Url(named.publicKey), exchange };
    expect(unboxAccountKey(crypto, box, context)).toBeUndefined();
    const honest = boxAccountKey(crypto, named, { accountId: uuid(1), device })!;
    expect(unboxAccountKey(crypto, honest, context)).toEqual(named);
  });

  it('EE-17 attack: a keeper with an exchange key of low order gets no box', () => {
    const device = { device_id: uuid(2), exchange_key: toBase64Url(new Uint8Array(32)) };
    expect(boxAccountKey(crypto, generateEd25519(crypto), { accountId: uuid(1), device })).toBeUndefined();
  });

  it('EE-17 the recovery key of the list is the one that the secret gives', () => {
    const pair = recoveryKeyOf(nodeCrypto, vectors.recovery_secret)!;
    expect(toBase64Url(pair.publicKey)).toBe(vectors.recovery_key.public_key);
    expect(fold(['create']).recoveryKey).toBe(vectors.recovery_key.public_key);
  });
});

describe('EE-18 the heads that a revocation names', () => {
  it.each(vectors.heads)('EE-18 $statement names those that its maker knew, among others', ({ statement, names }) => {
    const said = vectors.statements[statement]!.statement;
    if (!('heads' in said)) throw new Error('it names no heads');
    const named = vectors.chains.filter((chain) => said.heads.includes(headName(said.salt, chain)));
    expect(named.map(({ id }) => id)).toEqual(names);
  });

  it.each(vectors.signatures)('EE-18 after $list.length statements, what $device signed counts', ({ list, ...one }) => {
    const folded = fold(list);
    const counts = vectors.chains.filter((chain) => {
      const { named, namedSince } = listedSigner(folded, vectors.devices[one.device]!.device_id, chain)!;
      return [named!, ...namedSince!].every((isNamed) => isNamed(chain.length, chain.head));
    });
    expect(counts.map(({ id }) => id)).toEqual(one.chains);
  });

  it('EE-18 attack: who reads a revocation learns neither which chains there are nor nearly how many', () => {
    const chain = { kind: 'ledger' as const, id: uuid(1), length: 1, head: 'ab'.repeat(32) };
    fc.assert(
      fc.property(fc.nat({ max: 40 }), (count) => {
        const chains = Array.from({ length: count }, (_, n) => ({ ...chain, id: uuid(n) }));
        const { salt, heads } = nameHeads(crypto, chains);
        expect(Math.log2(heads.length) % 1).toBe(0);
        expect(heads.length).toBeGreaterThanOrEqual(Math.max(8, count));
        expect(heads.length).toBeLessThan(Math.max(9, 2 * count));
        expect(heads).toEqual([...new Set(heads)].sort());
        for (const one of chains) expect(heads).toContain(headName(salt, one));
        for (const head of heads) expect(head).toMatch(/^[0-9a-f]{32}$/);
      }),
    );
    const [first, again] = [nameHeads(crypto, [chain]), nameHeads(crypto, [chain])];
    expect(first.heads.filter((head) => again.heads.includes(head))).toEqual([]);
  });
});

describe('EE-18 attack: signatures on a curve', () => {
  const honest = listOf([
    'create',
    'add B',
    'keep B',
    'add T',
    'keep T',
    'revoke T',
    'rotate',
    'add N',
    'revoke N',
    'recover',
  ]);
  const foldAll = (list: readonly DeviceStatement[]) => foldDeviceList(list, { accountId: vectors.account_id, verify });

  it('EE-18 no other signature of any statement is taken', () => {
    expect(foldAll(honest).ok).toBe(true);
    for (const [index, statement] of honest.entries()) {
      const others = honest.filter((one) => one.signature !== statement.signature);
      for (const { signature } of [...others, { signature: '' }, { signature: 'A'.repeat(86) }]) {
        const list = [...honest.slice(0, index), { ...statement, signature }];
        expect(foldAll(list)).toEqual({ ok: false, problem: 'signature', seq: index + 1 });
      }
    }
  });

  it('EE-18 what was signed for one domain means nothing in another', () => {
    const account = pairOf(vectors.account_keys[0]!);
    const last = honest[1]!;
    if (last.action !== 'add') throw new Error('another statement');
    const { signature: _, ...unsigned } = last;
    expect(signDeviceStatement(nodeCrypto, unsigned, account)).toEqual(last);
    const text = new TextDecoder()
      .decode(deviceStatementBytes(last))
      .replace('parley-device-list-v1', 'parley-group-v1');
    const elsewhere = toBase64Url(nodeCrypto.sign(account.privateKey, new TextEncoder().encode(text)));
    expect(foldAll([honest[0]!, { ...last, signature: elsewhere }])).toEqual({
      ok: false,
      problem: 'signature',
      seq: 2,
    });
  });
});
