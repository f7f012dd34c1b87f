import type { Static } from 'typebox';
import { closed, Id, Signature } from '../formats.ts';
import * as Type from '../schema/type.ts';
import {
  type ChainMark,
  chainHash,
  checkLinks,
  countsUntil,
  type LinkProblem,
  link,
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

const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;

/** Who is in the group by all statements that count, or the first thing wrong with the chain. */
export function foldGroup(statements: readonly GroupStatement[], reading: GroupReading): GroupMembers | BrokenGroup {
  const links = checkLinks(statements, reading.seen);
  if (!links.ok) return links;
  const [first] = statements;
  if (first?.action !== 'create') return { ok: false, problem: 'action', seq: 1 };
  let members: Members = new Map();
  const past = new Map<string, GroupMember>();
  const limits = new Map<string, number>();
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
    if (!limits.has(author)) limits.set(author, countsUntil(signer, links.heads));
    const next = applyGroupStatement(members, statement);
    if (seq > limits.get(author)!) {
      if (seq === 1) return { ok: false, problem: 'author', seq };
      hasVoid = true;
      members = withoutTaken(members, statement, next);
    } else if (typeof next !== 'string') members = next;
    // Whoever signed this may have counted on a void one. To stop here would let a revoked device end the group.
    else if (!hasVoid) return { ok: false, problem: next, seq };
    for (const [key, member] of members) past.set(key, member);
  }
  return {
    ok: true,
    length: statements.length,
    head: links.heads.at(-1)!,
    title: first.title,
    creator: first.by.id,
    members: [...members.values()],
    past: [...past.values()],
  };
}

/**
 * A void statement gives nothing. Whom it takes out stays out, and a role that it takes back stays so, until one that
 * counts says otherwise; but it takes no more than its author might have, and never the owner, whom nobody could bring
 * back.
 */
function withoutTaken(members: Members, statement: GroupStatement, next: Members | GroupProblem): Members {
  if (typeof next === 'string' || statement.action === 'create') return members;
  const target = members.get(keyOf(statement.member));
  if (target === undefined || target.role === 'owner') return members;
  return statement.action === 'set' && statement.member.role === 'admin' ? members : next;
}

/** The members after a statement, or why its author may not make it. */
export function applyGroupStatement(members: Members, statement: GroupStatement): Members | GroupProblem {
  if ((statement.action === 'create') !== (statement.seq === 1)) return 'action';
  if (statement.action === 'create') return createGroup(statement);
  const author = members.get(keyOf(statement.by));
  if (author === undefined) return 'author';
  return statement.action === 'set'
    ? setMember(members, author, statement.member)
    : removeMember(members, author, statement);
}

type Statement<Action> = Extract<GroupStatement, { action: Action }>;

function createGroup({ by, members }: Statement<'create'>): Members | GroupProblem {
  const all = [{ kind: by.kind, id: by.id, role: 'owner' as const }, ...members];
  const made = new Map(all.map((member) => [keyOf(member), member]));
  return made.size === all.length && !members.some(isAgentAdmin) ? made : 'member';
}

function setMember(members: Members, author: GroupMember, member: Statement<'set'>['member']): Members | GroupProblem {
  const target = members.get(keyOf(member));
  // Only the owner appoints and demotes admins; the owner stays the owner.
  const needsOwner = member.role === 'admin' || target !== undefined;
  if (author.role === 'member' || (needsOwner && author.role !== 'owner')) return 'author';
  if (target?.role === 'owner' || isAgentAdmin(member)) return 'member';
  if (target === undefined && members.size >= MAX_GROUP_MEMBERS) return 'member';
  return new Map(members).set(keyOf(member), member);
}

function removeMember(
  members: Members,
  author: GroupMember,
  { member, next_owner }: Statement<'remove'>,
): Members | GroupProblem {
  const target = members.get(keyOf(member));
  if (target === undefined) return 'member';
  const isSelf = target === author;
  if (!isSelf && (author.role === 'member' || target.role === 'owner')) return 'author';
  if (!isSelf && author.role === 'admin' && target.role === 'admin') return 'author';
  const next = new Map(members);
  next.delete(keyOf(target));
  if (next_owner === undefined) return next;
  const heir = next.get(keyOf({ kind: 'human', id: next_owner }));
  if (target.role !== 'owner' || heir === undefined) return 'member';
  return next.set(keyOf(heir), { ...heir, role: 'owner' });
}

/** Agents never manage a group: one that could might remove people from it. */
const isAgentAdmin = ({ kind, role }: { kind: string; role: string }) => kind === 'agent' && role === 'admin';
