import { Failure } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { pipeOf } from '../storage/pipeline.ts';
import { createClaims } from './claim.ts';
import { createCursors } from './cursors.ts';
import { createReader } from './reader.ts';
import { createRelay, type Relay } from './relay.ts';
import type { ConversationMeans } from './routes.ts';

export { type ConversationMeans, registerConversations } from './routes.ts';

/** What routes and sockets share. One for each server. */
export function createConversations(platform: Platform, node: string): ConversationMeans {
  return {
    relay: noteRefusals(createRelay(platform), platform),
    reader: createReader(platform.db),
    cursors: createCursors(pipeOf(platform.storage.pool), platform.now),
    claims: createClaims(platform, node),
  };
}

/** The owner of an agent sees that it calls too often (TC-7). */
function noteRefusals(relay: Relay, { tail }: Platform): Relay {
  return {
    ...relay,
    send: async (caller, message) => {
      try {
        return await relay.send(caller, message);
      } catch (error) {
        const isCall = message.envelope.header.msg_subtype === 'artifact_tool_call';
        if (caller.kind === 'agent' && isCall && error instanceof Failure && error.code === 'RATE_LIMITED')
          tail.countRefusal(caller.agentId);
        throw error;
      }
    },
  };
}
