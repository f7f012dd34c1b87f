import { isParleyError } from '@parley/base';
import { createTurns, type Turns } from '../budgets/turns.ts';
import type { Platform } from '../platform.ts';
import { pipeOf } from '../storage/pipeline.ts';
import { type Claims, createClaims } from './claim.ts';
import { type Cursors, createCursors } from './cursors.ts';
import { createReader, type Reader } from './read-messages.ts';
import { createRelay, type Relay } from './relay.ts';
import { createSharedReads, type SharedReads } from './shared-reads.ts';

/** The services that routes and sockets share; one of each per server. */
export interface Conversations {
  readonly relay: Relay;
  readonly reader: Reader;
  /** For whatever else sockets and polls read. */
  readonly reads: SharedReads;
  /** In which polls collect what they answer. */
  readonly pollTurns: Turns;
  /** For acknowledgements over sockets, which nobody answers. */
  readonly cursors: Cursors;
  /** For those that are answered: on disk by then. */
  readonly durableCursors: Cursors;
  readonly claims: Claims;
}

/** `node` is the id under which presence knows the devices that are connected to this server. */
export function createConversations(platform: Platform, node: string): Conversations {
  const pipe = pipeOf(platform.storage.pool);
  const reads = createSharedReads(platform.config.poolSize);
  return {
    relay: countRefusals(createRelay(platform), platform),
    reader: createReader(platform.db),
    reads,
    pollTurns: createTurns('polls'),
    cursors: createCursors(pipe, platform.now, { isDurable: false }),
    durableCursors: createCursors(pipe, platform.now, { isDurable: true }),
    claims: createClaims(platform, reads, node),
  };
}

/** Shows the owner of an agent that it calls too often (TC-7). */
function countRefusals(relay: Relay, { agentEvents }: Platform): Relay {
  return {
    ...relay,
    send: async (caller, message) => {
      try {
        return await relay.send(caller, message);
      } catch (error) {
        const isCall = message.envelope.header.msg_subtype === 'artifact_tool_call';
        if (caller.kind === 'agent' && isCall && isParleyError(error, 'RATE_LIMITED')) {
          agentEvents.countRefusal(caller.agentId);
        }
        throw error;
      }
    },
  };
}
