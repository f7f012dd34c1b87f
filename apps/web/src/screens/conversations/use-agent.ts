import type { RelationView } from '@parley/client';
import { useDevice, useReadable } from '../../client/provider.tsx';

/** The relation behind a conversation with an agent. */
export function useAgent(conversationId: string): RelationView | undefined {
  return useReadable(useDevice().relations).find((relation) => relation.conversationId === conversationId);
}

/** CM-1: what an agent says it supports is offered, nothing else. In groups and among people there is no one to ask. */
export function supports(agent: RelationView | undefined, flag: string): boolean {
  return agent === undefined || agent.flags.includes(flag);
}
