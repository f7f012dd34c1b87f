import { chainVerifier } from '@parley/e2ee';
import { nodeCrypto as crypto } from '@parley/e2ee/node';
import { type DeviceList, deviceRoutes, foldDeviceList } from '@parley/protocol';
import { SignedAccount } from '@parley/testkit/account';
import { beforeEach, describe, expect, it } from 'vitest';
import { Bench } from '../../tests/binding/bench.ts';
import { fetchList, judgeList, loadList, markOf, type SeenList, storedList } from './device-lists.ts';

const [laptop, phone, tablet] = [0, 1, 2].map(() => SignedAccount.makeDevice()) as [Device, Device, Device];
type Device = ReturnType<typeof SignedAccount.makeDevice>;

const read = ({ accountId, statements }: SignedAccount) => {
  const list = foldDeviceList(statements, { accountId, verify: chainVerifier(crypto) });
  expect(list).toMatchObject({ ok: true });
  return { statements, list: list as DeviceList };
};
const see = (account: SignedAccount, forked = false): SeenList => ({ ...read(account), forked });

/** A list of two devices, and a second one that says the same so far. */
let account: SignedAccount;
beforeEach(() => {
  account = new SignedAccount();
  account.create(laptop);
  account.add(phone);
});

describe('EE-18 a list that the server offers', () => {
  it('EE-18 counts at first sight', () => {
    expect(judgeList({}, read(account))).toEqual({ seen: see(account) });
  });

  it('EE-18 counts when it goes on where the one ends that was seen, by its statements or by its mark', () => {
    const seen = see(account);
    expect(judgeList({ seen }, read(account)).seen).toBe(seen);
    account.revoke(phone);
    expect(judgeList({ seen }, read(account))).toEqual({ seen: see(account) });
    expect(judgeList({ mark: markOf(seen.list) }, read(account))).toEqual({ seen: see(account) });
  });

  it('EE-18 attack: the server leaves out the end of the list, where a device was revoked', () => {
    const before = read(account);
    account.revoke(phone);
    const seen = see(account);
    expect(judgeList({ seen }, before)).toEqual({ seen, problem: 'shortened' });
    expect(judgeList({ mark: markOf(seen.list) }, before)).toEqual({ seen: undefined, problem: 'shortened' });
  });

  it('EE-17 attack: a thief of the account key signs a second successor; nothing counts any more', () => {
    const thief = account.fork();
    account.revoke(phone);
    thief.add(tablet);
    const seen = see(account);
    expect(judgeList({ seen }, read(thief))).toEqual({ seen: { ...seen, forked: true }, problem: 'forked' });
    expect(judgeList({ mark: markOf(seen.list) }, read(thief))).toEqual({ seen: see(thief, true), problem: 'forked' });
  });

  it('EE-17 attack: the server goes back to the list that was seen, as if there had been no second one', () => {
    const seen = see(account, true);
    expect(judgeList({ seen }, read(account))).toEqual({ seen, problem: 'forked' });
    account.add(tablet);
    expect(judgeList({ seen }, read(account))).toEqual({ seen, problem: 'forked' });
  });

  it('EE-17 a fork ends with what the recovery key signs, on the branch that was seen and on the other', () => {
    const other = account.fork();
    other.add(tablet);
    account.revoke(phone);
    const seen = see(account, true);
    other.recover([laptop]);
    expect(judgeList({ seen }, read(other))).toEqual({ seen: see(other) });
    account.recover([laptop]);
    expect(judgeList({ seen }, read(account))).toEqual({ seen: see(account) });
  });

  it('EE-17 attack: the branch that the recovery key has put aside stays so', () => {
    const aside = account.fork();
    aside.add(tablet);
    account.recover([laptop]);
    const seen = see(account);
    for (let length = 0; length < 3; length++) aside.rotate();
    expect(judgeList({ seen }, read(aside))).toEqual({ seen, problem: 'shortened' });
  });

  it('EE-17 attack: a list that begins otherwise is someone else’s, however often it was recovered', () => {
    const foreign = new SignedAccount(account.accountId);
    foreign.create(tablet);
    foreign.recover([tablet]);
    const seen = see(account);
    expect(judgeList({ seen }, read(foreign))).toEqual({ seen, problem: 'foreign' });
    expect(judgeList({ mark: markOf(seen.list) }, read(foreign))).toEqual({ seen: undefined, problem: 'foreign' });
    const forked = see(account, true);
    expect(judgeList({ seen: forked }, read(foreign))).toEqual({ seen: forked, problem: 'foreign' });
  });
});

describe('EE-18 reading a list from the server', () => {
  const bench = (shown: () => SignedAccount) =>
    new Bench().serve(deviceRoutes.accountDevices, ({ after }) => shown().listing([laptop, phone], after));

  it('EE-18 asks only for what follows the list that was seen', async () => {
    const { deps, asked } = bench(() => account);
    const seen = see(account);
    account.add(tablet);
    expect(await fetchList(deps, account.accountId, { seen })).toMatchObject({ seen: { list: { length: 3 } } });
    expect(asked).toHaveLength(1);
  });

  it('EE-18 reads a long list page by page', async () => {
    for (let count = 0; count < 120; count++) account.rotate();
    const { deps, asked } = bench(() => account);
    expect(await fetchList(deps, account.accountId, {})).toMatchObject({ seen: { list: { length: 122 } } });
    expect(asked).toHaveLength(2);
  });

  it('EE-18 reads the whole of one that goes on otherwise, and says which key a foreign one has', async () => {
    const seen = see(account);
    const thief = account.fork();
    account.add(tablet);
    thief.rotate();
    const { deps } = bench(() => thief);
    expect(await fetchList(deps, account.accountId, { seen: see(account) })).toMatchObject({ problem: 'forked' });
    const foreign = new SignedAccount(account.accountId);
    foreign.create(tablet);
    const offered = foreign.publicKey;
    foreign.rotate();
    const other = await fetchList(bench(() => foreign).deps, account.accountId, { seen });
    expect(other).toMatchObject({ seen, problem: 'foreign', offered });
  });

  it('EE-18 attack: a list that does not verify, claims more than it gives, or has vanished changes nothing', async () => {
    const seen = see(account);
    const answer = async (change: object, known: object = { seen }) => {
      const shown = new Bench().serve(deviceRoutes.accountDevices, ({ after }) => ({
        ...account.listing([laptop], after),
        ...change,
      }));
      const { listing: _, ...verdict } = await fetchList(shown.deps, account.accountId, known);
      return verdict;
    };
    const forged = account.statements.map((statement) => ({ ...statement, created_at: '2026-02-02T00:00:00.000Z' }));
    expect(await answer({ statements: forged, length: 2, head: 'f'.repeat(64) })).toEqual({ seen, problem: 'invalid' });
    expect(await answer({ statements: forged, length: 2 }, {})).toEqual({ seen: undefined, problem: 'invalid' });
    expect(await answer({ statements: [], length: 9 })).toEqual({ seen, problem: 'shortened' });
    expect(await answer({ statements: [], length: 9 }, {})).toEqual({ seen: undefined, problem: 'invalid' });
    expect(await answer({ statements: [], length: 0, head: null })).toEqual({ seen, problem: 'shortened' });
    expect(await answer({ statements: [], length: 0, head: null }, { mark: markOf(seen.list) })).toEqual({
      seen: undefined,
      problem: 'shortened',
    });
    expect(await answer({ statements: [], length: 0, head: null }, {})).toEqual({ seen: undefined });
  });

  it('EE-18 attack: the list of another account is not this one’s', async () => {
    const other = new SignedAccount();
    other.create(tablet);
    const { deps } = bench(() => other);
    expect(await fetchList(deps, account.accountId, {})).toMatchObject({ seen: undefined, problem: 'invalid' });
  });
});

describe('EE-18 a list on disk', () => {
  it('EE-18 is as it was seen, forked or not, and is verified when it is read', async () => {
    const load = (entry: readonly [string, string]) =>
      loadList({ get: async (key) => (key === entry[0] ? entry[1] : undefined) }, crypto, account.accountId);
    for (const seen of [see(account), see(account, true)]) {
      expect(await load(storedList(account.accountId, seen))).toEqual(seen);
    }
    const [key, text] = storedList(account.accountId, see(account));
    const altered = text.replace('2026-01-01', '2026-02-02');
    expect(altered).not.toBe(text);
    expect(await load([key, altered])).toBeUndefined();
    expect(await load(storedList('another', see(account)))).toBeUndefined();
  });
});
