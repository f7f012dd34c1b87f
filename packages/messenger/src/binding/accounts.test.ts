import { createDeferred } from '@parley/base';
import { toBase64Url } from '@parley/e2ee';
import { deviceRoutes, deviceStatementHash } from '@parley/protocol';
import { SignedAccount, type TestDevice } from '@parley/testkit/account';
import { beforeEach, describe, expect, it } from 'vitest';
import { Bench, notFound } from '../../tests/binding/bench.ts';
import { bindAccount, findSeenIdentity, findSeenSigner } from './accounts.ts';

const [laptop, phone, ghost] = [0, 1, 2].map(() => SignedAccount.makeDevice()) as [TestDevice, TestDevice, TestDevice];
const chain = { kind: 'ledger', id: 'a relation' } as const;

let account: SignedAccount;
/** What the server shows now; it lets in the devices of `letIn`. */
let shown: () => unknown;
let letIn: TestDevice[];
let after = 0;
let bench: Bench;
beforeEach(() => {
  account = new SignedAccount();
  account.create(laptop);
  account.add(phone);
  letIn = [laptop, phone];
  shown = () => account.listing(letIn, after);
  bench = new Bench().serve(deviceRoutes.accountDevices, (request) => {
    after = request.after;
    return shown();
  });
});

const bind = (ownAccount?: string) => bindAccount({ ...bench.deps, ownAccount }, account.accountId);
const wraps = async () => (await bind()).devices.map(({ address }) => address);
const keyOf = ({ identity }: TestDevice) => toBase64Url(identity.publicKey);
const restart = async () => {
  bench = await bench.restart();
};

describe('EE-18 the devices of an account', () => {
  it('EE-18 are those that its list names; their keys come from the list', async () => {
    const [listed] = (await bind()).devices;
    expect(await bind()).toMatchObject({ trust: { state: 'ok', key: account.publicKey, verified: false } });
    expect(await wraps()).toEqual([laptop.deviceId, phone.deviceId]);
    expect(listed).toMatchObject({ pin: { identityKey: keyOf(laptop) }, identityKey: laptop.identity.publicKey });
    expect(bench.problems).toEqual([]);
  });

  it('EE-18 attack: a ghost device that the server adds, or keys of its own for a listed one', async () => {
    letIn = [laptop, phone, ghost];
    expect(await wraps()).toEqual([laptop.deviceId, phone.deviceId]);
    letIn = [laptop, { ...ghost, deviceId: phone.deviceId }];
    const [, second] = (await bind()).devices;
    expect(second).toMatchObject({ identityKey: phone.identity.publicKey, exchangeKey: phone.exchange.publicKey });
    expect((await bind()).signer(ghost.deviceId, chain)).toBeUndefined();
  });

  it('EE-18 a device that the server merely says is gone gets no wraps, and works again when it says otherwise', async () => {
    await bind();
    letIn = [laptop];
    expect(await wraps()).toEqual([laptop.deviceId]);
    expect((await bind()).signer(phone.deviceId, chain)).toEqual({ key: keyOf(phone) });
    letIn = [laptop, phone];
    expect(await wraps()).toEqual([laptop.deviceId, phone.deviceId]);
    expect(bench.problems).toEqual([]);
  });

  it('EE-18 attack: a device that the list has revoked is let in again, also when the server claims not to know the account', async () => {
    await bind();
    const before = account.fork();
    account.revoke(phone);
    expect(await wraps()).toEqual([laptop.deviceId]);
    await restart();
    shown = () => before.listing([laptop, phone], after);
    expect(await wraps()).toEqual([laptop.deviceId]);
    expect(bench.problems).toEqual([{ kind: 'device_list', accountId: account.accountId, problem: 'shortened' }]);
    shown = () => {
      throw notFound();
    };
    await expect(bind()).rejects.toMatchObject({ status: 404 });
    const seen = ({ deviceId }: TestDevice) => findSeenIdentity(bench.deps, { accountId: account.accountId, deviceId });
    expect(await seen(phone)).toBeUndefined();
    expect(await seen(laptop)).toBe(keyOf(laptop));
    expect(await seen(ghost)).toBeUndefined();
  });

  it('EE-18 attack: signatures of a revoked device count up to the heads that its revocation names', async () => {
    const head = 'a'.repeat(64);
    account.revoke(phone, [{ ...chain, length: 2, head }]);
    const signer = (await bind()).signer(phone.deviceId, chain)!;
    expect(signer.key).toBe(keyOf(phone));
    expect([signer.named!(2, head), signer.named!(3, head), signer.named!(2, 'b'.repeat(64))]).toEqual([
      true,
      false,
      false,
    ]);
    expect((await bind()).signer(phone.deviceId, { ...chain, id: 'another' })!.named!(2, head)).toBe(false);
  });

  it('EE-17 a new account key is followed over the statements of the old one, and stays verified', async () => {
    await bind();
    bench.deps.pins.set('account', account.accountId, {
      ...bench.deps.pins.peek('account', account.accountId)!,
      verified: true,
    });
    const old = account.publicKey;
    account.rotate();
    expect(account.publicKey).not.toBe(old);
    expect(await bind()).toMatchObject({ trust: { state: 'ok', key: account.publicKey, verified: true } });
    await restart();
    expect(await bind()).toMatchObject({ trust: { state: 'ok', key: account.publicKey, verified: true } });
    expect(bench.problems).toEqual([]);
  });

  it('EE-18 attack: a list that does not verify leaves the one in force that was seen', async () => {
    await bind();
    const forger = account.fork();
    forger.accountKey = new SignedAccount().accountKey;
    forger.add(ghost);
    shown = () => forger.listing([laptop, phone, ghost], after);
    expect(await wraps()).toEqual([laptop.deviceId, phone.deviceId]);
    expect(bench.problems).toEqual([{ kind: 'device_list', accountId: account.accountId, problem: 'invalid' }]);
  });

  it('EE-18 attack: at first sight, a list that does not verify names nobody, whatever certificates come with it', async () => {
    const [first, ...rest] = account.statements;
    const broken = [{ ...first!, created_at: '2026-02-02T00:00:00.000Z' }, ...rest];
    shown = () => ({ ...account.oldListing([laptop]), statements: broken, length: 2, head: 'f'.repeat(64) });
    const bound = await bind();
    expect(bound).toMatchObject({ trust: { state: 'device_list' }, devices: [] });
    expect(bound.signer(laptop.deviceId, chain)).toBeUndefined();
  });

  /** Whoever knows the public half of a key can rotate to it: all that the server needs for a list that ends in it. */
  const forge = () => {
    const forged = new SignedAccount(account.accountId);
    forged.create(ghost);
    forged.rotate({ ...forged.accountKey, publicKey: account.accountKey.publicKey });
    return forged;
  };

  it('EE-9 attack: a list of the server’s own that ends in the pinned key is not that of whoever pinned it', async () => {
    const forged = forge();
    bench.deps.pins.set('account', account.accountId, { key: account.publicKey, verified: true });
    shown = () => forged.listing([ghost], after);
    expect(await wraps()).toEqual([]);
    expect((await bind()).signer(ghost.deviceId, chain)).toBeUndefined();
    // Nobody can rotate to a key that they do not hold.
    expect(bench.problems[0]).toMatchObject({ kind: 'device_list', problem: 'invalid' });
  });

  it('EE-9 a key that is accepted by hand is the one that the new list begins with, and its rotations are followed', async () => {
    await bind();
    const renewed = new SignedAccount(account.accountId);
    renewed.create(laptop);
    const first = renewed.publicKey;
    renewed.rotate();
    shown = () => renewed.listing([laptop], after);
    expect(await bind()).toMatchObject({ trust: { state: 'identity_changed', offered: first } });
    bench.deps.pins.set('account', account.accountId, { key: first, verified: false });
    bench.deps.held.set(`list/${account.accountId}`, null);
    expect(await bind()).toMatchObject({ trust: { state: 'ok', key: renewed.publicKey } });
    expect(await wraps()).toEqual([laptop.deviceId]);
  });

  it('EE-9 attack: another list under the name of the account is an identity change; the one that was seen stays usable', async () => {
    await bind();
    const foreign = new SignedAccount(account.accountId);
    foreign.create(ghost);
    const changed = { known: account.publicKey, offered: foreign.publicKey };
    foreign.recover([ghost]);
    const honest = shown;
    shown = () => foreign.listing([laptop, phone, ghost], after);
    const bound = await bind();
    expect(bound).toMatchObject({ trust: { state: 'identity_changed', ...changed }, devices: [] });
    expect(bound.signer(laptop.deviceId, chain)).toEqual({ key: keyOf(laptop) });
    expect(bound.signer(ghost.deviceId, chain)).toBeUndefined();
    const party = { kind: 'account', id: account.accountId };
    expect(bench.problems).toEqual([{ kind: 'identity_changed', party, ...changed }]);
    shown = honest;
    await restart();
    expect(await wraps()).toEqual([laptop.deviceId, phone.deviceId]);
  });

  it('EE-17 attack: two successors of one number: nobody is written to and nothing counts, after a restart too, until it is settled', async () => {
    const thief = account.fork();
    account.rotate();
    await bind();
    thief.add(ghost);
    const honest = shown;
    shown = () => thief.listing([laptop, phone, ghost], after);
    expect(await bind()).toMatchObject({ trust: { state: 'forked' }, devices: [] });
    await restart();
    shown = honest;
    const bound = await bind();
    expect(bound).toMatchObject({ trust: { state: 'forked' }, devices: [] });
    expect(bound.signer(laptop.deviceId, chain)).toBeUndefined();
    expect(await findSeenSigner(bench.deps, account.accountId, laptop.deviceId, chain)).toBeUndefined();
    expect(bench.problems).toEqual([{ kind: 'device_list', accountId: account.accountId, problem: 'forked' }]);
    account.recover([laptop]);
    expect(await wraps()).toEqual([laptop.deviceId]);
    await restart();
    expect(await wraps()).toEqual([laptop.deviceId]);
    expect(bench.problems).toEqual([]);
  });

  it('EE-18 attack: the server answers an older request last, from before a revocation', async () => {
    await bind();
    const before = account.listing(letIn, 2);
    account.revoke(phone);
    const late = createDeferred<unknown>();
    const now = shown;
    shown = () => late.promise;
    const first = bind();
    await new Promise(setImmediate);
    shown = now;
    expect(await wraps()).toEqual([laptop.deviceId]);
    late.resolve(before);
    expect((await first).devices.map(({ address }) => address)).toEqual([laptop.deviceId]);
    await restart();
    shown = () => before;
    expect(await wraps()).toEqual([laptop.deviceId]);
  });

  it('EE-18 what is known by its end only, from the device that let this one in, bounds what the server may show', async () => {
    await bind();
    const full = account.fork();
    account.revoke(phone);
    await bind();
    await bench.saved();
    bench.disk.delete(`list/${account.accountId}`);
    await restart();
    shown = () => full.listing([laptop, phone], after);
    expect(await bind()).toMatchObject({ trust: { state: 'device_list' }, devices: [] });
    expect(bench.problems).toMatchObject([{ problem: 'shortened' }]);
    const { deviceId } = laptop;
    expect(await findSeenIdentity(bench.deps, { accountId: account.accountId, deviceId })).toBeUndefined();
    shown = () => account.listing([laptop, phone], after);
    expect(await wraps()).toEqual([laptop.deviceId]);
  });
});

describe('EE-16 the own account', () => {
  it('EE-16 attack: the server answers a fresh registration with a list, or a key and certificates, of its own', async () => {
    expect(await bind(account.accountId)).toMatchObject({ trust: { state: 'no_keys' }, devices: [] });
    shown = () => account.oldListing([laptop]);
    expect(await bind(account.accountId)).toMatchObject({ trust: { state: 'no_keys' }, devices: [] });
    await bench.saved();
    expect([...bench.disk.keys()]).toEqual([]);
  });

  it('EE-16 attack: a device of the version before, which holds the account key, is shown a list under another', async () => {
    const own = new SignedAccount(account.accountId);
    bench.deps.pins.set('account', account.accountId, { key: own.publicKey, verified: true });
    const changed = { known: own.publicKey, offered: account.publicKey };
    const bound = await bind(account.accountId);
    expect(bound).toMatchObject({ trust: { state: 'identity_changed', ...changed }, devices: [] });
    expect(bound.signer(laptop.deviceId, chain)).toBeUndefined();
    own.create(laptop);
    own.rotate();
    shown = () => own.listing([laptop], after);
    expect(await bind(account.accountId)).toMatchObject({ trust: { state: 'ok', verified: true, key: own.publicKey } });
  });
});

describe('EE-14 an account without a list', () => {
  const revokedAt = () => bench.deps.pins.peek('account', account.accountId)!.revoked;
  beforeEach(() => {
    account = new SignedAccount();
    shown = () => account.oldListing([laptop, phone]);
  });

  it('EE-14 has the devices that its account key certified', async () => {
    expect(await wraps()).toEqual([laptop.deviceId, phone.deviceId]);
    const thief = new SignedAccount(account.accountId);
    shown = () => {
      const { devices, ...listing } = account.oldListing([laptop]);
      return { ...listing, devices: [...devices, ...thief.oldListing([ghost]).devices] };
    };
    expect(await wraps()).toEqual([laptop.deviceId]);
  });

  it('EE-14 a device that the server calls revoked gets nothing, also where it shows the device besides', async () => {
    await bind();
    shown = () => account.oldListing([laptop, phone], [phone]);
    const bound = await bind();
    expect(bound.devices).toHaveLength(1);
    expect(bound.signer(phone.deviceId, chain)).toEqual({ key: keyOf(phone) });
    expect(revokedAt()).toEqual({ [keyOf(phone)]: '2026-01-01T00:00:00.000Z' });
  });

  it('EE-24 attack: one lie lasts: a false list of revoked devices ends with the lie, over a restart too', async () => {
    await bind();
    shown = () => account.oldListing([laptop], [phone]);
    expect(await wraps()).toEqual([laptop.deviceId]);
    await restart();
    shown = () => account.oldListing([laptop, phone]);
    expect(await wraps()).toEqual([laptop.deviceId, phone.deviceId]);
    // What it once called revoked is remembered for the day when a list is made of certificates.
    expect(revokedAt()).toEqual({ [keyOf(phone)]: '2026-01-01T00:00:00.000Z' });
  });

  it('EE-14 attack: another account key', async () => {
    await bind();
    const thief = new SignedAccount(account.accountId);
    shown = () => thief.oldListing([ghost]);
    const changed = { known: account.publicKey, offered: thief.publicKey };
    expect(await bind()).toMatchObject({ trust: { state: 'identity_changed', ...changed }, devices: [] });
    expect(bench.problems).toMatchObject([{ kind: 'identity_changed', ...changed }]);
  });

  it('EE-18 attack: once a list was seen, certificates count no more', async () => {
    await bind();
    account.create(laptop);
    shown = () => account.listing([laptop, phone], after);
    expect(await wraps()).toEqual([laptop.deviceId]);
    shown = () => account.oldListing([laptop, phone]);
    expect(await wraps()).toEqual([laptop.deviceId]);
    await restart();
    expect(await wraps()).toEqual([laptop.deviceId]);
    expect(bench.problems).toMatchObject([{ kind: 'device_list', problem: 'shortened' }]);
    bench.disk.delete(`list/${account.accountId}`);
    await restart();
    expect(await bind()).toMatchObject({ trust: { state: 'device_list' }, devices: [] });
  });

  it('EE-18 attack: the first list of an account that was pinned without one is under another key', async () => {
    await bind();
    const thief = new SignedAccount(account.accountId);
    thief.create(ghost);
    shown = () => thief.listing([ghost], after);
    expect(await bind()).toMatchObject({ trust: { state: 'identity_changed', offered: thief.publicKey }, devices: [] });
    await restart();
    account.create(laptop);
    shown = () => account.listing([laptop], after);
    expect(await wraps()).toEqual([laptop.deviceId]);
  });
});

describe('EE-23 a list that another own device has seen more of', () => {
  const mark = () => {
    const { statements } = account;
    const head = deviceStatementHash(statements.at(-1)!);
    return { length: statements.length, head, root: deviceStatementHash(statements[0]!), recoveries: 0 };
  };
  const bindHeard = (marks: ReturnType<typeof mark>[], ownAccount?: string) =>
    bindAccount({ ...bench.deps, ownAccount, heard: { list: () => marks, group: () => [] } }, account.accountId);

  it('EE-23 attack: the server keeps a revocation back: nothing is sealed for the account until it is shown', async () => {
    const before = account.listing(letIn, 0);
    account.revoke(phone);
    const heard = mark();
    shown = () => before;
    expect((await bindHeard([])).trust).toMatchObject({ state: 'ok' });
    const kept = await bindHeard([heard]);
    expect(kept.trust).toEqual({ state: 'device_list' });
    // What its devices send can still be opened, so that nothing is lost.
    expect(kept.devices).toHaveLength(2);
    shown = () => account.listing(letIn, after);
    expect((await bindHeard([heard])).trust).toMatchObject({ state: 'ok' });
    expect((await bindHeard([{ ...heard, head: 'f'.repeat(64) }])).trust).toEqual({ state: 'device_list' });
  });

  it('EE-23 of the own account, the client speaks: own devices go on telling each other', async () => {
    await bind();
    bench.deps.pins.set('account', account.accountId, { key: account.publicKey, verified: true });
    const beyond = { ...mark(), length: 99 };
    expect((await bindHeard([beyond], account.accountId)).trust).toMatchObject({ state: 'ok' });
  });
});
