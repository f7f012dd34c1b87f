import type { ConversationDetail } from '@parley/client';
import { displayText } from '@parley/documents';
import { useQuery } from '@tanstack/react-query';
import { useDevice } from '../../client/provider.tsx';

export type Member = ConversationDetail['members'][number];

const NONE: readonly Member[] = [];

/** Who is in a conversation; asked again when `seq` moves, for whoever joined has said so. */
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
