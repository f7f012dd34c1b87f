import { useQuery } from '@tanstack/react-query';
import { useDevice, useReadable } from '../../client/provider.tsx';

interface KnownPerson {
  /** The title of the conversation with them, which stays with those it was bound to. */
  readonly name: string;
  readonly conversationId: string;
}

/** Finds the conversation of two with a person, by whom it is bound to (EE-20). */
export function usePerson(accountId: string | undefined): KnownPerson | undefined {
  const { conversations } = useDevice();
  const pairs = useReadable(conversations.list).filter(({ kind }) => kind === 'h2h');
  const query = useQuery({
    queryKey: ['person', accountId, pairs.map(({ conversationId }) => conversationId)],
    queryFn: async (): Promise<KnownPerson | null> => {
      for (const { conversationId, title } of pairs) {
        // One that is refused is not theirs, as far as anyone can tell.
        const detail = await conversations.detail(conversationId).catch(() => undefined);
        if (detail?.members.some(({ id }) => id === accountId)) return { name: title, conversationId };
      }
      return null;
    },
    enabled: accountId !== undefined,
  });
  return query.data ?? undefined;
}
