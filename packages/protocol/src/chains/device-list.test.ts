import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  ACCOUNT_KEY,
  add,
  boxFor,
  createList,
  deviceNamed,
  extend,
  foldList,
  keep,
  RECOVERY_KEY,
  recover,
  revoke,
  rotation,
  uuid,
  verify,
} from '../../tests/symbolic.ts';
import { countsUntil } from './chain.ts';
import {
  type BrokenDeviceList,
  compareLists,
  type DeviceList,
  type DeviceStatement,
  deviceStatementHash,
  foldDeviceList,
  type ListComparison,
  listedSigner,
  MAX_DEVICES,
} from './device-list.ts';

type List = readonly DeviceStatement[];

const created = createList();
const withB = extend(created, add('B'));
const kept = extend(withB, keep('B'));
const withT = extend(kept, add('T'));
const withoutT = extend(withT, revoke('T'));
const withoutB = extend(withoutT, revoke('B', { rotate: rotation('account key 2', ['A']) }));
const rotated = extend(withoutB, { action: 'rotate', rotation: rotation('account key 3') });
const recovered = extend(rotated, recover([deviceNamed('R', true)]));

function fold(list: List): DeviceList {
  const folded = foldList(list);
  if (!folded.ok) throw new Error(`${folded.problem} at ${folded.seq}`);
  return folded;
}
const idsOf = (list: List) => [...fold(list).devices.keys()];
const idOf = (name: string) => deviceNamed(name).device_id;
const broken = (problem: BrokenDeviceList['problem'], seq: number) => ({ ok: false, problem, seq });

describe('EE-18 the device list', () => {
  it('EE-18 add, keep, revoke, rotate and recover say which devices an account has', () => {
    expect(fold(created)).toMatchObject({
      length: 1,
      accountKey: ACCOUNT_KEY,
      recoveryKey: RECOVERY_KEY,
      recoveries: 0,
    });
    expect(fold(withB).devices.get(idOf('B'))).toEqual(deviceNamed('B'));
    expect(fold(kept).devices.get(idOf('B'))).toEqual(deviceNamed('B', true));
    expect(fold(kept).boxes.get(idOf('B'))).toEqual(boxFor('B'));
    expect(idsOf(withT)).toEqual([idOf('A'), idOf('B'), idOf('T')]);
    expect(idsOf(withoutT)).toEqual([idOf('A'), idOf('B')]);
    expect(fold(withoutB)).toMatchObject({ accountKey: 'account key 2' });
    expect([...fold(withoutB).boxes.keys()]).toEqual([idOf('A')]);
    expect(fold(rotated)).toMatchObject({ accountKey: 'account key 3', boxes: new Map() });
    expect(fold(recovered)).toMatchObject({ length: 8, recoveries: 1, accountKey: 'account key after recovery' });
    expect(idsOf(recovered)).toEqual([idOf('R')]);
    expect([...fold(recovered).revoked.keys()].sort()).toEqual([idOf('A'), idOf('B'), idOf('T')].sort());
    expect(fold(recovered).root).toBe(deviceStatementHash(created[0]!));
    expect(fold(recovered).head).toBe(deviceStatementHash(recovered.at(-1)!));
  });

  it('EE-18 attack: a list of another account, one without a beginning, and one that begins twice', () => {
    expect(foldDeviceList(created, { accountId: uuid(9), verify })).toEqual(broken('account', 1));
    expect(foldList([])).toEqual(broken('action', 1));
    expect(foldList(extend([], add('B'), ACCOUNT_KEY))).toEqual(broken('action', 1));
    const [again] = createList({ seq: 2, prev: deviceStatementHash(created[0]!) });
    expect(foldList([created[0]!, again!])).toEqual(broken('action', 2));
    const foreign = { ...withB[1]!, account_id: uuid(9) };
    expect(foldList([created[0]!, foreign])).toEqual(broken('account', 2));
  });

  it.each<[string, List, BrokenDeviceList['problem']]>([
    ['a device adds another one', extend(created, add('G'), 'A identity'), 'signature'],
    ['the server adds a device', extend(created, add('G'), 'server key'), 'signature'],
    ['a key that was rotated adds a device', extend(rotated, add('G'), ACCOUNT_KEY), 'signature'],
    ['the key that a revoked keeper knew adds a device', extend(withoutB, add('G'), ACCOUNT_KEY), 'signature'],
    ['the recovery key adds a device without a recovery', extend(created, add('G'), RECOVERY_KEY), 'signature'],
    ['the account key recovers', extend(kept, recover([deviceNamed('G', true)]), ACCOUNT_KEY), 'signature'],
    ['a keeper revokes with its own key', extend(kept, revoke('T'), 'B identity'), 'signature'],
    ['a revoked device comes back', extend(withoutT, add('T')), 'device'],
    ['a listed device is added again', extend(kept, add('B')), 'device'],
    ['someone unknown is made a keeper', extend(created, keep('B')), 'device'],
    ['a revoked device is made a keeper', extend(withoutT, keep('T')), 'device'],
    ['a keeper is made one again', extend(kept, keep('B')), 'keeper'],
    ['someone unknown is revoked', extend(created, revoke('B')), 'device'],
    ['a device is revoked twice', extend(withoutT, revoke('T')), 'device'],
    ['a keeper goes and the key it knows stays', extend(kept, revoke('B')), 'keeper'],
    ['a rotation keeps the key', extend(kept, { action: 'rotate', rotation: rotation(ACCOUNT_KEY) }), 'keeper'],
    [
      'the recovery key becomes the account key',
      extend(kept, { action: 'rotate', rotation: rotation(RECOVERY_KEY) }),
      'keeper',
    ],
    [
      'the new key is sealed for no keeper',
      extend(withT, { action: 'rotate', rotation: rotation('k', ['T']) }),
      'keeper',
    ],
    [
      'the new key is sealed for a stranger',
      extend(kept, { action: 'rotate', rotation: rotation('k', ['G']) }),
      'keeper',
    ],
    ['two boxes for one keeper', extend(kept, { action: 'rotate', rotation: rotation('k', ['A', 'A']) }), 'keeper'],
    [
      'the new key is sealed for the keeper that goes',
      extend(kept, revoke('B', { rotate: rotation('k', ['B']) })),
      'keeper',
    ],
    ['a recovery without a keeper', extend(kept, recover([deviceNamed('R')])), 'keeper'],
    [
      'a recovery keeps the account key',
      extend(kept, recover([deviceNamed('A', true)], { key: ACCOUNT_KEY })),
      'keeper',
    ],
    ['a recovery brings a revoked device back', extend(withoutT, recover([deviceNamed('T', true)])), 'device'],
    [
      'a recovery gives a device other keys',
      extend(kept, recover([{ ...deviceNamed('A', true), exchange_key: 'G exchange' }])),
      'device',
    ],
    [
      'a recovery names a device twice',
      extend(kept, recover([deviceNamed('A', true), { ...deviceNamed('A'), keeper: false }])),
      'device',
    ],
    [
      'a recovery names a device that goes under another id',
      extend(kept, recover([{ ...deviceNamed('B', true), device_id: uuid(9) }])),
      'device',
    ],
  ])('EE-18 attack: %s', (_, list, problem) => {
    expect(foldList(list)).toEqual(broken(problem, list.length));
    expect(foldList(list.slice(0, -1)).ok).toBe(true);
  });

  it.each<[string, Partial<ReturnType<typeof deviceNamed>>]>([
    ['its id', { device_id: idOf('T') }],
    ['its identity key', { identity_key: 'T identity' }],
    ['its exchange key', { exchange_key: 'T exchange' }],
  ])('EE-18 attack: a revoked device comes back with %s alone', (_, part) => {
    const { keeper: _keeper, ...device } = { ...deviceNamed('N'), ...part };
    expect(foldList(extend(withoutT, { action: 'add', device }))).toEqual(broken('device', withoutT.length + 1));
  });

  it('EE-17 attack: a first statement that not both of its keys have signed', () => {
    expect(foldList(createList({}, { recovery_signature: ACCOUNT_KEY }))).toEqual(broken('signature', 1));
    expect(foldList(createList({}, { signature: RECOVERY_KEY }))).toEqual(broken('signature', 1));
    // The server puts its own recovery key beside the account key of the person, and the other way round.
    expect(foldList(createList({ recovery_key: 'server key' }, { signature: 'server key' }))).toEqual(
      broken('signature', 1),
    );
    expect(foldList(createList({ account_key: 'server key' }, { recovery_signature: 'server key' }))).toEqual(
      broken('signature', 1),
    );
  });

  it('EE-17 one key is not both, and a list has a keeper from the first', () => {
    expect(foldList(createList({ recovery_key: ACCOUNT_KEY }))).toEqual(broken('keeper', 1));
    expect(foldList(createList({ devices: [deviceNamed('A')] }))).toEqual(broken('keeper', 1));
    const twice = [deviceNamed('A', true), { ...deviceNamed('B'), identity_key: 'A identity' }];
    expect(foldList(createList({ devices: twice }))).toEqual(broken('device', 1));
  });

  it('EE-17 whoever recovers may make any of the devices that stay a keeper, and no other gets the key', () => {
    const settled = extend(withT, {
      ...recover([deviceNamed('A'), deviceNamed('T', true)]),
      rotation: rotation('account key 9', ['T']),
    } as ReturnType<typeof recover>);
    expect([...fold(settled).devices.values()]).toEqual([deviceNamed('A'), deviceNamed('T', true)]);
    expect([...fold(settled).boxes.keys()]).toEqual([idOf('T')]);
    expect(fold(settled).revoked.get(idOf('B'))).toMatchObject({ salt: 'recovery salt' });
    expect(foldList(extend(settled, add('G'), ACCOUNT_KEY))).toEqual(broken('signature', settled.length + 1));
  });

  it('EE-17 attack: a device that is revoked was made a keeper where the signer was not shown it', () => {
    const unaware = extend(extend(withB, add('T')), revoke('T', { rotate: rotation('account key 2', ['A']) }));
    expect(fold(unaware).accountKey).toBe('account key 2');
    expect(foldList(extend(unaware, add('G'), ACCOUNT_KEY))).toEqual(broken('signature', unaware.length + 1));
  });

  it('EE-17 attack: a list is brought to end in the key of another, who has not signed that it is theirs', () => {
    for (const list of [rotated, withoutB, recovered]) {
      const { next_signature, ...last } = list.at(-1) as Extract<DeviceStatement, { action: 'rotate' }>;
      expect(next_signature).toBeDefined();
      const without = last as DeviceStatement;
      const byOther = { ...last, next_signature: last.signature } as DeviceStatement;
      for (const forged of [without, byOther]) {
        expect(foldList([...list.slice(0, -1), forged])).toEqual(broken('signature', list.length));
      }
    }
    const needless = { ...withoutT.at(-1)!, next_signature: 'x' } as DeviceStatement;
    expect(foldList([...withT, needless])).toEqual(broken('signature', withoutT.length));
  });

  it('EE-18 more devices than messages are sealed for are refused', () => {
    let list: List = created;
    for (let n = 1; n < MAX_DEVICES; n++) list = extend(list, add(String.fromCodePoint(0x61 + n)));
    expect(fold(list).devices.size).toBe(MAX_DEVICES);
    expect(foldList(extend(list, add('B')))).toEqual(broken('device', MAX_DEVICES + 1));
  });
});

/** The places of all texts, numbers, booleans, nulls and empty things in a value. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]));
  return inside.length === 0 ? [path] : inside;
}

function changeAt(value: unknown, [key, ...rest]: readonly string[], change: unknown): unknown {
  if (key === undefined) return change;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const fields = copy as Record<string, unknown>;
  if (rest.length === 0 && change === undefined) delete fields[key];
  else fields[key] = changeAt(fields[key], rest, change);
  return copy;
}

describe('EE-18 attack: a server that edits', () => {
  const places = recovered.flatMap((statement, index) => placesIn(statement).map((path) => [index, path] as const));
  const values = [undefined, null, '', 'x', 0, 7, false, true, ACCOUNT, ACCOUNT_KEY, 'T identity', [], {}];

  it(`EE-18 each of ${places.length} fields of a list, changed or taken out, breaks it`, () => {
    for (const [index, path] of places) {
      for (const value of values) {
        const edited = changeAt(recovered[index], path, value) as DeviceStatement;
        if (deviceStatementHash(edited) === deviceStatementHash(recovered[index]!)) continue;
        const list = recovered.with(index, edited);
        expect([path, foldList(list).ok]).toEqual([path, false]);
      }
    }
  });

  it('EE-18 a field that was not there breaks it, too', () => {
    for (const [index, statement] of recovered.entries()) {
      for (const extra of [{ note: 1 }, { keeper: true }, { recovery_signature: 'x' }, { rotation: rotation('k') }]) {
        const edited = { ...statement, ...extra } as DeviceStatement;
        if (deviceStatementHash(edited) === deviceStatementHash(statement)) continue;
        expect(foldList(recovered.with(index, edited)).ok).toBe(false);
      }
    }
  });

  it('EE-18 of all orders of its statements, with some left out or twice, only its beginnings are lists', () => {
    const indices = fc.array(fc.nat({ max: recovered.length - 1 }), { minLength: 1, maxLength: recovered.length + 1 });
    fc.assert(
      fc.property(indices, (order) => {
        const list = order.map((index) => recovered[index]!);
        expect(foldList(list).ok).toBe(order.every((index, place) => index === place));
      }),
      { numRuns: 500 },
    );
  });
});

describe('EE-18 whose signatures count', () => {
  const chain = { kind: 'ledger' as const, id: uuid(5) };
  const named = { ...chain, length: 2, head: 'head 2' };
  const list = fold(extend(withT, revoke('T', { chains: [named] })));

  it('EE-18 a listed device, a revoked one where it is named, nobody else', () => {
    expect(listedSigner(list, idOf('A'), chain)).toEqual({ key: 'A identity' });
    const signer = listedSigner(list, idOf('T'), chain)!;
    expect(signer.key).toBe('T identity');
    expect(signer.named!(2, 'head 2')).toBe(true);
    expect(listedSigner(list, idOf('G'), chain)).toBeUndefined();
  });

  it('EE-18 attack: the name of one head is used for another length, head, chain or kind', () => {
    const signer = listedSigner(list, idOf('T'), chain)!;
    expect(signer.named!(3, 'head 2')).toBe(false);
    expect(signer.named!(2, 'head 3')).toBe(false);
    expect(listedSigner(list, idOf('T'), { ...chain, id: uuid(6) })!.named!(2, 'head 2')).toBe(false);
    expect(listedSigner(list, idOf('T'), { ...chain, kind: 'group' })!.named!(2, 'head 2')).toBe(false);
  });

  it('EE-17 attack: who recovers goes on with a revocation that names more than it knows, or less', () => {
    const heads = Array.from({ length: 9 }, (_, at) => `head ${at + 1}`);
    const at = (length: number) => ({ ...chain, length, head: `head ${length}` });
    const limit = (revoked: number, recovered: number[], device: string) => {
      const before = extend(withT, revoke('T', { chains: [at(revoked)] }));
      const after = recovered.reduce<List>(
        (one, length, n) => extend(one, recover([deviceNamed('A', true)], { key: `key ${n}`, chains: [at(length)] })),
        before,
      );
      return countsUntil(listedSigner(fold(after), idOf(device), chain)!, heads);
    };
    expect(limit(2, [], 'T')).toBe(2);
    expect(limit(9, [2], 'T')).toBe(2);
    expect(limit(2, [9], 'T')).toBe(2);
    expect(limit(9, [5, 3], 'T')).toBe(3);
    expect(limit(2, [9], 'B')).toBe(9);
    expect(limit(2, [9, 4], 'B')).toBe(4);
  });
});

describe('EE-17 two lists of one account', () => {
  const compare = (seen: List, offered: List, { marks = false } = {}): ListComparison =>
    compareLists({ ...fold(seen), ...(marks ? {} : { statements: seen }) }, { ...fold(offered), statements: offered });
  const fork = extend(withB, add('G'));
  const settledHere = extend(kept, recover([deviceNamed('A', true)]));
  const settledThere = extend(fork, recover([deviceNamed('A', true)], { key: 'account key 8' }));
  const evil = { account_key: 'server key', recovery_key: 'server recovery', devices: [deviceNamed('G', true)] };
  const evilRecovery = { ...recover([deviceNamed('G', true)]) };

  it.each<[string, List, List, ListComparison]>([
    ['the same', kept, kept, 'continues'],
    ['one that goes on', kept, withT, 'continues'],
    ['its beginning', withT, kept, 'shortened'],
    ['a beginning from before a recovery', settledHere, withB, 'shortened'],
    ['attack: two successors of one number', kept, fork, 'forked'],
    ['attack: two successors, one of them gone on', withT, fork, 'forked'],
    ['attack: two successors, of which the seen one is shorter', fork, withT, 'forked'],
    ['attack: two recoveries of one number', settledHere, settledThere, 'forked'],
    ['a recovery that goes on', kept, settledHere, 'settled'],
    ['a recovery of the other successor', kept, settledThere, 'settled'],
    ['attack: the successor that the recovery left behind', settledThere, kept, 'superseded'],
    [
      'attack: the same, longer than the recovered one',
      settledHere,
      extend(extend(fork, add('H')), add('I')),
      'superseded',
    ],
    [
      'a second recovery',
      settledThere,
      extend(settledHere, recover([deviceNamed('A', true)], { key: 'k' })),
      'settled',
    ],
  ])('EE-17 %s', (_, seen, offered, comparison) => {
    expect(compare(seen, offered)).toBe(comparison);
  });

  it('EE-17 attack: a list of the server itself, with as many recoveries as it likes', () => {
    const own = createList(evil);
    const often = [1, 2, 3].reduce<List>(
      (list, n) => extend(list, { ...evilRecovery, rotation: rotation(`server key ${n}`) } as never, 'server recovery'),
      own,
    );
    expect(fold(often).recoveries).toBe(3);
    for (const seen of [created, kept, settledHere]) {
      expect(compare(seen, own)).toBe('foreign');
      expect(compare(seen, often)).toBe('foreign');
      expect(compare(seen, often, { marks: true })).toBe('foreign');
    }
  });

  it('EE-17 where only the end was seen, nothing passes for a continuation that is none', () => {
    expect(compare(kept, withT, { marks: true })).toBe('continues');
    expect(compare(withT, kept, { marks: true })).toBe('shortened');
    expect(compare(kept, fork, { marks: true })).toBe('forked');
    expect(compare(withT, fork, { marks: true })).toBe('shortened');
    expect(compare(fork, withT, { marks: true })).toBe('forked');
    expect(compare(kept, settledThere, { marks: true })).toBe('settled');
    expect(compare(settledThere, kept, { marks: true })).toBe('shortened');
    expect(compare(settledHere, extend(extend(fork, add('H')), add('I')), { marks: true })).toBe('superseded');
  });
});
