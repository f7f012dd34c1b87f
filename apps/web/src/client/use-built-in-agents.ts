import type { AgentSummary } from '@parley/client';
import { SYSTEM_AGENT_ID } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useDevice } from './provider.tsx';

interface BuiltIn {
  /** Undefined while the server is asked, and where it cannot be. */
  readonly agents: readonly AgentSummary[] | undefined;
  /** The one to try things with. */
  readonly demo: AgentSummary | undefined;
  readonly isAsking: boolean;
}

/** What the manifest of the demo agent lets people try. */
const SCOPES = ['network:http', 'location:read'];

/** The agents that come with the server, by its word: anyone may call an agent DemoBot (WC-43). */
export function useBuiltInAgents(): BuiltIn {
  const { agents } = useDevice();
  const { data, isPending } = useQuery({
    queryKey: ['built-in-agents'],
    queryFn: async () => (await agents.search({ built_in: 'true' })).agents,
    staleTime: Infinity,
  });
  const demo = data?.find(
    ({ agent_id: id, permission_scopes: scopes }) =>
      id !== SYSTEM_AGENT_ID && SCOPES.every((scope) => scopes.includes(scope)),
  );
  return { agents: data, demo, isAsking: isPending };
}
