import { createDeferred } from '@parley/base';
import { conversationRoutes, type GroupAuthor, type GroupStatement, listedSigner } from '@parley/protocol';
import { SignedAccount, SignedGroup, type TestDevice } from '@parley/testkit/account';
import { beforeEach, describe, expect, it } from 'vitest';
import { Bench } from '../../tests/binding/bench.ts';
import { loadList, storedList } from './device-lists.ts';
import { holdStatement, readGroup } from './groups.ts';

class Person extends SignedAccount {
  readonly laptop = SignedAccount.makeDevice();
  readonly phone = SignedAccount.makeDevice();
  constructor() {
    super();
    this.create(this.laptop);
    this.add(this.phone);
  }
  on({ deviceId, identity }: TestDevice = this.laptop) {
    return { by: { kind: 'human' as const, id: this.accountId, device_id: deviceId }, identity };
  }
  as<Role extends 'admin' | 'member'>(role: Role) {
    return { kind: 'human' as const, id: this.accountId, role };
  }
}

let [ada, bob, eve] = [new Person(), new Person(), new Person()];
let group: SignedGroup;
let shown: (after: number) => unknown;
let bench: Bench;
const page = (statements: readonly GroupStatement[], after: number) => ({
  statements: statements.slice(after),
  length: statements.length,
  head: null,
});

/** As the lists say that the people have signed so far. */
async function signerOf(by: GroupAuthor, id: string) {
  const person = [ada, bob, eve].find(({ accountId }) => accountId === by.id)!;
  const { accountId, statements } = person;
  const entry = storedList(accountId, { statements, forked: false } as never);
  const seen = await loadList({ get: async () => entry[1] }, bench.deps.crypto, accountId);
  return listedSigner(seen!.list, by.device_id, { kind: 'group', id });
}
const read = () => readGroup({ ...bench.deps, signerOf }, group.conversationId);
const members = async () => (await read()).group!.members.map(({ id }) => id);

beforeEach(() => {
  [ada, bob, eve] = [new Person(), new Person(), new Person()];
  group = new SignedGroup();
  group.sign(ada.on(), { action: 'create', title: 'Three', members: [bob.as('admin')] });
  shown = (after) => page(group.statements, after);
  bench = new Bench().serve(conversationRoutes.readGroup, ({ after }) => shown(after));
});

describe('EE-20 who is in a group', () => {
  it('EE-20 is what its creator and its admins signed', async () => {
    expect(await read()).toMatchObject({
      group: { title: 'Three', members: [{ id: ada.accountId, role: 'owner' }, bob.as('admin')], ...group.end },
    });
    group.sign(bob.on(), { action: 'set', member: eve.as('member') });
    expect(await members()).toEqual([ada.accountId, bob.accountId, eve.accountId]);
    group.sign(bob.on(), { action: 'remove', member: { kind: 'human', id: eve.accountId } });
    const { group: now } = await read();
    expect(now!.members).toHaveLength(2);
    expect(now!.past.map(({ id }) => id)).toContain(eve.accountId);
  });

  it('EE-20 of a group that nobody signed nobody is', async () => {
    shown = (after) => page([], after);
    expect(await read()).toEqual({ group: undefined, statements: [] });
  });

  it('EE-20 attack: someone adds herself, as one who is no admin, or in the name of one', async () => {
    for (const signer of [eve.on(), { ...ada.on(), identity: eve.laptop.identity }]) {
      const forged = group.fork();
      forged.sign(signer, { action: 'set', member: eve.as('member') });
      shown = (after) => page(forged.statements, after);
      const problem = signer.by.id === ada.accountId ? 'signature' : 'author';
      expect(await read()).toEqual({ group: undefined, problem, statements: [] });
    }
    shown = (after) => page(group.statements, after);
    await read();
    const forged = group.fork();
    forged.sign(eve.on(), { action: 'set', member: eve.as('member') });
    shown = (after) => page(forged.statements, after);
    expect(await read()).toMatchObject({ problem: 'author', group: { members: [{}, {}] } });
  });

  it('EE-20 attack: the statements of another group', async () => {
    const other = new SignedGroup();
    other.sign(eve.on(), { action: 'create', title: null, members: [ada.as('member')] });
    shown = (after) => page(other.statements, after);
    expect(await read()).toEqual({ group: undefined, problem: 'conversation', statements: [] });
  });

  it('EE-20 attack: the server leaves out the end of the chain, where someone was removed, also after a restart', async () => {
    group.sign(ada.on(), { action: 'set', member: eve.as('member') });
    const before = group.statements;
    group.sign(ada.on(), { action: 'remove', member: { kind: 'human', id: eve.accountId } });
    await read();
    bench = await bench.restart();
    shown = (after) => page(before, after);
    expect(await read()).toMatchObject({ problem: 'shortened' });
    expect(await members()).toEqual([ada.accountId, bob.accountId]);
    shown = () => ({ ...page([], 0), length: 9 });
    expect(await read()).toMatchObject({ problem: 'incomplete', group: { length: 3 } });
    shown = (after) => page([], after);
    expect(await read()).toMatchObject({ problem: 'shortened', group: { length: 3 } });
  });

  it('EE-20 attack: the server takes a removal that this device has signed, and leaves it out later', async () => {
    group.sign(ada.on(), { action: 'set', member: eve.as('member') });
    await read();
    const before = group.statements;
    const removal = group.sign(ada.on(), { action: 'remove', member: { kind: 'human', id: eve.accountId } });
    await holdStatement(bench.deps.held, removal);
    await holdStatement(bench.deps.held, removal);
    shown = (after) => page(before, after);
    expect(await read()).toMatchObject({ problem: 'shortened' });
    expect(await members()).toEqual([ada.accountId, bob.accountId]);
    shown = (after) => page(group.statements, after);
    const bound = await read();
    expect(bound).toMatchObject({ group: { length: 3 } });
    expect(bound.problem).toBeUndefined();
  });

  it('EE-20 attack: a chain that begins anew, signed by the very creator', async () => {
    await read();
    const anew = new SignedGroup(group.conversationId);
    anew.sign(ada.on(), { action: 'create', title: null, members: [eve.as('member')] });
    anew.sign(ada.on(), { action: 'remove', member: { kind: 'human', id: eve.accountId } });
    anew.sign(ada.on(), { action: 'set', member: eve.as('member') });
    shown = (after) => page(anew.statements, after);
    expect(await read()).toMatchObject({ problem: 'prev', group: { members: [{}, { id: bob.accountId }] } });
  });

  it('EE-18 attack: a revoked device and the server let someone in after the revocation', async () => {
    group.sign(ada.on(), { action: 'set', member: eve.as('member') });
    ada.revoke(ada.phone, [{ kind: 'group', id: group.conversationId, ...group.end }]);
    group.sign(ada.on(), { action: 'remove', member: { kind: 'human', id: eve.accountId } });
    await read();
    group.sign(ada.on(ada.phone), { action: 'set', member: eve.as('member') });
    const bound = await read();
    expect(bound).toMatchObject({ group: { length: 4 } });
    expect(bound.problem).toBeUndefined();
    expect(await members()).toEqual([ada.accountId, bob.accountId]);
    // Others go on, although it is in the chain.
    group.sign(bob.on(), { action: 'set', member: eve.as('member') });
    expect(await members()).toContain(eve.accountId);
  });

  it('EE-18 attack: whom a device let in that was revoked since is out, although the chain has not changed', async () => {
    const known = group.end;
    group.sign(ada.on(ada.phone), { action: 'set', member: eve.as('member') });
    expect(await members()).toContain(eve.accountId);
    ada.revoke(ada.phone, [{ kind: 'group', id: group.conversationId, ...known }]);
    expect(await members()).toEqual([ada.accountId, bob.accountId]);
  });

  it('EE-20 attack: the server answers an older request last, from before someone was removed', async () => {
    group.sign(ada.on(), { action: 'set', member: eve.as('member') });
    await read();
    const before = group.statements;
    group.sign(ada.on(), { action: 'remove', member: { kind: 'human', id: eve.accountId } });
    const late = createDeferred<unknown>();
    const now = shown;
    shown = () => late.promise;
    const first = read();
    await new Promise(setImmediate);
    shown = now;
    expect(await members()).toHaveLength(2);
    late.resolve(page(before, before.length));
    expect((await first).group!.members).toHaveLength(2);
    bench = await bench.restart();
    shown = (after) => page(before, after);
    expect(await members()).toHaveLength(2);
  });
});
