import type { AgentCaller } from '../http/caller.ts';
import type { AgentEvents } from './recorder.ts';

/** An agent that has not asked for so long is not there. Longer than any sensible pause between two polls. */
const GONE_MS = 30_000;

/** Agents that poll are connected from their first poll until they have not asked for a while. Each node knows its own. */
export interface Pollers {
  /** A poll begins; the answer says that it is over. */
  enter(caller: AgentCaller): () => void;
}

interface Polling {
  running: number;
  timer?: NodeJS.Timeout;
}

export function createPollers({ note }: AgentEvents, goneMs = GONE_MS): Pollers {
  const present = new Map<string, Polling>();
  return {
    enter: ({ agentId, tokenId }) => {
      const place = present.get(agentId) ?? { running: 0 };
      const noted = { via: 'poll', token_id: tokenId } as const;
      if (!present.has(agentId)) note(agentId, { type: 'connection.opened', ...noted });
      present.set(agentId, place);
      clearTimeout(place.timer);
      place.running++;
      return () => {
        if (--place.running > 0) return;
        place.timer = setTimeout(() => {
          present.delete(agentId);
          note(agentId, { type: 'connection.closed', ...noted });
        }, goneMs).unref();
      };
    },
  };
}
