import type { Platform } from '@parley/messenger';
import type { Manifests } from './agents/manifests.ts';
import type { RelationRegistry } from './agents/relation-registry.ts';
import { toGuardRelation } from './agents/relation-state.ts';
import type { GuardContextSource } from './guard/call-flow.ts';

const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000];

interface GuardContextDeps {
  readonly registry: RelationRegistry;
  readonly manifests: Manifests;
  readonly platform: Pick<Platform, 'setTimer'>;
  /** Resolves when what other own devices have said was looked at (EE-23). */
  settled(): Promise<unknown>;
  report(error: unknown): void;
}

/** Reads what the guard has to know about an agent, and asks the server for what is not known yet. */
export function createGuardContextSource({
  registry,
  manifests,
  platform,
  settled,
  report,
}: GuardContextDeps): GuardContextSource {
  async function learn(agentId: string, conversationId: string): Promise<void> {
    if (registry.byConversation(conversationId) === undefined) await registry.sync();
    if (registry.byConversation(conversationId)?.trusted === undefined) await registry.reread(agentId);
    await manifests.prepare(agentId);
  }

  return {
    settled,
    async prepare({ agentId, conversationId, conversationKind }) {
      if (conversationKind !== 'h2a') return;
      await settled();
      for (const pause of [...RETRY_DELAYS_MS, undefined]) {
        try {
          return await learn(agentId, conversationId);
        } catch (error) {
          // The guard refuses what it does not know.
          if (pause === undefined) return report(error);
          await new Promise<void>((resolve) => void platform.setTimer(resolve, pause));
        }
      }
    },
    read({ agentId, conversationId }) {
      const state = registry.byConversation(conversationId);
      const announced = manifests.announced(agentId);
      return {
        relation: state && toGuardRelation(state),
        manifest: manifests.verified(agentId),
        announcedHash: announced?.hash ?? null,
        agentName: state?.wire.agent_name || announced?.name || agentId,
      };
    },
    async refresh(agentId) {
      // What cannot be read again is decided by what is known.
      await manifests.refresh(agentId).catch(report);
      // A server that cannot be asked has not changed its mind.
      await registry.recheck(agentId).catch(() => registry.reread(agentId).catch(report));
    },
  };
}
