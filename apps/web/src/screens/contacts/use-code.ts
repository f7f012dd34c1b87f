import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDevice } from '../../client/provider.tsx';

const KEY = ['contact-code'] as const;

/** One's own contact code. */
export function useContactCode() {
  const { contacts } = useDevice();
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: KEY, queryFn: () => contacts.code() });
  const replace = async () => {
    queries.setQueryData(KEY, await contacts.replaceCode());
  };
  return { code: data, error, replace };
}
