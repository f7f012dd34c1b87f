import type { ConversationDetail } from '@parley/client';
import { displayText } from '@parley/documents';
import { useQuery } from '@tanstack/react-query';
import { useDevice } from '../../client/provider.tsx';

export type Member = ConversationDetail['members'][number];

const NONE: readonly Member[] = [];

/** Loads the members of a conversation; the thread reloads them when an unknown sender appears. */
export function useMembers(conversationId: string, enabled = true): readonly Member[] {
  const { conversations } = useDevice();
  const query = useQuery({
    queryKey: ['members', conversationId],
    queryFn: () => conversations.detail(conversationId),
    enabled,
  });
  return query.data?.members ?? NONE;
}

export const nameOf = ({ name, id }: Pick<Member, 'name' | 'id'>): string => displayText(name || id, 60);
