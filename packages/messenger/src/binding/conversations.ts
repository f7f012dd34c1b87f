import type { Crypto } from '@parley/e2ee';
import {
  conversationRoutes,
  type GroupAuthor,
  type GroupMember,
  type GroupStatement,
  type ReplyOf,
  type Signer,
} from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { messengerError } from '../errors.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Conversation, ConversationKind, DescribedConversation, HeardMarks, Problem } from '../types.ts';
import { containsMark, holdStatement, readGroup } from './groups.ts';
import type { HeldEntries } from './held-entries.ts';

type Member = Conversation['members'][number];
type Row = ReplyOf<typeof conversationRoutes.readConversation>;

interface Deps {
  readonly api: Api;
  readonly crypto: Crypto;
  readonly store: Store;
  readonly writeBuffer: WriteBuffer;
  readonly held: HeldEntries;
  readonly ownId: string;
  /** Of a person's device. */
  readonly ownAccount?: string | undefined;
  readonly heard?: HeardMarks | undefined;
  signerOf(author: GroupAuthor, conversationId: string): Promise<Signer | undefined>;
  report(problem: Problem): void;
}

export interface BoundConversation extends Conversation {
  /** Of a group: everyone who was in it at some time. */
  readonly past?: readonly Member[];
}

export interface ConversationBinder {
  /** As the server shows it now, which must agree with what was signed or pinned. Rejects with CONVERSATION_CHANGED. */
  find(id: string): Promise<BoundConversation>;
  /** The pin of a conversation of two; undefined for a group, and before the first `find`. */
  pinned(id: string): Promise<Conversation | undefined>;
  /** Pins a conversation of two. What a device has signed replaces what was only seen (EE-20). True if it was not known so. */
  bind(id: string, pair: BoundPair): Promise<boolean>;
  /** Keeps a statement about a group that this device has signed and the server has taken (EE-20). */
  hold(statement: GroupStatement): Promise<void>;
  /** What people are shown of it: the members as they were bound, with the names that the server gives them. */
  describe(id: string): Promise<DescribedConversation>;
}

export interface BoundPair {
  readonly kind: 'h2a' | 'h2h';
  readonly other: Member;
  readonly relationId?: string | undefined;
  /** True if a device of this account signed it, or made the conversation itself. */
  readonly signed: boolean;
}

interface PinnedConversation extends Conversation {
  readonly kind: ConversationKind;
  readonly signed?: boolean;
}

/**
 * Who is in a conversation (EE-20). Between two that never changes, so it is pinned: a server that puts a third one in,
 * or another in someone's place, would have everything sealed for them; and one that names another relation could show
 * another ledger (RL-10). Who is in a group, its creator and admins have signed.
 */
export function createConversationBinder(deps: Deps): ConversationBinder {
  const { api, store, held, writeBuffer, ownId, ownAccount, report } = deps;

  /** The same right after a `load`, at once. */
  const peek = (id: string) => parse<PinnedConversation>(held.peek(keyOf(id)));
  const load = async (id: string): Promise<PinnedConversation | undefined> => {
    const saved = parse<PinnedConversation>(await held.get(keyOf(id)));
    if (saved?.kind === 'group' || saved?.relationId !== undefined) return saved;
    const merged = await mergeOldPin(id, saved);
    // Someone may have pinned while it was read, and what was in memory may have been dropped.
    await held.get(keyOf(id));
    return merged === saved || peek(id)?.relationId !== undefined ? peek(id) : pin(id, merged!);
  };
  /** Agents used to pin the relation, and whom it is with, under a key of their own. */
  const mergeOldPin = async (id: string, saved: PinnedConversation | undefined) => {
    const old = parse<OldPin>(await store.get(`agent/conversation/${id}`));
    if (old?.kind !== 'h2a') return saved;
    const person: Member = { kind: 'human', id: old.person };
    if (saved !== undefined && !includes(saved.members, person)) throw messengerError('CONVERSATION_CHANGED');
    const members = saved?.members ?? [person, { kind: 'agent', id: ownId }];
    return { kind: 'h2a', members, relationId: old.relationId } as const;
  };
  const pin = (id: string, conversation: PinnedConversation): PinnedConversation => {
    held.set(keyOf(id), JSON.stringify(conversation));
    return conversation;
  };
  const agree = (id: string) => report({ kind: 'over', subject: 'conversation', id });
  const refuse = (id: string) => {
    report({ kind: 'row', subject: 'conversation', id });
    return messengerError('CONVERSATION_CHANGED');
  };

  const takePair = (id: string, offered: PinnedConversation, pinned: PinnedConversation): PinnedConversation => {
    if (offered.kind !== pinned.kind) throw refuse(id);
    // One may have left; nobody comes.
    if (!offered.members.every((member) => includes(pinned.members, member))) throw refuse(id);
    if (pinned.relationId === undefined && offered.relationId !== undefined) {
      return pin(id, { ...pinned, relationId: offered.relationId });
    }
    if (offered.relationId !== undefined && offered.relationId !== pinned.relationId) throw refuse(id);
    return pinned;
  };
  const takeGroup = async (id: string, rows: readonly Member[]): Promise<BoundConversation & { kind: 'group' }> => {
    const { group, problem, statements } = await readGroup(deps, id);
    if (problem !== undefined) report({ kind: 'row', subject: 'conversation', id });
    if (group === undefined) return { kind: 'group', members: [], past: [], strangers: rows, signed: false };
    const strangers = rows.filter((row) => !includes(group.members, row));
    if (strangers.length > 0) report({ kind: 'members', conversationId: id, strangers });
    else if (problem === undefined) agree(id);
    // Whom the server leaves out gets nothing, until it says otherwise.
    const members = group.members.filter((member) => includes(rows, member));
    const end = { length: group.length, head: group.head };
    const marks = deps.heard?.group(id) ?? [];
    const withheld = marks.every((mark) => containsMark(statements, mark)) ? {} : { withheld: true };
    return { kind: 'group', members, past: group.past, strangers, signed: true, title: group.title, end, ...withheld };
  };
  const take = async (row: Row): Promise<BoundConversation & { kind: ConversationKind }> => {
    const id = row.conversation_id;
    const members = row.members.map(({ kind, id }) => ({ kind, id }));
    const relation = row.relation_id === undefined ? {} : { relationId: row.relation_id };
    const offered: PinnedConversation = { kind: row.kind, members, ...relation };
    await load(id);
    // Another `find` may have pinned while this one looked.
    const pinned = peek(id);
    if (offered.kind !== 'group') {
      if (pinned === undefined && !isPlausible(offered, ownId)) throw refuse(id);
      const taken = pinned === undefined ? pin(id, offered) : takePair(id, offered, pinned);
      agree(id);
      return taken;
    }
    const group = await takeGroup(id, members);
    // Only now: a device may have signed in the meantime that it is a conversation of two.
    await load(id);
    const now = peek(id);
    if (now !== undefined && now.kind !== 'group') throw refuse(id);
    if (now === undefined && group.signed) pin(id, { kind: 'group', members: [] });
    return group;
  };

  /** Of the own devices among themselves: nothing about it is the server's word, so it is not asked (EE-23). */
  const findOwn = (id: string): Conversation | undefined =>
    id === ownAccount ? { kind: 'account', members: [{ kind: 'human', id }] } : undefined;
  const readRow = async (id: string): Promise<Row> => {
    if (findOwn(id) !== undefined) throw refuse(id);

    const row = await api.call(conversationRoutes.readConversation, { params: { conversation_id: id } });
    if (row.conversation_id !== id) throw refuse(id);
    return row;
  };

  return {
    describe: async (id) => {
      const row = await readRow(id);
      const conversation = await take(row);
      const names = new Map(row.members.map((member) => [member.id, { name: member.name, role: member.role }]));
      const { title, created_at: createdAt, last_seq: lastSeq } = row;
      return { conversation, names, title, createdAt, lastSeq };
    },
    hold: async (statement) => {
      await holdStatement(deps.held, statement);
      await writeBuffer.saved();
    },
    find: async (id) => findOwn(id) ?? take(await readRow(id)),
    pinned: async (id) => {
      const own = findOwn(id);
      if (own !== undefined) return own;
      const known = await load(id);
      if (known === undefined || known.kind === 'group') return undefined;
      return known.kind === 'h2a' && known.relationId === undefined ? undefined : known;
    },
    bind: async (id, { kind, other, relationId, signed }) => {
      // A relation in it would hand an agent what own devices tell each other.
      if (findOwn(id) !== undefined) throw refuse(id);
      await load(id);
      const known = peek(id);
      const members: readonly Member[] = [{ kind: 'human', id: ownId }, other];
      const relation = relationId === undefined ? {} : { relationId };
      const isSame =
        known?.kind === kind &&
        members.every((member) => includes(known.members, member)) &&
        (known.relationId === undefined || known.relationId === relationId);
      if (known !== undefined && !isSame && (known.signed === true || !signed)) throw refuse(id);
      if (known !== undefined && !isSame) report({ kind: 'row', subject: 'conversation', id });
      if (isSame && known.relationId === relationId && (known.signed === true || !signed)) return false;
      pin(id, { kind, members, ...relation, ...(signed ? { signed } : {}) });
      await writeBuffer.saved();
      return !isSame;
    },
  };
}

interface OldPin {
  readonly kind: string;
  readonly person: string;
  readonly relationId: string;
}

const keyOf = (id: string) => `pin/conversation/${id}`;

const parse = <T>(text: string | undefined): T | undefined => (text === undefined ? undefined : JSON.parse(text));

const includes = (members: readonly (Member | GroupMember)[], { kind, id }: Member) =>
  members.some((member) => member.kind === kind && member.id === id);

/** Two different ones, one of them us; in `h2a` a person and an agent. */
function isPlausible({ kind, members }: Conversation, ownId: string): boolean {
  const agents = members.filter((member) => member.kind === 'agent').length;
  const [one, other] = members;
  const isPair = members.length === 2 && one!.id !== other!.id && members.some(({ id }) => id === ownId);
  return isPair && agents === (kind === 'h2a' ? 1 : 0);
}
