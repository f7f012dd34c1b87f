import type { Static } from 'typebox';
import { closed, Id, Signature } from '../formats.ts';
import * as Type from '../schema/type.ts';
import {
  type ChainMark,
  chainHash,
  checkLinksInSteps,
  findLimitInSteps,
  finish,
  type Limit,
  type LinkProblem,
  link,
  type Named,
  type Signer,
  signedBytes,
  type Verify,
} from './chain.ts';
import type { Unsigned } from './device-list.ts';

// Who is in a group (EE-20): a chain of statements by its creator and by the admins it names. A member that no statement
// adds gets no key.

export const MAX_GROUP_MEMBERS = 1_000;

const MemberKind = Type.Union([Type.Literal('human'), Type.Literal('agent')]);
const member = { kind: MemberKind, id: Id };
const Role = Type.Union([Type.Literal('admin'), Type.Literal('member')]);
const RoledMember = Type.Object({ ...member, role: Role }, closed);
/**
 * Whose device signed it. Agents sign nothing here: one that replaced its key later would leave a chain that nobody new
 * can verify. The server's word is enough for them to leave.
 */
const Author = Type.Object({ kind: Type.Literal('human'), id: Id, device_id: Id }, closed);
const common = { version: Type.Literal(1), conversation_id: Id, ...link, by: Author, signature: Signature };

export const GroupStatement = Type.Union([
  Type.Object(
    {
      ...common,
      action: Type.Literal('create'),
      title: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]),
      /** Besides the creator, who is the owner. */
      members: Type.Array(RoledMember, { maxItems: MAX_GROUP_MEMBERS - 1 }),
    },
    closed,
  ),
  /** Adds someone, or gives a member another role. */
  Type.Object({ ...common, action: Type.Literal('set'), member: RoledMember }, closed),
  /** Takes someone out, or oneself. An owner who leaves may name the next one. */
  Type.Object(
    {
      ...common,
      action: Type.Literal('remove'),
      member: Type.Object(member, closed),
      next_owner: Type.Optional(Id),
    },
    closed,
  ),
]);
export type GroupStatement = Static<typeof GroupStatement>;
export type GroupAuthor = GroupStatement['by'];

const DOMAIN = 'parley-group-v1';

export function groupStatementBytes(statement: Unsigned<GroupStatement> | GroupStatement): Uint8Array {
  return signedBytes(DOMAIN, statement);
}

export function groupStatementHash(statement: GroupStatement): string {
  return chainHash(statement);
}

export type GroupRole = 'owner' | 'admin' | 'member';

export interface GroupMember {
  readonly kind: 'human' | 'agent';
  readonly id: string;
  readonly role: GroupRole;
}

export interface GroupMembers {
  readonly ok: true;
  readonly length: number;
  readonly head: string;
  readonly title: string | null;
  readonly creator: string;
  readonly members: readonly GroupMember[];
  /** Everyone who was in it at some time: what they wrote then may still arrive. */
  readonly past: readonly GroupMember[];
}

export type GroupProblem = LinkProblem | 'conversation' | 'action' | 'author' | 'member' | 'signature' | 'incomplete';

export interface BrokenGroup {
  readonly ok: false;
  readonly problem: GroupProblem;
  readonly seq: number;
}

export interface GroupReading {
  readonly conversationId: string;
  signerOf(author: GroupAuthor): Signer | undefined;
  readonly verify: Verify;
  readonly seen?: ChainMark;
}

type Members = ReadonlyMap<string, GroupMember>;

/** A chain that was read: with it, the next statement costs what it says, and not what all before it say. */
export interface GroupState {
  readonly length: number;
  readonly head: string;
  readonly members: Members;
  /** Is there a statement that counts for nothing? */
  readonly hasVoid: boolean;
  /** Of each author whose device was revoked, what limits their statements. */
  readonly limits: readonly Named[];
}

const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;

/** Who is in the group by all statements that count, or the first thing wrong with the chain. */
export function foldGroup(statements: readonly GroupStatement[], reading: GroupReading): GroupMembers | BrokenGroup {
  const read = finish(readGroupInSteps(statements, reading));
  if (!read.ok) return read;
  const { state, title, creator, past } = read;
  return {
    ok: true,
    length: state.length,
    head: state.head,
    title,
    creator,
    members: [...state.members.values()],
    past: [...past.values()],
  };
}

interface ReadGroup extends Pick<GroupMembers, 'ok' | 'title' | 'creator'> {
  readonly state: GroupState;
  readonly past: Members;
}

/** The same for whoever has other things to do meanwhile. */
export function* readGroupInSteps(
  statements: readonly GroupStatement[],
  reading: GroupReading,
): Generator<void, ReadGroup | BrokenGroup> {
  const links = yield* checkLinksInSteps(statements, reading.seen);
  if (!links.ok) return links;
  const [first] = statements;
  if (first?.action !== 'create') return { ok: false, problem: 'action', seq: 1 };
  const members = new Map<string, GroupMember>();
  const past = new Map<string, GroupMember>();
  const limits = new Map<string, Limit>();
  let hasVoid = false;
  for (const statement of statements) {
    const { seq, by } = statement;
    if (statement.conversation_id !== reading.conversationId) return { ok: false, problem: 'conversation', seq };
    const signer = reading.signerOf(by);
    if (signer === undefined) return { ok: false, problem: 'author', seq };
    if (!reading.verify(signer.key, groupStatementBytes(statement), statement.signature)) {
      return { ok: false, problem: 'signature', seq };
    }
    // Of another account, a device with the same id is another device.
    const author = `${by.id} ${by.device_id}`;
    if (!limits.has(author)) limits.set(author, yield* findLimitInSteps(signer, links.heads));
    let edits = judge(members, statement);
    if (seq > limits.get(author)!.until) {
      if (seq === 1) return { ok: false, problem: 'author', seq };
      hasVoid = true;
      edits = onlyTaking(members, statement, edits);
    } else if (typeof edits === 'string' && !hasVoid) {
      return { ok: false, problem: edits, seq };
    }
    // Whoever signed one that is wrong may have counted on a void one. To stop here would let a revoked device end the group.
    if (typeof edits !== 'string') edit(members, edits);
    if (typeof edits !== 'string') for (const [key, member] of edits) if (member !== undefined) past.set(key, member);
    yield;
  }
  const revoked = [...limits.values()].flatMap(({ by }) => (by === undefined ? [] : [by]));
  const state = { length: statements.length, head: links.heads.at(-1)!, members, hasVoid, limits: revoked };
  return { ok: true, state, title: first.title, creator: first.by.id, past };
}

/**
 * The next statement of a chain that was read, by a signer whose statements all count. Its link, its conversation and its
 * signature were checked. Undefined if a revocation names it: then what was void before may count, and the chain has to be read
 * again.
 */
export function continueGroup(state: GroupState, statement: GroupStatement): GroupState | GroupProblem | undefined {
  const head = groupStatementHash(statement);
  if (state.limits.some((isNamed) => isNamed(statement.seq, head))) return undefined;
  const members = applyGroupStatement(state.members, statement);
  if (typeof members === 'string' && !state.hasVoid) return members;
  return {
    ...state,
    length: statement.seq,
    head,
    members: typeof members === 'string' ? state.members : members,
  };
}

/** Who is in it with another role from now on, or undefined for who is not in it any more. */
type Edits = readonly (readonly [key: string, member: GroupMember | undefined])[];

function edit(members: Map<string, GroupMember>, edits: Edits): void {
  for (const [key, member] of edits) {
    if (member === undefined) members.delete(key);
    else members.set(key, member);
  }
}

/**
 * A void statement gives nothing. Whom it takes out stays out, and a role that it takes back stays so, until one that
 * counts says otherwise; but it takes no more than its author might have, and never the owner, whom nobody could bring
 * back.
 */
function onlyTaking(members: Members, statement: GroupStatement, edits: Edits | GroupProblem): Edits {
  if (typeof edits === 'string' || statement.action === 'create') return [];
  const target = members.get(keyOf(statement.member));
  if (target === undefined || target.role === 'owner') return [];
  return statement.action === 'set' && statement.member.role === 'admin' ? [] : edits;
}

/** The members after a statement, or why its author may not make it. */
export function applyGroupStatement(members: Members, statement: GroupStatement): Members | GroupProblem {
  const edits = judge(members, statement);
  if (typeof edits === 'string') return edits;
  const next = new Map(statement.action === 'create' ? [] : members);
  edit(next, edits);
  return next;
}

/** What a statement changes, or why its author may not make it. */
function judge(members: Members, statement: GroupStatement): Edits | GroupProblem {
  if ((statement.action === 'create') !== (statement.seq === 1)) return 'action';
  if (statement.action === 'create') return createGroup(statement);
  const author = members.get(keyOf(statement.by));
  if (author === undefined) return 'author';
  return statement.action === 'set'
    ? setMember(members, author, statement.member)
    : removeMember(members, author, statement);
}

type Statement<Action> = Extract<GroupStatement, { action: Action }>;

function createGroup({ by, members }: Statement<'create'>): Edits | GroupProblem {
  const all = [{ kind: by.kind, id: by.id, role: 'owner' as const }, ...members];
  const made = new Map(all.map((member) => [keyOf(member), member]));
  return made.size === all.length && !members.some(isAgentAdmin) ? [...made] : 'member';
}

function setMember(members: Members, author: GroupMember, member: Statement<'set'>['member']): Edits | GroupProblem {
  const target = members.get(keyOf(member));
  // Only the owner appoints and demotes admins; the owner stays the owner.
  const needsOwner = member.role === 'admin' || target !== undefined;
  if (author.role === 'member' || (needsOwner && author.role !== 'owner')) return 'author';
  if (target?.role === 'owner' || isAgentAdmin(member)) return 'member';
  if (target === undefined && members.size >= MAX_GROUP_MEMBERS) return 'member';
  return [[keyOf(member), member]];
}

function removeMember(
  members: Members,
  author: GroupMember,
  { member, next_owner }: Statement<'remove'>,
): Edits | GroupProblem {
  const target = members.get(keyOf(member));
  if (target === undefined) return 'member';
  const isSelf = target === author;
  if (!isSelf && (author.role === 'member' || target.role === 'owner')) return 'author';
  if (!isSelf && author.role === 'admin' && target.role === 'admin') return 'author';
  const gone = [keyOf(target), undefined] as const;
  if (next_owner === undefined) return [gone];
  const heirKey = keyOf({ kind: 'human', id: next_owner });
  const heir = heirKey === keyOf(target) ? undefined : members.get(heirKey);
  if (target.role !== 'owner' || heir === undefined) return 'member';
  return [gone, [heirKey, { ...heir, role: 'owner' }]];
}

/** Agents never manage a group: one that could might remove people from it. */
const isAgentAdmin = ({ kind, role }: { kind: string; role: string }) => kind === 'agent' && role === 'admin';
