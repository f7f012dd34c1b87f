import { ApiError, type Incoming, type PlatformEvent, type Problem, type TransientEvent } from '@parley/messenger';
import { isToolCall, isToolResponse } from '@parley/protocol';
import type { Manifests } from './agents/manifests.ts';
import type { RelationRegistry } from './agents/relation-registry.ts';
import type { OpenConversations } from './conversations/conversations.ts';
import type { Permissions } from './guard/permissions.ts';
import type { Runner } from './guard/runner.ts';
import type { OpenProblems } from './problems.ts';

interface DispatchDeps {
  readonly accountId: string;
  readonly deviceId: string;
  readonly runner: Runner;
  readonly conversations: OpenConversations;
  readonly registry: RelationRegistry;
  readonly manifests: Manifests;
  readonly permissions: Permissions;
  readonly problems: OpenProblems;
  onRevoked(): void;
  /** The list of the account has to be read again, and with it what revoked devices have signed (EE-18). */
  devicesChanged(): Promise<void>;
  /** Called when the server refused our token; finds out whether the login session has ended. */
  checkSession(): Promise<void>;
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
  const { accountId, deviceId, runner, conversations, registry, manifests, permissions, problems } = deps;

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
    deps.background(permissions.closeWindows(party.id).then(() => registry.reread(party.id)));
  }

  return {
    async onMessage(message) {
      const { payload, sender, conversationId } = message;
      if (isToolCall(payload)) return runner.receive(message, payload.artifact);
      if (!isToolResponse(payload)) return conversations.receive(message);
      const isOwn = sender.kind === 'human' && sender.id === accountId;
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
          if (event.relation_id !== undefined) await registry.update(event.relation_id);
          if (event.type === 'relation.revoked') await permissions.closeWindows(event.agent_id);
          return conversations.sync();
        case 'conversation.members_changed':
          return conversations.sync();
        case 'device.changed':
          if (event.device_id === deviceId && event.change === 'revoked') deps.onRevoked();
          else await deps.devicesChanged();
          return;
        case 'account.devices_changed':
          // Another keeper changed the list, or replaced the account key (EE-17).
          if (event.account_id === accountId) await deps.devicesChanged();
      }
    },
    onTransient(event) {
      if (event.type === 'claimed') {
        if (event.deviceId !== deviceId) runner.claimedElsewhere(event);
      } else if (event.type === 'last') runner.othersPassed(event);
      else conversations.receiveTransient(event);
    },
    onProblem(problem) {
      if (problem.kind === 'identity_changed') onIdentityChanged(problem);
      else if (problem.kind === 'weaker_mode') {
        const { agentId } = problem;
        problems.note({ kind: 'weaker_mode', agentId });
        if (registry.byAgent(agentId)?.weaker === false) deps.background(registry.reread(agentId, { weaker: true }));
      } else if (problem.kind === 'undecryptable') {
        const { header, reason } = problem;
        problems.note({ kind: 'undecryptable', conversationId: header.conversation_id, reason });
      } else if (problem.kind === 'device_list' || problem.kind === 'row') problems.note(problem);
      else if (problem.kind === 'members') {
        const { conversationId } = problem;
        const strangers = problem.strangers.map(({ kind, id }) => ({ kind, id }));
        problems.note({ kind: 'members', conversationId, strangers });
      } else if (problem.kind === 'gone') problems.note({ kind: 'gone', conversationId: problem.conversationId });
      else if (problem.kind === 'connection') {
        // The messenger connects again by itself, and `device.connection` shows that it is offline.
        if (problem.error instanceof ApiError && problem.error.status === 401) deps.background(deps.checkSession());
      } else problems.note({ kind: 'error', error: problem.error });
    },
  };
}
