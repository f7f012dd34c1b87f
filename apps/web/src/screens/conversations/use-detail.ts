import type { ConversationDetail } from '@parley/client';
import { displayText } from '@parley/documents';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDevice } from '../../client/provider.tsx';

export type Member = ConversationDetail['members'][number];

const UNSIGNED_MS = 10_000;

const keyOf = (conversationId: string) => ['members', conversationId] as const;

/**
 * Who is in a conversation, as it was signed or pinned (EE-20). Nothing else may say who the other side is. The thread
 * reloads it when an unknown sender appears.
 */
export function useDetail(conversationId: string, enabled = true) {
  const { conversations } = useDevice();
  return useQuery({
    queryKey: keyOf(conversationId),
    queryFn: () => conversations.detail(conversationId),
    enabled,
    // Someone else confirms the members of a group that nobody has signed yet.
    refetchInterval: ({ state }) => (state.data?.signed === false ? UNSIGNED_MS : false),
  });
}

export function useReloadDetail(conversationId: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf(conversationId) });
}

export const nameOf = ({ name, id }: Pick<Member, 'name' | 'id'>): string => displayText(name || id, 60);
