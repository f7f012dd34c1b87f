import { isParleyError } from '@parley/base';
import { type Crypto, type KeyPair, signGroupStatement } from '@parley/e2ee';
import type { Api, Conversation, Messenger, Platform } from '@parley/messenger';
import { messengerError } from '@parley/messenger';
import { type BodyOf, conversationRoutes, type GroupStatement, type ReplyOf, type Unsigned } from '@parley/protocol';
import { clientError } from '../errors.ts';
import { newId } from '../new-id.ts';

type Row = ReplyOf<typeof conversationRoutes.readConversation>;
type Member = { readonly kind: 'human' | 'agent'; readonly id: string };
type NamedMember = Row['members'][number];

/** A conversation with its members, as they were signed or pinned (EE-20). The names are what the server says. */
export interface ConversationDetail extends Omit<Row, 'members'> {
  readonly members: readonly NamedMember[];
  /** Whom the server names and nobody signed. They get no key. */
  readonly strangers: readonly NamedMember[];
  /** Of a group: whether anyone signed who is in it. Until then, nothing can be sent. */
  readonly signed: boolean;
  /** The person owns the group that nobody has signed yet, and may confirm its members. */
  readonly mayConfirm: boolean;
}

export interface Groups {
  detail(conversationId: string): Promise<ConversationDetail>;
  startWithPerson(accountId: string): Promise<string>;
  startGroup(title: string, members: readonly Member[]): Promise<string>;
  addMember(
    conversationId: string,
    member: Omit<BodyOf<typeof conversationRoutes.addMember>, 'statement'>,
  ): Promise<ConversationDetail>;
  removeMember(conversationId: string, memberId: string): Promise<void>;
  /** Signs who is in a group that nobody has signed yet: exactly those who were shown. */
  confirmMembers(conversationId: string, members: readonly Member[]): Promise<ConversationDetail>;
}

interface GroupDeps {
  readonly api: Api;
  readonly platform: Platform;
  readonly messenger: Pick<Messenger, 'refresh' | 'conversation' | 'bindConversation'>;
  readonly self: { readonly id: string; readonly deviceId: string; readonly identity: KeyPair };
  /** Reads the list of conversations again: there is a new one. */
  sync(): Promise<void>;
}

type GroupChange =
  | {
      action: 'create';
      title: string | null;
      members: { kind: 'human' | 'agent'; id: string; role: 'admin' | 'member' }[];
    }
  | { action: 'set'; member: { kind: 'human' | 'agent'; id: string; role: 'admin' | 'member' } }
  | { action: 'remove'; member: { kind: 'human' | 'agent'; id: string }; next_owner?: string };

export function createGroups({ api, platform, messenger, self, sync }: GroupDeps): Groups {
  const { crypto } = platform;

  const sign = (conversationId: string, end: Conversation['end'], change: GroupChange): GroupStatement =>
    signChange(crypto, self.identity, {
      version: 1,
      conversation_id: conversationId,
      seq: (end?.length ?? 0) + 1,
      prev: end?.head ?? null,
      created_at: platform.now().toISOString(),
      by: { kind: 'human', id: self.id, device_id: self.deviceId },
      ...change,
    });

  async function read(conversationId: string): Promise<Conversation> {
    messenger.refresh({ kind: 'conversation', id: conversationId });
    return messenger.conversation(conversationId);
  }

  async function detail(conversationId: string): Promise<ConversationDetail> {
    const row = await api.call(conversationRoutes.readConversation, { params: { conversation_id: conversationId } });
    const bound = await read(conversationId);
    return toDetail(row, bound, self.id);
  }

  /** Another admin may have signed first: then once more, on top of that. */
  async function change(conversationId: string, work: (bound: Conversation) => Promise<unknown>): Promise<void> {
    try {
      await work(await read(conversationId));
    } catch (error) {
      if (!isParleyError(error, 'STATEMENT_CONFLICT')) throw error;
      await work(await read(conversationId));
    }
    messenger.refresh({ kind: 'conversation', id: conversationId });
  }

  return {
    detail,
    async startWithPerson(accountId) {
      const body = { kind: 'h2h' as const, members: [{ kind: 'human' as const, id: accountId }] };
      const { conversation_id: id, kind, members } = await api.call(conversationRoutes.startConversation, { body });
      const isPair = members.length === 2 && [self.id, accountId].every((one) => members.some((m) => m.id === one));
      if (kind !== 'h2h' || !isPair) throw messengerError('CONVERSATION_CHANGED');
      const other = { kind: 'human' as const, id: accountId };
      await messenger.bindConversation(id, { kind: 'h2h', other, signed: true });
      await sync();
      return id;
    },
    async startGroup(title, members) {
      const id = newId(platform);
      const others = members.filter((member) => member.id !== self.id);
      const roled = others.map((member) => ({ kind: member.kind, id: member.id, role: 'member' as const }));
      const statement = sign(id, undefined, { action: 'create', title, members: roled });
      const plain = others.map((member) => ({ kind: member.kind, id: member.id }));
      await api.call(conversationRoutes.startConversation, {
        body: { kind: 'group', title, members: plain, conversation_id: id, statement },
      });
      await sync();
      return id;
    },
    async addMember(conversationId, member) {
      const { kind, id, role = 'member' } = member;
      const params = { conversation_id: conversationId };
      await change(conversationId, async ({ end, signed }) => {
        if (signed !== true) throw messengerError('GROUP_UNSIGNED');
        const statement = sign(conversationId, end, { action: 'set', member: { kind, id, role } });
        await api.call(conversationRoutes.addMember, { params, body: { kind, id, role, statement } });
      });
      return detail(conversationId);
    },
    async removeMember(conversationId, memberId) {
      const params = { conversation_id: conversationId, member_id: memberId };
      await change(conversationId, async ({ end, members, signed }) => {
        const member = members.find(({ id }) => id === memberId);
        // Whom nobody signed in, nobody has to sign out.
        if (signed !== true || member === undefined) {
          await api.call(conversationRoutes.removeMember, { params, body: null });
          return;
        }
        const heir = memberId === self.id && member.role === 'owner' ? findHeir(members, memberId) : undefined;
        const statement = sign(conversationId, end, {
          action: 'remove',
          member: { kind: member.kind, id: memberId },
          ...(heir === undefined ? {} : { next_owner: heir }),
        });
        await api.call(conversationRoutes.removeMember, { params, body: { statement } });
      });
    },
    async confirmMembers(conversationId, members) {
      const shown = await detail(conversationId);
      const isShown =
        members.length === shown.strangers.length &&
        shown.strangers.every(({ kind, id }) => members.some((one) => one.kind === kind && one.id === id));
      if (!shown.mayConfirm || !isShown) throw clientError('MANIFEST_CHANGED');
      const others = shown.strangers.filter(({ id }) => id !== self.id);
      const roled = others.map(({ kind, id, role }) => ({
        kind,
        id,
        role: role === 'admin' ? ('admin' as const) : ('member' as const),
      }));
      const statement = sign(conversationId, undefined, { action: 'create', title: shown.title, members: roled });
      await api.call(conversationRoutes.signGroup, {
        params: { conversation_id: conversationId },
        body: { statement },
      });
      return detail(conversationId);
    },
  };
}

const signChange = (crypto: Crypto, identity: KeyPair, statement: Unsigned<GroupStatement>): GroupStatement =>
  signGroupStatement(crypto, statement, identity) as GroupStatement;

/** A group whose owner leaves goes to an admin, else to whoever has been in it longest, but never to an agent. */
function findHeir(members: Conversation['members'], leaving: string): string | undefined {
  const people = members.filter(({ kind, id }) => kind === 'human' && id !== leaving);
  return (people.find(({ role }) => role === 'admin') ?? people[0])?.id;
}

function toDetail(row: Row, bound: Conversation, ownId: string): ConversationDetail {
  const nameOf = (id: string) => row.members.find((member) => member.id === id)?.name ?? '';
  const named = ({ kind, id, role }: Conversation['members'][number]): NamedMember => ({
    kind,
    id,
    role: role ?? row.members.find((member) => member.id === id)?.role ?? 'member',
    name: nameOf(id),
  });
  const isGroup = bound.kind === 'group';
  const signed = !isGroup || bound.signed === true;
  const isOwner = row.members.some(({ id, role }) => id === ownId && role === 'owner');
  return {
    ...row,
    kind: bound.kind,
    title: isGroup && bound.title !== undefined ? bound.title : row.title,
    members: bound.members.map(named),
    strangers: (bound.strangers ?? []).map(named),
    signed,
    mayConfirm: isGroup && !signed && isOwner,
  };
}
