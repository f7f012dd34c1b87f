import { describe, expect, it } from 'vitest';
import { add, createList, extend } from '../../tests/symbolic.ts';
import { chainHash, checkLinks, countsUntil, headName, signedBytes } from './chain.ts';

const list = extend(extend(createList(), add('B')), add('C'));
const heads = list.map(chainHash);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('EE-18 links', () => {
  it('EE-18 every statement names the hash of the one before', () => {
    expect(checkLinks(list)).toEqual({ ok: true, heads });
    expect(checkLinks([])).toEqual({ ok: true, heads: [] });
  });

  it('EE-18 attack: a statement left out, twice or in another place is found where it is', () => {
    const [first, second, third] = list as [(typeof list)[0], (typeof list)[0], (typeof list)[0]];
    expect(checkLinks([second])).toEqual({ ok: false, problem: 'seq', seq: 1 });
    expect(checkLinks([first, third])).toEqual({ ok: false, problem: 'seq', seq: 2 });
    expect(checkLinks([first, first])).toEqual({ ok: false, problem: 'seq', seq: 2 });
    expect(checkLinks([first, { ...second, prev: null }])).toEqual({ ok: false, problem: 'prev', seq: 2 });
    expect(checkLinks([{ ...first, prev: heads[0]! }])).toEqual({ ok: false, problem: 'prev', seq: 1 });
    expect(checkLinks([first, second, { ...third, prev: heads[0]! }])).toEqual({ ok: false, problem: 'prev', seq: 3 });
  });

  it('EE-18 attack: a server shows less than was seen, or something else in its place', () => {
    const seen = { length: 2, head: heads[1]! };
    expect(checkLinks(list, seen).ok).toBe(true);
    expect(checkLinks(list.slice(0, 2), seen).ok).toBe(true);
    expect(checkLinks(list.slice(0, 1), seen)).toEqual({ ok: false, problem: 'shortened', seq: 2 });
    expect(checkLinks([], seen)).toEqual({ ok: false, problem: 'shortened', seq: 1 });
    const other = extend(list.slice(0, 1), add('D'));
    expect(checkLinks(other, seen)).toEqual({ ok: false, problem: 'rewritten', seq: 2 });
    expect(checkLinks(list, { length: 2, head: null })).toEqual({ ok: false, problem: 'rewritten', seq: 2 });
  });
});

describe('EE-18 what is signed and hashed', () => {
  it('EE-18 the signed bytes begin with their domain and hold everything but the signature', () => {
    const statement = { b: 1, a: 'é', signature: 'x' };
    expect(text(signedBytes('some-domain', statement))).toBe('some-domain\n{"a":"é","b":1}');
    expect(chainHash(statement)).not.toBe(chainHash({ ...statement, signature: 'z' }));
  });

  it('EE-18 the name of a head changes with the salt, the chain, its kind, its length and its head', () => {
    const chain = { kind: 'ledger' as const, id: 'one', length: 2, head: 'aa' };
    const names = [
      headName('salt', chain),
      headName('other', chain),
      headName('salt', { ...chain, kind: 'group' }),
      headName('salt', { ...chain, id: 'two' }),
      headName('salt', { ...chain, length: 3 }),
      headName('salt', { ...chain, head: 'bb' }),
    ];
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('EE-18 how far a signer counts', () => {
  it('EE-18 a listed one always, a revoked one up to the last point that is named, an unnamed one nowhere', () => {
    expect(countsUntil({ key: 'k' }, heads)).toBe(Number.POSITIVE_INFINITY);
    const named = (points: readonly number[]) => ({
      key: 'k',
      named: (length: number, head: string) => points.includes(length) && head === heads[length - 1],
    });
    expect(countsUntil(named([2]), heads)).toBe(2);
    expect(countsUntil(named([1, 3]), heads)).toBe(3);
    expect(countsUntil(named([]), heads)).toBe(0);
    expect(countsUntil(named([2]), [])).toBe(0);
  });

  it('EE-17 and no further than every recovery since then names', () => {
    const at = (point: number) => (length: number) => length === point;
    expect(countsUntil({ key: 'k', named: at(3), namedSince: [at(2)] }, heads)).toBe(2);
    expect(countsUntil({ key: 'k', named: at(1), namedSince: [at(3), at(2)] }, heads)).toBe(1);
    expect(countsUntil({ key: 'k', named: at(3), namedSince: [at(9)] }, heads)).toBe(0);
  });
});
