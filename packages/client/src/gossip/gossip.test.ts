import { chainVerifier } from '@parley/e2ee';
import { nodeCrypto as crypto } from '@parley/e2ee/node';
import { createMemoryStore, storedList } from '@parley/messenger';
import { type DeviceList, entryHash, foldDeviceList, type Head, type LedgerEntry } from '@parley/protocol';
import { SignedAccount } from '@parley/testkit/account';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RelationState } from '../agents/relation-state.ts';
import { loadAccountDenials } from '../guard/account-denials.ts';
import { createProblems } from '../problems.ts';
import { findLastTaken, isFurther, isManifestShown } from './compare-heads.ts';
import { createGossip } from './gossip.ts';
import { type HeardHeads, loadHeardHeads } from './heard-heads.ts';
import { findUnawareOfRevocation, judgeRelation } from './judge-relation.ts';

const [laptop, phone, tablet] = [0, 1, 2].map(() => SignedAccount.makeDevice()) as [Device, Device, Device];
type Device = ReturnType<typeof SignedAccount.makeDevice>;

const RELATION = '0197a0f0-0000-7000-8000-000000000001';
const AGENT = '0197a0f0-0000-7000-8000-000000000002';

const entry = (seq: number, action: LedgerEntry['action'], scopes: readonly string[], by = laptop): LedgerEntry =>
  ({ seq, action, device_id: by.deviceId, scopes: scopes.map((id) => ({ id, sensitivity: 'low' })) }) as LedgerEntry;
const ENTRIES = [entry(1, 'grant', ['a', 'b']), entry(2, 'change', ['a']), entry(3, 'change', ['a', 'c'])];
const ledger = (length: number, head = entryHash(ENTRIES[length - 1]!)): Head => ({
  kind: 'ledger',
  id: RELATION,
  length,
  head,
});
const manifest = (version: number, hash = 'a'.repeat(64)): Head => ({ kind: 'manifest', id: AGENT, version, hash });

/** The relation as this device, the laptop, was shown it. */
const relation = (entries = ENTRIES, more: Partial<RelationState> = {}) =>
  ({
    wire: { relation_id: RELATION, agent_id: AGENT, status: 'active' },
    chain: { entries, granted: new Map([['a', 'low']]) },
    announced: { version: 2, hash: 'a'.repeat(64), name: '' },
    blocked: new Set(),
    ...more,
  }) as RelationState;

let account: SignedAccount;
let disk: Map<string, string>;
const store = () => createMemoryStore(disk);
const listOf = () => {
  const { accountId, statements } = account;
  return foldDeviceList(statements, { accountId, verify: chainVerifier(crypto) }) as DeviceList;
};
const show = () => {
  const seen = { statements: account.statements, list: listOf(), forked: false };
  const [key, text] = storedList(account.accountId, seen);
  disk.set(key, text);
};
const load = () => loadHeardHeads({ store: store(), crypto, accountId: account.accountId, deviceId: laptop.deviceId });
const ownList = (): Head => {
  const { length, head, root, recoveries } = listOf();
  return { kind: 'devices', id: account.accountId, length, head, root, recoveries };
};

let heard: HeardHeads;
beforeEach(async () => {
  account = new SignedAccount();
  account.create(laptop);
  account.add(phone);
  disk = new Map([[`client/device-name/${phone.deviceId}`, 'my phone']]);
  show();
  heard = await load();
});
const judge = (state = relation()) => judgeRelation(heard, account.accountId, state);
const PHONE = { deviceId: phone.deviceId, name: 'my phone' };

describe('EE-23 what another own device says', () => {
  it('EE-23 attack: an old message, played again or late, takes nothing back of what was heard', async () => {
    expect(await heard.add(phone.deviceId, [ledger(3)])).toHaveLength(1);
    expect(await heard.add(phone.deviceId, [ledger(2), ledger(3)])).toEqual([]);
    expect(heard.of(phone.deviceId, { kind: 'ledger', id: RELATION })).toEqual(ledger(3));
    expect((await load()).all().map(({ head }) => head)).toEqual([ledger(3)]);
  });

  it('EE-23 a list that the recovery key has settled says more than a longer one of before', () => {
    const list = (length: number, recoveries: number): Head => ({ ...ownList(), length, recoveries }) as Head;
    expect(isFurther(list(2, 1), list(9, 0))).toBe(true);
    expect(isFurther(list(9, 0), list(2, 1))).toBe(false);
    expect(isFurther(manifest(3), manifest(2))).toBe(true);
    expect(isFurther(manifest(2, 'b'.repeat(64)), manifest(2))).toBe(false);
  });

  it('EE-23 attack: one that the list does not name, or no longer, is not heard', async () => {
    expect(await heard.add(tablet.deviceId, [ledger(3, 'f'.repeat(64))])).toEqual([]);
    await heard.add(phone.deviceId, [ledger(3, 'f'.repeat(64))]);
    expect(judge().withheldBy).toEqual(PHONE);
    account.revoke(phone);
    show();
    expect(await heard.reload()).toHaveLength(1);
    expect(judge().withheldBy).toBeUndefined();
    expect([...disk.keys()].filter((key) => key.startsWith('client/heard/'))).toEqual([]);
  });

  it('EE-23 attack: a device that says more than can be stored is heard up to a bound', async () => {
    const id = (at: number) => `0197a0f0-0000-7000-8000-${String(at).padStart(12, '0')}`;
    const many = Array.from({ length: 5_100 }, (_, at): Head => ({ ...ledger(1), id: id(at) }) as Head);
    expect(await heard.add(phone.deviceId, many)).toHaveLength(5_000);
    // What it has said before can still grow.
    expect(await heard.add(phone.deviceId, [{ ...ledger(3), id: id(0) } as Head])).toHaveLength(1);
  });
});

describe('EE-23 a relation that another own device knows more about', () => {
  it('EE-23 is not used while its ledger lacks what the other was shown, or says something else there', async () => {
    expect(judge().withheldBy).toBeUndefined();
    await heard.add(phone.deviceId, [ledger(3)]);
    expect(judge().withheldBy).toBeUndefined();
    expect(judge(relation(ENTRIES.slice(0, 2))).withheldBy).toEqual(PHONE);
    const other = [...ENTRIES.slice(0, 2), entry(3, 'change', ['a', 'd'])];
    expect(judge(relation(other)).withheldBy).toEqual(PHONE);
    expect(judge(relation([...ENTRIES, entry(4, 'change', ['a'])])).withheldBy).toBeUndefined();
  });

  it('EE-23 nor while its manifest is older, or another one of the same number', async () => {
    await heard.add(phone.deviceId, [manifest(2)]);
    expect(judge().withheldBy).toBeUndefined();
    await heard.add(phone.deviceId, [manifest(3)]);
    expect(judge().withheldBy).toEqual(PHONE);
    expect(isManifestShown({ version: 2, hash: 'a' }, { version: 2, hash: 'b' })).toBe(false);
    expect(isManifestShown({ version: 2, hash: 'a' }, { version: 3, hash: 'b' })).toBe(true);
    expect(isManifestShown({ version: 1, hash: 'a' }, undefined)).toBe(false);
  });

  it('EE-23 nor while the list of the own devices is older: every grant hangs on it', async () => {
    await heard.add(phone.deviceId, [ownList()]);
    expect(judge().withheldBy).toBeUndefined();
    account.add(tablet);
    account.revoke(tablet);
    await heard.add(phone.deviceId, [ownList()]);
    expect(judge().withheldBy).toEqual(PHONE);
    show();
    await heard.reload();
    expect(judge().withheldBy).toBeUndefined();
  });
});

describe('EE-23 EE-24 a manifest that only another own device was shown', () => {
  const AGENT_MANIFEST = { kind: 'manifest', id: AGENT } as const;

  /** The server shows version 2; `refresh` is what it answers when it is asked for the other one. */
  const hear = async (refresh: (announced: { version: number; hash: string }) => void, head: Head) => {
    const announced = { version: 2, hash: 'a'.repeat(64), name: '' };
    const problems = createProblems(() => new Date(0));
    const gossip = createGossip({
      accountId: account.accountId,
      store: store(),
      platform: { crypto, now: () => new Date(0), setTimer: () => () => {} },
      messenger: { flush: async () => {}, status: () => 'offline' },
      registry: {
        get: () => undefined,
        byAgent: () => ({ wire: { status: 'active' } }),
        reconsider: () => {},
        reread: async () => {},
      },
      manifests: { announced: () => announced, announce: async () => {}, refresh: async () => refresh(announced) },
      heard,
      problems,
      background: () => {},
    } as unknown as Parameters<typeof createGossip>[0]);
    await gossip.hear(phone.deviceId, [head]);
    return problems.getSnapshot().map(({ problem }) => problem);
  };

  it('EE-24 attack: one lie lasts: what it was shown by a lying server stops nothing here once the server denies it', async () => {
    expect(await hear(() => {}, manifest(1_000_000))).toEqual([]);
    expect(heard.of(phone.deviceId, AGENT_MANIFEST)).toBeUndefined();
    expect((await load()).all()).toEqual([]);
    // The same number with another text, too.
    expect(await hear(() => {}, manifest(2, 'b'.repeat(64)))).toEqual([]);
    expect(judge().withheldBy).toBeUndefined();
  });

  it('EE-23 counts from when the server shows it; while it cannot be asked, nothing of the agent is used', async () => {
    expect(await hear((announced) => Object.assign(announced, { version: 3 }), manifest(3))).toEqual([]);
    expect(heard.of(phone.deviceId, AGENT_MANIFEST)).toEqual(manifest(3));
    const fail = () => expect.unreachable('no network');
    expect(await hear(fail, manifest(4))).toMatchObject([
      { kind: 'withheld', subject: 'manifest', device: 'my phone' },
    ]);
    expect(judge().withheldBy).toEqual(PHONE);
  });
});

describe('CG-6 what another own device says of what is always denied', () => {
  it('EE-18 attack: a device that the list does not name, or no longer, neither denies nor lifts; one that was heard before counts no more', async () => {
    const denials = await loadAccountDenials(store(), {
      deviceId: laptop.deviceId,
      newId: () => 'made-here',
      isListed: (id) => heard.others().some(({ deviceId }) => deviceId === id),
    });
    const rechecked: string[] = [];
    const gossip = createGossip({
      accountId: account.accountId,
      platform: { crypto, now: () => new Date(0), setTimer: () => () => {} },
      messenger: { flush: async () => {} },
      registry: { reconsider: () => {} },
      heard,
      denials,
      recheck: (agentId: string) => rechecked.push(agentId),
    } as unknown as Parameters<typeof createGossip>[0]);
    await denials.decide({ agentId: AGENT, toolName: 'say_high' }, { denied: true, at: 1 });
    const [made] = denials.statements();
    const lift = [{ ...made!, state: 'lifted' as const }];
    const deniedTools = () => [...denials.getSnapshot().values()].map(({ toolName }) => toolName);

    const other = [{ ...made!, id: 'another', tool_name: 'say_low' }];
    for (const said of [lift, other]) await gossip.hearDenials(tablet.deviceId, said);
    expect([deniedTools(), rechecked]).toEqual([['say_high'], []]);
    await gossip.hearDenials(phone.deviceId, lift);
    expect([deniedTools(), rechecked]).toEqual([[], [AGENT]]);
    account.revoke(phone);
    show();
    await gossip.listChanged();
    expect([deniedTools(), rechecked]).toEqual([['say_high'], [AGENT, AGENT]]);
    for (const said of [lift, other]) await gossip.hearDenials(phone.deviceId, said);
    expect(deniedTools()).toEqual(['say_high']);
  });
});

describe('EE-23 who has confirmed what was taken back', () => {
  it('EE-23 is a device that says it was shown that entry or a later one, of this very chain', async () => {
    expect(findLastTaken(ENTRIES)).toBe(2);
    expect(findLastTaken(ENTRIES.slice(0, 1))).toBe(0);
    expect(findLastTaken([...ENTRIES, entry(4, 'revoke', [])])).toBe(4);
    expect(judge(relation(ENTRIES.slice(0, 1))).unconfirmed).toEqual([]);
    expect(judge().unconfirmed).toEqual([PHONE]);
    await heard.add(phone.deviceId, [ledger(1)]);
    expect(judge().unconfirmed).toEqual([PHONE]);
    await heard.add(phone.deviceId, [ledger(2, 'f'.repeat(64))]);
    expect(judge().unconfirmed).toEqual([PHONE]);
    await heard.add(phone.deviceId, [ledger(3)]);
    expect(judge().unconfirmed).toEqual([]);
  });

  it('EE-23 is whoever took it back, or has signed since', () => {
    const own = [...ENTRIES.slice(0, 1), entry(2, 'change', ['a'], phone)];
    expect(judge(relation(own)).unconfirmed).toEqual([]);
    expect(judge(relation([...ENTRIES.slice(0, 2), entry(3, 'change', ['a', 'c'], phone)])).unconfirmed).toEqual([]);
  });

  it('EE-23 is nobody while the server has not been told', async () => {
    await heard.add(phone.deviceId, [ledger(3)]);
    expect(judge(relation(ENTRIES, { blocked: new Set(['a']) })).unconfirmed).toEqual([PHONE]);
    expect(judge(relation(ENTRIES, { blocked: new Set(['*']) })).unconfirmed).toEqual([PHONE]);
    expect(judge(relation(ENTRIES, { blocked: new Set(['gone']) })).unconfirmed).toEqual([]);
  });

  it('EE-23 of a device that was removed: those that say they have that list', async () => {
    const unaware = () => findUnawareOfRevocation(heard, account.accountId);
    expect(unaware()).toEqual([]);
    account.add(tablet);
    const before = ownList();
    account.revoke(tablet);
    show();
    await heard.reload();
    await heard.add(phone.deviceId, [before]);
    expect(unaware()).toEqual([PHONE]);
    await heard.add(phone.deviceId, [ownList()]);
    expect(unaware()).toEqual([]);
  });
});
