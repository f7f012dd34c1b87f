import type { Platform } from '@parley/messenger';
import type { Manifests } from './agents/manifests.ts';
import type { RelationBook } from './agents/relation-book.ts';
import { toGuardRelation } from './agents/relation-state.ts';
import type { GuardSource } from './guard/call-flow.ts';

const PATIENCE_MS = [1_000, 2_000, 4_000, 8_000];

interface SourceMeans {
  readonly book: RelationBook;
  readonly manifests: Manifests;
  readonly platform: Pick<Platform, 'setTimer'>;
  report(error: unknown): void;
}

/** What the guard knows about an agent; asked of the server where it is not known yet. */
export function createSource({ book, manifests, platform, report }: SourceMeans): GuardSource {
  async function learn(agentId: string, conversationId: string): Promise<void> {
    if (book.byConversation(conversationId) === undefined) await book.sync();
    if (book.byConversation(conversationId)?.trusted === undefined) await book.reread(agentId);
    await manifests.prepare(agentId);
  }

  return {
    async prepare({ agentId, conversationId, conversationKind }) {
      if (conversationKind !== 'h2a') return;
      for (const pause of [...PATIENCE_MS, undefined]) {
        try {
          return await learn(agentId, conversationId);
        } catch (error) {
          // What is not known is refused.
          if (pause === undefined) return report(error);
          await new Promise<void>((resolve) => void platform.setTimer(resolve, pause));
        }
      }
    },
    read({ agentId, conversationId }) {
      const state = book.byConversation(conversationId);
      const announced = manifests.announced(agentId);
      return {
        relation: state && toGuardRelation(state),
        manifest: manifests.held(agentId),
        announcedHash: announced?.hash ?? null,
        agentName: state?.wire.agent_name || announced?.name || agentId,
      };
    },
    async refresh(agentId) {
      await manifests.refresh(agentId).catch(report);
      await book.reread(agentId);
    },
  };
}
