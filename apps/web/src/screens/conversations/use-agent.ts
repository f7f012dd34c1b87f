import type { RelationView } from '@parley/client';
import { useDevice, useReadable } from '../../client/provider.tsx';

/** Returns the relation that belongs to a conversation with an agent. */
export function useAgent(conversationId: string): RelationView | undefined {
  return useReadable(useDevice().relations).find((relation) => relation.conversationId === conversationId);
}

/** Offers only what the agent declares (CM-1). Groups and conversations between people have no such declaration. */
export function supports(agent: RelationView | undefined, flag: string): boolean {
  return agent === undefined || agent.flags.includes(flag);
}
