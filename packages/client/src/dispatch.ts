import { ApiError, type Incoming, type PlatformEvent, type Problem, type TransientEvent } from '@parley/messenger';
import { isToolCall, isToolResponse, readAccountDenials, readAccountHeads } from '@parley/protocol';
import type { Manifests } from './agents/manifests.ts';
import type { RelationRegistry } from './agents/relation-registry.ts';
import type { OpenContacts } from './contacts/contacts.ts';
import type { OpenConversations } from './conversations/conversations.ts';
import type { Gossip } from './gossip/gossip.ts';
import type { Permissions } from './guard/permissions.ts';
import type { Runner } from './guard/runner.ts';
import type { ClientProblem, OpenProblems } from './problems.ts';

interface DispatchDeps {
  readonly accountId: string;
  readonly deviceId: string;
  readonly runner: Runner;
  readonly conversations: OpenConversations;
  readonly contacts: Pick<OpenContacts, 'sync' | 'hides' | 'hidesNow'>;
  readonly registry: RelationRegistry;
  readonly manifests: Manifests;
  readonly permissions: Permissions;
  readonly problems: OpenProblems;
  readonly gossip: Pick<Gossip, 'hear' | 'hearDenials'>;
  wasWithBlocked(conversationId: string): Promise<boolean>;
  /** Since when the account's list names this device, as it was signed. */
  listedAt(): Promise<string | undefined>;
  /** The list of the account has to be read again, and with it what revoked devices have signed (EE-18). */
  devicesChanged(): Promise<void>;
  /** Called when the server is said to refuse this device. If it does, nobody is signed in here any more. */
  isSessionOver(): Promise<boolean>;
  /** Runs work that nobody awaits; a failure is noted as a problem. */
  background(work: Promise<unknown>): void;
}

/** Hands everything that the messenger reports to the part of the client that it concerns. */
export interface Dispatcher {
  onMessage(message: Incoming): Promise<void>;
  onEvent(event: PlatformEvent): Promise<void>;
  onTransient(event: TransientEvent): void;
  onProblem(problem: Problem): void;
}

export function createDispatcher(deps: DispatchDeps): Dispatcher {
  const { accountId, deviceId, runner, conversations, contacts, registry, manifests, permissions, problems, gossip } =
    deps;

  async function onManifestAnnounced(heard: { agentId: string; version: number; hash: string | null }): Promise<void> {
    const { agentId } = heard;
    await manifests.announce(agentId, heard);
    await manifests.prepare(agentId);
    const relation = registry.byAgent(agentId);
    if (relation !== undefined) await registry.update(relation.wire.relation_id);
  }

  function onIdentityChanged({ party, known, offered }: Extract<Problem, { kind: 'identity_changed' }>): void {
    const isNew = problems.note({ kind: 'identity_changed', party, known, offered });
    if (party.kind !== 'agent' || !isNew) return;
    // A silent window names the key it was opened for, so it is of no use to the new one, and is there if this was a lie.
    deps.background(registry.reread(party.id));
  }

  /** What someone wrote while the person had blocked them does not come, and nobody misses it (AC-6). */
  async function noteGone({ conversationId, toSeq }: Extract<Problem, { kind: 'gone' }>): Promise<void> {
    if (await deps.wasWithBlocked(conversationId)) return;
    if (await conversations.isEarlier(conversationId, toSeq)) await conversations.noteEarlier(conversationId);
    else problems.note({ kind: 'gone', conversationId });
  }

  /** What was never meant for this device is no loss (WC-38). */
  async function noteUnopened(problem: Extract<Problem, { kind: 'undecryptable' }>): Promise<void> {
    const { header, reason, seq } = problem;
    const conversationId = header.conversation_id;
    // If nobody can be asked, it counts as lost.
    const isEarlier = await conversations.isEarlier(conversationId, seq).catch(() => false);
    if (isFromBefore(problem, { listedAt: await deps.listedAt(), isEarlier }))
      await conversations.noteEarlier(conversationId);
    else problems.note({ kind: 'undecryptable', conversationId, reason });
  }

  function onOver(over: Extract<Problem, { kind: 'over' }>): void {
    problems.end((problem) => isAbout(problem, over));
    if (over.subject === 'agent') deps.background(registry.reread(over.id));
  }

  /** What one of them could not open or has missed, it is told again within minutes (EE-23). */
  const isAmongOwnDevices = (problem: Problem): boolean =>
    (problem.kind === 'undecryptable' && problem.header.conversation_id === accountId) ||
    ((problem.kind === 'gone' || problem.kind === 'unsent') && problem.conversationId === accountId);

  return {
    async onMessage(message) {
      const { payload, sender, conversationId } = message;
      const isOwn = sender.kind === 'human' && sender.id === accountId;
      const heads = conversationId === accountId ? readAccountHeads(payload) : message.heads;
      if (isOwn && heads !== undefined) await gossip.hear(sender.device_id!, heads);
      const denials = conversationId === accountId ? readAccountDenials(payload) : undefined;
      if (isOwn && denials !== undefined) await gossip.hearDenials(sender.device_id!, denials);
      // What own devices tell each other is no message of anyone (EE-23).
      if (conversationId === accountId) return;
      await conversations.noteOpened(conversationId, message.seq);
      if (await contacts.hides(message)) return;
      if (isToolCall(payload)) return runner.receive(message, payload.artifact);
      if (!isToolResponse(payload)) return conversations.receive(message);
      if (isOwn) await runner.answeredElsewhere(conversationId, payload.artifact);
    },
    async onEvent(event) {
      switch (event.type) {
        case 'h2a.reauth_required':
        case 'h2a.manifest_updated':
          return onManifestAnnounced({
            agentId: event.agent_id,
            version: event.new_manifest_version,
            hash: event.new_manifest_hash,
          });
        case 'relation.established':
        case 'agent.capability_changed':
        case 'relation.revoked':
        case 'relation.suspended':
        case 'relation.restored':
          if (event.relation_id !== undefined) {
            const { chain } = await registry.update(event.relation_id);
            if (chain.granted.size === 0) await permissions.closeWindows(event.agent_id);
          }
          return conversations.sync();
        case 'conversation.members_changed':
          await conversations.sync();
          // The invitation that one had accepted is used up.
          if (event.added.some(({ kind, id }) => kind === 'human' && id === accountId)) await contacts.sync();
          return;
        case 'contact.accepted':
        case 'contact.requested':
        case 'contact.changed':
        case 'group.invited':
          return contacts.sync();
        case 'group.invitation_accepted':
          return conversations.admitInvited();
        case 'device.changed':
          // An event alone ends nothing (EE-24): the list says it, or the server refuses this device.
          if (event.device_id === deviceId && event.change === 'revoked' && (await deps.isSessionOver())) return;
          return deps.devicesChanged();
        case 'account.devices_changed':
          // Another keeper changed the list, or replaced the account key (EE-17).
          if (event.account_id === accountId) await deps.devicesChanged();
      }
    },
    onTransient(event) {
      if (event.type === 'claimed') {
        if (event.deviceId !== deviceId) runner.claimedElsewhere(event);
      } else if (event.type === 'last') runner.othersPassed(event);
      else if (!contacts.hidesNow(event.sender, registry.byConversation(event.conversationId) === undefined)) {
        conversations.receiveTransient(event);
      }
    },
    onProblem(problem) {
      if (isAmongOwnDevices(problem)) return;
      if (problem.kind === 'identity_changed') onIdentityChanged(problem);
      else if (problem.kind === 'weaker_mode') {
        const { agentId } = problem;
        problems.note({ kind: 'weaker_mode', agentId });
        if (registry.byAgent(agentId)?.weaker === false) deps.background(registry.reread(agentId));
      } else if (problem.kind === 'undecryptable') deps.background(noteUnopened(problem));
      else if (problem.kind === 'device_list' || problem.kind === 'row' || problem.kind === 'clock')
        problems.note(problem);
      else if (problem.kind === 'over') onOver(problem);
      else if (problem.kind === 'members') {
        const { conversationId } = problem;
        const strangers = problem.strangers.map(({ kind, id }) => ({ kind, id }));
        problems.note({ kind: 'members', conversationId, strangers });
      } else if (problem.kind === 'gone') deps.background(noteGone(problem));
      else if (problem.kind === 'connection') {
        // The messenger connects again by itself, and `device.connection` shows that it is offline.
        if (problem.error instanceof ApiError && problem.error.status === 401) deps.background(deps.isSessionOver());
      } else problems.note({ kind: 'error', error: problem.error });
    },
  };
}

/** The signature is valid, so the sender gave this device no part, and wrote when it says. */
const VERIFIED = ['not_addressed', 'group_key_unknown', 'downgraded'];
/**
 * Nothing of it is known to be true, the time neither: it may be of someone who has left, or a server may have taken the
 * part for this device out of it.
 */
const UNVERIFIED = ['sender', 'signature'];
/** Also happens to what is written just after, by whoever has not heard of the device yet. */
const UNHEARD_OF = ['not_addressed', 'group_key_unknown'];
/** By how much the clock of a sender may be ahead: the server takes nothing later. */
const CLOCK_MS = 5 * 60_000;

interface Age {
  /** Since when the account's list names this device. */
  readonly listedAt: string | undefined;
  /** Its number is older than what this device first saw of the conversation. */
  readonly isEarlier: boolean;
}

/** Was it written before this device was listed (WC-38)? Only what has no part for this device counts. */
export function isFromBefore(
  { header, reason, isAddressed }: Extract<Problem, { kind: 'undecryptable' }>,
  { listedAt, isEarlier }: Age,
): boolean {
  if (isAddressed || listedAt === undefined) return false;
  if (!VERIFIED.includes(reason) && !(UNVERIFIED.includes(reason) && isEarlier)) return false;
  const ahead = UNHEARD_OF.includes(reason) ? CLOCK_MS : 0;
  return Date.parse(header.created_at) <= Date.parse(listedAt) + ahead;
}

/** Is the problem about what is over? */
function isAbout(problem: ClientProblem, over: Extract<Problem, { kind: 'over' }>): boolean {
  if (over.subject === 'clock') return problem.kind === 'clock';
  const { subject, id } = over;
  switch (problem.kind) {
    case 'identity_changed':
      return problem.party.kind === subject && problem.party.id === id;
    case 'weaker_mode':
      return subject === 'agent' && problem.agentId === id;
    case 'device_list':
      return subject === 'account' && problem.accountId === id;
    case 'row':
      return problem.subject === subject && problem.id === id;
    case 'members':
      return subject === 'conversation' && problem.conversationId === id;
    default:
      return false;
  }
}
