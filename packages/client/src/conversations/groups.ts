import { isParleyError } from '@parley/base';
import { type Crypto, type KeyPair, signGroupStatement } from '@parley/e2ee';
import type { Api, Conversation, DescribedConversation, Messenger, Platform, Store } from '@parley/messenger';
import { messengerError } from '@parley/messenger';
import { type BodyOf, conversationRoutes, type GroupStatement, type ReplyOf, type Unsigned } from '@parley/protocol';
import { clientError } from '../errors.ts';
import { newId } from '../new-id.ts';
import { createInvitations, type Invited } from './invitations.ts';

type Row = ReplyOf<typeof conversationRoutes.startConversation>;
type Member = { readonly kind: 'human' | 'agent'; readonly id: string };
type NamedMember = Row['members'][number];
type NewMember = Omit<BodyOf<typeof conversationRoutes.addMember>, 'statement'>;

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
  /** Rejects with CONTACT_REQUIRED for someone who is no contact (AC-4). */
  startWithPerson(accountId: string): Promise<string>;
  /** People who cannot be added are invited (AC-5). */
  startGroup(title: string, members: readonly Member[]): Promise<string>;
  /** Adds someone, or invites a person who cannot be added: then they are no member yet. */
  addMember(conversationId: string, member: NewMember): Promise<ConversationDetail>;
  removeMember(conversationId: string, memberId: string): Promise<void>;
  /** For managers: who is invited, and who has accepted and waits to be signed in (AC-5). */
  invited(conversationId: string): Promise<readonly Invited[]>;
  withdrawInvitation(conversationId: string, invitationId: string): Promise<void>;
  /** Signs who is in a group that nobody has signed yet: exactly those who were shown. */
  confirmMembers(
    conversationId: string,
    shown: { readonly members: readonly Member[]; readonly title: string | null },
  ): Promise<ConversationDetail>;
}

export type GroupMessenger = Pick<
  Messenger,
  'refresh' | 'conversation' | 'describeConversation' | 'bindConversation' | 'holdStatement'
>;

interface GroupDeps {
  readonly api: Api;
  readonly platform: Platform;
  readonly messenger: GroupMessenger;
  readonly self: { readonly id: string; readonly deviceId: string; readonly identity: KeyPair };
  readonly store: Store;
  /** Reads the list of conversations again: there is a new one. */
  sync(): Promise<void>;
  onProblem(error: unknown): void;
}

type GroupChange =
  | {
      action: 'create';
      title: string | null;
      members: { kind: 'human' | 'agent'; id: string; role: 'admin' | 'member' }[];
    }
  | { action: 'set'; member: { kind: 'human' | 'agent'; id: string; role: 'admin' | 'member' } }
  | { action: 'remove'; member: { kind: 'human' | 'agent'; id: string }; next_owner?: string };

/** The groups, with what only the client may do. */
export interface OpenGroups extends Groups {
  /** Signs in whom this device has invited and who has accepted. */
  admitInvited(): Promise<void>;
}

export function createGroups({ api, platform, messenger, self, store, sync, onProblem }: GroupDeps): OpenGroups {
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
    const described = await messenger.describeConversation(conversationId);
    messenger.refresh({ kind: 'conversation', id: conversationId });
    return toDetail(conversationId, described, self.id);
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

  async function create(title: string, others: readonly Member[]): Promise<string> {
    const id = newId(platform);
    const roled = others.map((member) => ({ kind: member.kind, id: member.id, role: 'member' as const }));
    const statement = sign(id, undefined, { action: 'create', title, members: roled });
    const plain = others.map((member) => ({ kind: member.kind, id: member.id }));
    await api.call(conversationRoutes.startConversation, {
      body: { kind: 'group', title, members: plain, conversation_id: id, statement },
    });
    await messenger.holdStatement(statement);
    return id;
  }

  async function add(conversationId: string, { kind, id, role }: Required<NewMember>): Promise<void> {
    const params = { conversation_id: conversationId };
    await change(conversationId, async ({ end, members, signed }) => {
      if (signed !== true) throw messengerError('GROUP_UNSIGNED');
      // Another device has signed them in meanwhile.
      if (members.some((member) => member.id === id && member.role === role)) return;
      const statement = sign(conversationId, end, { action: 'set', member: { kind, id, role } });
      await api.call(conversationRoutes.addMember, { params, body: { kind, id, role, statement } });
      await messenger.holdStatement(statement);
    });
  }

  /** A person who is no contact, or was in the group before, is asked first (AC-5). */
  async function addOrInvite(conversationId: string, member: Required<NewMember>): Promise<void> {
    try {
      await add(conversationId, member);
    } catch (error) {
      if (member.kind !== 'human' || !isParleyError(error, 'INVITATION_REQUIRED')) throw error;
      await invitations.invite(conversationId, member.id);
    }
  }

  const invitations = createInvitations({
    api,
    store,
    onProblem,
    addMember: (conversationId, id) => add(conversationId, { kind: 'human', id, role: 'member' }),
  });

  return {
    detail,
    invited: invitations.list,
    withdrawInvitation: invitations.withdraw,
    admitInvited: invitations.admit,
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
      const others = members.filter((member) => member.id !== self.id);
      let id: string;
      try {
        id = await create(title, others);
      } catch (error) {
        if (!isParleyError(error, 'INVITATION_REQUIRED')) throw error;
        id = await create(
          title,
          others.filter(({ kind }) => kind === 'agent'),
        );
        const people = others.filter(({ kind }) => kind === 'human');
        for (const { id: person } of people) await addOrInvite(id, { kind: 'human', id: person, role: 'member' });
      }
      await sync();
      return id;
    },
    async addMember(conversationId, { kind, id, role = 'member' }) {
      await addOrInvite(conversationId, { kind, id, role });
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
        await messenger.holdStatement(statement);
      });
    },
    async confirmMembers(conversationId, { members, title }) {
      const shown = await detail(conversationId);
      const isShown =
        members.length === shown.strangers.length &&
        shown.strangers.every(({ kind, id }) => members.some((one) => one.kind === kind && one.id === id));
      if (!shown.mayConfirm || !isShown || shown.title !== title) throw clientError('MEMBERS_CHANGED');
      const others = shown.strangers.filter(({ id }) => id !== self.id);
      // Nobody was asked about roles, and the server could make an admin of anyone: the owner names admins later.
      const roled = others.map(({ kind, id }) => ({ kind, id, role: 'member' as const }));
      const statement = sign(conversationId, undefined, { action: 'create', title: shown.title, members: roled });
      await api.call(conversationRoutes.signGroup, {
        params: { conversation_id: conversationId },
        body: { statement },
      });
      await messenger.holdStatement(statement);
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

function toDetail(
  conversationId: string,
  { conversation, names, title, createdAt, lastSeq }: DescribedConversation,
  ownId: string,
): ConversationDetail {
  const named = ({ kind, id, role }: Conversation['members'][number]): NamedMember => {
    const said = names.get(id);
    return { kind, id, role: role ?? said?.role ?? 'member', name: said?.name ?? '' };
  };
  const { kind, members, strangers = [], relationId } = conversation;
  const isGroup = kind === 'group';
  const signed = !isGroup || conversation.signed === true;
  return {
    conversation_id: conversationId,
    kind,
    title: conversation.title === undefined ? title : conversation.title,
    last_seq: lastSeq,
    created_at: createdAt,
    ...(relationId === undefined ? {} : { relation_id: relationId }),
    members: members.map(named),
    strangers: strangers.map(named),
    signed,
    mayConfirm: isGroup && !signed && names.get(ownId)?.role === 'owner',
  };
}
