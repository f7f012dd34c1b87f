import type { AgentCaller } from '../http/caller.ts';
import type { AgentEvents } from './recorder.ts';

/**
 * An agent that has not polled for this long counts as disconnected. It is longer than any sensible pause between two
 * polls.
 */
const GONE_MS = 30_000;

/**
 * Agents that poll count as connected from their first poll until they stop for a while. Each node knows only its own.
 */
export interface PollTracker {
  /** Notes that a poll has begun; call the returned function when it was answered. */
  begin(caller: AgentCaller): () => void;
}

interface PollingAgent {
  polls: number;
  timer?: NodeJS.Timeout;
}

export function createPollTracker({ record }: AgentEvents, goneMs = GONE_MS): PollTracker {
  const polling = new Map<string, PollingAgent>();
  return {
    begin: ({ agentId, tokenId }) => {
      const agent = polling.get(agentId) ?? { polls: 0 };
      const connection = { via: 'poll', token_id: tokenId } as const;
      if (!polling.has(agentId)) record(agentId, { type: 'connection.opened', ...connection });
      polling.set(agentId, agent);
      clearTimeout(agent.timer);
      agent.polls++;
      return () => {
        if (--agent.polls > 0) return;
        agent.timer = setTimeout(() => {
          polling.delete(agentId);
          record(agentId, { type: 'connection.closed', ...connection });
        }, goneMs).unref();
      };
    },
  };
}
