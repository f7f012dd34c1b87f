import { describe, expect, it } from 'vitest';
import { signAs, uuid, verify } from '../../tests/symbolic.ts';
import { finish, type Signer } from './chain.ts';
import {
  applyGroupStatement,
  continueGroup,
  foldGroup,
  type GroupAuthor,
  type GroupMember,
  type GroupMembers,
  type GroupProblem,
  type GroupStatement,
  groupStatementBytes,
  groupStatementHash,
  MAX_GROUP_MEMBERS,
  readGroupInSteps,
} from './group.ts';

// The vectors have every rule with real signatures; here are those that need many statements or other readers.

const CONVERSATION = uuid(1);
const person = (n: number, device = n): GroupAuthor => ({ kind: 'human', id: uuid(n), device_id: uuid(0xd0 + device) });
const [ann, annsStolen, bob, cleo] = [person(0xa), person(0xa, 0xf), person(0xb), person(0xc)];
const bot = { kind: 'agent' as const, id: uuid(0xb07) };
type Party = Pick<GroupMember, 'kind' | 'id'>;
const keyOf = (by: GroupAuthor) => `${by.id} ${by.device_id}`;
const member = ({ kind, id }: Party) => ({ kind, id });

type Change<S> = S extends unknown
  ? Omit<S, 'version' | 'conversation_id' | 'seq' | 'prev' | 'created_at' | 'by' | 'signature'>
  : never;

function extend(list: readonly GroupStatement[], by: GroupAuthor, change: Change<GroupStatement>): GroupStatement[] {
  const last = list.at(-1);
  const statement = {
    version: 1,
    conversation_id: CONVERSATION,
    seq: list.length + 1,
    prev: last === undefined ? null : groupStatementHash(last),
    created_at: '2026-01-02T03:04:05Z',
    by,
    ...change,
    signature: '',
  } as GroupStatement;
  return [...list, { ...statement, signature: signAs(keyOf(by), groupStatementBytes(statement)) }];
}

const create = (...others: readonly Party[]) =>
  extend([], ann, { action: 'create', title: null, members: others.map((by) => ({ ...member(by), role: 'member' })) });
const set = (by: Party, role: 'admin' | 'member' = 'member'): Change<GroupStatement> => ({
  action: 'set',
  member: { ...member(by), role },
});
const remove = (by: Party): Change<GroupStatement> => ({ action: 'remove', member: member(by) });

/** `limits`: up to where the statements of a revoked device count. */
function fold(list: readonly GroupStatement[], limits: ReadonlyMap<GroupAuthor, number> = new Map()) {
  const signerOf = (author: GroupAuthor): Signer => {
    const limit = [...limits].find(([by]) => keyOf(by) === keyOf(author))?.[1];
    return { key: keyOf(author), ...(limit === undefined ? {} : { named: (length: number) => length === limit }) };
  };
  return foldGroup(list, { conversationId: CONVERSATION, signerOf, verify });
}

function idsOf(folded: ReturnType<typeof fold>): readonly string[] | GroupProblem {
  return folded.ok ? folded.members.map(({ id }) => id) : folded.problem;
}

describe('EE-20 who is in a group', () => {
  it('EE-20 attack: ghost member: only statements let anyone in, whatever the server says', () => {
    const list = extend(create(bob), ann, set(cleo));
    expect(idsOf(fold(list))).toEqual([ann.id, bob.id, cleo.id]);
    const ghost = extend(list, person(0xe), set(person(0xe)));
    expect(fold(ghost)).toEqual({ ok: false, problem: 'author', seq: 3 });
    const unknown = { conversationId: CONVERSATION, verify, signerOf: () => undefined };
    expect(foldGroup(list, unknown)).toEqual({ ok: false, problem: 'author', seq: 1 });
    expect(foldGroup([], unknown)).toEqual({ ok: false, problem: 'action', seq: 1 });
  });

  it('EE-20 attack: a statement that someone else signed, or that was edited, breaks the chain', () => {
    const list = extend(create(bob), ann, set(cleo));
    const forged = { ...list[1]!, by: bob };
    expect(fold([list[0]!, forged])).toEqual({ ok: false, problem: 'signature', seq: 2 });
    const edited = { ...list[0]!, title: 'Another title' } as GroupStatement;
    expect(fold([edited])).toEqual({ ok: false, problem: 'signature', seq: 1 });
  });

  it('EE-20 who was in it at some time is known: what they wrote then may still arrive', () => {
    const folded = fold(extend(extend(create(bob), ann, set(cleo)), ann, remove(cleo))) as GroupMembers;
    expect(folded.members.map(({ id }) => id)).toEqual([ann.id, bob.id]);
    expect(folded.past.map(({ id }) => id)).toEqual([ann.id, bob.id, cleo.id]);
  });

  it('EE-20 a group has a bound', () => {
    const others = Array.from({ length: MAX_GROUP_MEMBERS - 1 }, (_, n) => person(0x1000 + n));
    const list = create(...others);
    expect(idsOf(fold(list))).toHaveLength(MAX_GROUP_MEMBERS);
    expect(fold(extend(list, ann, set(bob)))).toEqual({ ok: false, problem: 'member', seq: 2 });
    // One that is in it already takes no room.
    expect(fold(extend(list, ann, set(others[0]!, 'admin'))).ok).toBe(true);
  });

  it('EE-20 an admin adds and removes members, but no admins, and appoints nobody', () => {
    const list = extend(extend(create(bob, cleo), ann, set(bob, 'admin')), ann, set(cleo, 'admin'));
    expect(fold(extend(list, bob, remove(cleo)))).toEqual({ ok: false, problem: 'author', seq: 4 });
    expect(fold(extend(list, bob, set(person(0xe), 'admin')))).toEqual({ ok: false, problem: 'author', seq: 4 });
    expect(idsOf(fold(extend(extend(list, bob, set(bot)), bob, remove(bot))))).toEqual([ann.id, bob.id, cleo.id]);
  });

  it('EE-20 a group whose owner left goes on with its admins', () => {
    const list = extend(extend(create(bob, cleo), ann, set(bob, 'admin')), ann, remove(ann));
    expect(idsOf(fold(extend(list, bob, remove(cleo))))).toEqual([bob.id]);
    expect(fold(extend(list, bob, set(cleo, 'admin')))).toEqual({ ok: false, problem: 'author', seq: 4 });
  });
});

describe('EE-18 attack: a revoked device in a group', () => {
  const start = create(bob, cleo);
  const gone = (limit: number) => new Map([[annsStolen, limit]]);

  it('EE-18 it lets nobody in beyond what its revocation names', () => {
    const list = extend(extend(start, annsStolen, set(bot)), annsStolen, set(person(0xe), 'admin'));
    expect(idsOf(fold(list))).toHaveLength(5);
    expect(idsOf(fold(list, gone(2)))).toEqual([ann.id, bob.id, cleo.id, bot.id]);
    expect(idsOf(fold(list, gone(1)))).toEqual([ann.id, bob.id, cleo.id]);
    expect((fold(list, gone(1)) as GroupMembers).past).toHaveLength(3);
  });

  it('EE-18 whom it takes out stays out until someone lets them in again', () => {
    const list = extend(start, annsStolen, remove(cleo));
    expect(idsOf(fold(list, gone(1)))).toEqual([ann.id, bob.id]);
    expect(idsOf(fold(extend(list, ann, set(cleo)), gone(1)))).toEqual([ann.id, bob.id, cleo.id]);
  });

  it('EE-18 it takes no more than its account might: neither the owner, nor anything as a stranger', () => {
    expect(idsOf(fold(extend(start, annsStolen, remove(ann)), gone(1)))).toHaveLength(3);
    const bobsStolen = person(0xb, 0xe);
    const byMember = extend(extend(start, bobsStolen, remove(ann)), bobsStolen, remove(cleo));
    expect(idsOf(fold(byMember, new Map([[bobsStolen, 1]])))).toHaveLength(3);
    const stranger = person(0xe);
    const byStranger = extend(start, stranger, remove(cleo));
    expect(idsOf(fold(byStranger, new Map([[stranger, 1]])))).toHaveLength(3);
  });

  it('EE-18 it gives no role; one that it takes back stays so', () => {
    const admin = extend(start, ann, set(bob, 'admin'));
    const roles = (list: readonly GroupStatement[]) =>
      (fold(list, gone(2)) as GroupMembers).members.map(({ role }) => role);
    expect(roles(extend(admin, annsStolen, set(cleo, 'admin')))).toEqual(['owner', 'admin', 'member']);
    expect(roles(extend(admin, annsStolen, set(bob)))).toEqual(['owner', 'member', 'member']);
  });

  it('EE-18 it cannot end a group: what others signed after it, counting on it, stops nothing', () => {
    const eve = person(0xe);
    let list = extend(start, annsStolen, set(eve, 'admin'));
    list = extend(list, eve, set(bot));
    list = extend(list, ann, remove(eve));
    list = extend(list, ann, remove(bot));
    expect(fold(list).ok).toBe(true);
    expect(idsOf(fold(list, gone(1)))).toEqual([ann.id, bob.id, cleo.id]);
    expect(idsOf(fold(extend(list, ann, set(bot)), gone(1)))).toEqual([ann.id, bob.id, cleo.id, bot.id]);
  });

  it('EE-18 a group that it began beyond its revocation is no group', () => {
    const list = extend([], annsStolen, { action: 'create', title: null, members: [] });
    expect(fold(list, gone(0))).toEqual({ ok: false, problem: 'author', seq: 1 });
  });

  it('EE-18 attack: an accomplice gives a device of their own the id of the revoked one', () => {
    const eve = person(0xe, 0xf);
    const list = extend(
      extend(extend([], eve, { action: 'create', title: null, members: [] }), eve, set(ann)),
      eve,
      set(ann, 'admin'),
    );
    const evil = extend(list, annsStolen, set(cleo));
    expect(idsOf(fold(evil, gone(3)))).toEqual([eve.id, ann.id]);
  });
});

describe('EE-20 one statement', () => {
  it('EE-20 a beginning is the first and nothing else', () => {
    const [first] = create(bob);
    expect(applyGroupStatement(new Map(), first!)).toBeInstanceOf(Map);
    expect(applyGroupStatement(new Map(), { ...first!, seq: 2 })).toBe('action');
    const [, later] = extend(create(bob), ann, set(cleo));
    expect(applyGroupStatement(new Map(), { ...later!, seq: 1 })).toBe('action');
    expect(applyGroupStatement(new Map(), later!)).toBe('author');
  });
});

describe('EE-20 a chain that was read before', () => {
  const reading = { conversationId: CONVERSATION, signerOf: (by: GroupAuthor) => ({ key: keyOf(by) }), verify };
  const stateOf = (list: readonly GroupStatement[]) => {
    const read = finish(readGroupInSteps(list, reading));
    if (!read.ok) throw new Error(read.problem);
    return read.state;
  };

  it('EE-20 goes on as if it were read from its beginning', () => {
    let list = create(bob);
    let state = stateOf(list);
    for (const [by, change] of [
      [ann, set(bob, 'admin')],
      [bob, set(cleo)],
      [ann, set(bot)],
      [bob, remove(cleo)],
      [bob, set(cleo)],
      [ann, { ...remove(ann), next_owner: bob.id }],
      [bob, set(cleo, 'admin')],
    ] as [GroupAuthor, Change<GroupStatement>][]) {
      list = extend(list, by, change);
      const next = continueGroup(state, list.at(-1)!);
      expect(next).toEqual(stateOf(list));
      state = next as typeof state;
      expect([...state.members.values()]).toEqual((fold(list) as GroupMembers).members);
    }
    for (const [by, change] of [
      [ann, set(ann)],
      [cleo, set(bob)],
      [bob, remove(ann)],
    ] as [GroupAuthor, Change<GroupStatement>][]) {
      const wrong = extend(list, by, change);
      expect(continueGroup(state, wrong.at(-1)!)).toBe(idsOf(fold(wrong)));
    }
  });

  it('EE-18 beyond a void statement, one that its author may not make has no effect', () => {
    const list = extend(create(bob), annsStolen, set(cleo));
    const limits = new Map([[annsStolen, 1]]);
    const signerOf = (by: GroupAuthor): Signer => ({
      key: keyOf(by),
      ...(keyOf(by) === keyOf(annsStolen) ? { named: (length: number) => length === 1 } : {}),
    });
    const read = finish(readGroupInSteps(list, { ...reading, signerOf }));
    if (!read.ok) throw new Error(read.problem);
    expect(read.state.hasVoid).toBe(true);
    // What a revocation names makes count what was void before: that has to be read again.
    const named = { ...read.state, limits: [(length: number) => length === 3] };
    expect(continueGroup(named, extend(list, bob, set(cleo)).at(-1)!)).toBeUndefined();
    const after = extend(list, bob, set(cleo));
    const next = continueGroup(read.state, after.at(-1)!);
    expect(next).toMatchObject({ length: 3, hasVoid: true });
    expect(typeof next === 'object' && [...next.members.values()].map(({ id }) => id)).toEqual(
      idsOf(fold(after, limits)),
    );
  });
});
