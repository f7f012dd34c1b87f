import {
  type GroupAuthor,
  type GroupMember,
  type GroupProblem,
  type GroupStatement,
  groupStatementBytes,
  groupStatementHash,
  headName,
  type Unsigned,
} from '@parley/protocol';
import { toBase64Url } from '../../src/bytes.ts';
import { type Crypto, generateEd25519 } from '../../src/provider/crypto.ts';
import { signGroupStatement } from '../../src/statements/group.ts';
import { CONVERSATION, OTHER_CONVERSATION, seeded, uuid } from '../harness.ts';
import { pairToJson, Statements, timeOf } from './statements.ts';

type Change<S> = S extends unknown
  ? Omit<S, 'version' | 'conversation_id' | 'seq' | 'prev' | 'created_at' | 'by' | 'signature'>
  : never;

/** Ann has two devices, of which the second is stolen; Eve's device has the id of the stolen one. */
const AUTHORS = {
  ann: { kind: 'human', id: uuid(0xa1), device_id: uuid(0xda1) },
  'ann, stolen': { kind: 'human', id: uuid(0xa1), device_id: uuid(0xda2) },
  bob: { kind: 'human', id: uuid(0xb0), device_id: uuid(0xdb0) },
  cleo: { kind: 'human', id: uuid(0xc1), device_id: uuid(0xdc1) },
  eve: { kind: 'human', id: uuid(0xe0), device_id: uuid(0xda2) },
} as const satisfies Record<string, GroupAuthor>;
type Author = keyof typeof AUTHORS;
const PARTIES = { ...AUTHORS, bot: { kind: 'agent', id: uuid(0xb07) } } as const;
type Party = keyof typeof PARTIES;

const member = (name: Party) => ({ kind: PARTIES[name].kind, id: PARTIES[name].id });
const as = (name: Party, role: GroupMember['role']): GroupMember => ({ ...member(name), role });
const set = (name: Party, role: 'admin' | 'member') => ({ action: 'set', member: { ...member(name), role } }) as const;
const remove = (name: Party) => ({ action: 'remove', member: member(name) }) as const;
const create = (members: readonly (readonly [Party, 'admin' | 'member'])[]) =>
  ({ action: 'create', title: 'Trip', members: members.map(([name, role]) => ({ ...member(name), role })) }) as const;

/** By name: after which one, by whom, and what. */
const STATEMENTS: Readonly<Record<string, readonly [string | undefined, Author, Change<GroupStatement>]>> = {
  create: [
    undefined,
    'ann',
    create([
      ['bob', 'admin'],
      ['bot', 'member'],
    ]),
  ],
  'bob adds cleo': ['create', 'bob', set('cleo', 'member')],
  'ann removes the bot': ['bob adds cleo', 'ann', remove('bot')],
  'bob removes cleo': ['ann removes the bot', 'bob', remove('cleo')],
  'ann leaves to bob': ['bob removes cleo', 'ann', { ...remove('ann'), next_owner: AUTHORS.bob.id }],
  // What someone may not.
  'eve adds herself': ['create', 'eve', set('eve', 'member')],
  'cleo adds eve': ['bob adds cleo', 'cleo', set('eve', 'member')],
  'bob makes cleo admin': ['bob adds cleo', 'bob', set('cleo', 'admin')],
  'bob demotes himself': ['create', 'bob', set('bob', 'member')],
  'bob removes ann': ['create', 'bob', remove('ann')],
  'cleo removes bob': ['bob adds cleo', 'cleo', remove('bob')],
  'ann demotes herself': ['create', 'ann', set('ann', 'member')],
  'ann makes the bot admin': ['create', 'ann', set('bot', 'admin')],
  'ann removes eve': ['create', 'ann', remove('eve')],
  'ann leaves to eve': ['create', 'ann', { ...remove('ann'), next_owner: AUTHORS.eve.id }],
  'bob leaves to cleo': ['bob adds cleo', 'bob', { ...remove('bob'), next_owner: AUTHORS.cleo.id }],
  'created again': ['create', 'ann', create([['eve', 'admin']])],
  'created with ann twice': [undefined, 'ann', create([['ann', 'member']])],
  'created with the bot as admin': [undefined, 'ann', create([['bot', 'admin']])],
  'begun with an addition': [undefined, 'ann', set('eve', 'member')],
  // What the stolen device signs, and others after it.
  'stolen adds eve': ['bob adds cleo', 'ann, stolen', set('eve', 'admin')],
  'ann removes the ghost': ['stolen adds eve', 'ann', remove('eve')],
  'eve adds the bot again': ['stolen adds eve', 'eve', set('bot', 'member')],
  'stolen removes cleo': ['bob adds cleo', 'ann, stolen', remove('cleo')],
  'bob adds cleo again': ['stolen removes cleo', 'bob', set('cleo', 'member')],
  'stolen demotes bob': ['bob adds cleo', 'ann, stolen', set('bob', 'member')],
  'stolen leaves to bob': ['bob adds cleo', 'ann, stolen', { ...remove('ann'), next_owner: AUTHORS.bob.id }],
  'stolen creates': [undefined, 'ann, stolen', create([['eve', 'admin']])],
  'eve creates': [undefined, 'eve', create([['ann', 'admin']])],
  'stolen adds cleo to it': ['eve creates', 'ann, stolen', set('cleo', 'member')],
};

export function makeGroupChain(base: Crypto): object {
  const crypto = seeded(base, 'group-chain');
  const keys = Object.fromEntries(Object.keys(AUTHORS).map((name) => [name, generateEd25519(crypto)]));
  const statements = new Statements<GroupStatement>({ bytesOf: groupStatementBytes, hashOf: groupStatementHash });
  for (const [name, [after, author, change]] of Object.entries(STATEMENTS)) {
    const place = statements.placeAfter(after);
    const common = { version: 1, conversation_id: CONVERSATION, ...place, created_at: timeOf(place.seq) };
    const unsigned = { ...common, by: AUTHORS[author], ...change } as Unsigned<GroupStatement>;
    statements.put(name, after, signGroupStatement(crypto, unsigned, keys[author]!) as GroupStatement);
  }
  /** The stolen device is revoked, by a revocation that names the chain up to these statements. */
  const revokedAt = (...names: readonly string[]) => {
    const salt = toBase64Url(crypto.randomBytes(16));
    const chain = (name: string) => ({ length: statements.get(name).seq, head: statements.hash(name) });
    const heads = names.map((name) => headName(salt, { kind: 'group', id: CONVERSATION, ...chain(name) }));
    return { revocations: [{ author: 'ann, stolen', salt, heads }] };
  };
  const members = (name: string, expected: GroupMember[], revocations: object = {}) => {
    const { seq } = statements.get(name);
    const [first] = statements.upTo(name);
    const { by } = statements.get(first!);
    const head = statements.hash(name);
    const expect = { ok: true, length: seq, head, title: 'Trip', creator: by.id, members: expected };
    return { name, list: statements.upTo(name), ...revocations, expect };
  };
  const refuse = (name: string, problem: GroupProblem, more: object = {}) => ({
    name,
    list: statements.upTo(name),
    ...more,
    expect: { ok: false, problem, seq: statements.get(name).seq },
  });
  const early = [as('ann', 'owner'), as('bob', 'admin'), as('bot', 'member')];
  const all = [...early, as('cleo', 'member')];
  const named = revokedAt('bob adds cleo');
  return {
    conversation_id: CONVERSATION,
    authors: Object.fromEntries(
      Object.entries(AUTHORS).map(([name, by]) => [name, { by, ...pairToJson(keys[name]!) }]),
    ),
    statements: statements.toJson(),
    cases: [
      members('create', early),
      members('bob adds cleo', all),
      members('ann removes the bot', [as('ann', 'owner'), as('bob', 'admin'), as('cleo', 'member')]),
      members('ann leaves to bob', [as('bob', 'owner')]),
      ...(
        [
          ['eve adds herself', 'author'],
          ['cleo adds eve', 'author'],
          ['bob makes cleo admin', 'author'],
          ['bob demotes himself', 'author'],
          ['bob removes ann', 'author'],
          ['cleo removes bob', 'author'],
          ['ann demotes herself', 'member'],
          ['ann makes the bot admin', 'member'],
          ['ann removes eve', 'member'],
          ['ann leaves to eve', 'member'],
          ['bob leaves to cleo', 'member'],
          ['created again', 'action'],
          ['created with ann twice', 'member'],
          ['created with the bot as admin', 'member'],
          ['begun with an addition', 'action'],
        ] as const
      ).map(([name, problem]) => refuse(name, problem)),
      {
        ...refuse('create', 'conversation'),
        name: 'the chain of another conversation',
        conversation_id: OTHER_CONVERSATION,
      },
      { name: 'one left out', list: ['create', 'ann removes the bot'], expect: { ok: false, problem: 'seq', seq: 2 } },
      {
        name: 'one after another that it does not name',
        list: ['create', 'bob demotes himself', 'ann removes the bot'],
        expect: { ok: false, problem: 'prev', seq: 3 },
      },
      {
        name: 'one that was seen is missing',
        list: ['create'],
        seen: { length: 2, head: statements.hash('bob adds cleo') },
        expect: { ok: false, problem: 'shortened', seq: 2 },
      },
      {
        name: 'another one in the place of one that was seen',
        list: statements.upTo('stolen adds eve'),
        seen: { length: 3, head: statements.hash('ann removes the bot') },
        expect: { ok: false, problem: 'rewritten', seq: 3 },
      },
      members('stolen adds eve', [...all, as('eve', 'admin')]),
      members('stolen adds eve', [...all, as('eve', 'admin')], revokedAt('stolen adds eve')),
      members('stolen adds eve', all, named),
      members('ann removes the ghost', all, named),
      members('eve adds the bot again', all, named),
      members('stolen removes cleo', early, named),
      members('bob adds cleo again', all, named),
      members(
        'stolen demotes bob',
        [as('ann', 'owner'), as('bob', 'member'), as('bot', 'member'), as('cleo', 'member')],
        named,
      ),
      members('stolen leaves to bob', all, named),
      refuse('stolen creates', 'author', revokedAt()),
      members('stolen adds cleo to it', [as('eve', 'owner'), as('ann', 'admin'), as('cleo', 'member')]),
      members('stolen adds cleo to it', [as('eve', 'owner'), as('ann', 'admin')], revokedAt('eve creates')),
    ],
  };
}
