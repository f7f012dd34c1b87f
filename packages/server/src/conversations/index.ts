import type { Platform } from '../platform.ts';
import { createClaims } from './claim.ts';
import { createCursors } from './cursors.ts';
import { createReader } from './reader.ts';
import { createRelay } from './relay.ts';
import type { ConversationMeans } from './routes.ts';

export { type ConversationMeans, registerConversations } from './routes.ts';

/** What routes and sockets share. One for each server. */
export function createConversations(platform: Platform, node: string): ConversationMeans {
  return {
    relay: createRelay(platform),
    reader: createReader(platform.db),
    cursors: createCursors(platform.db, platform.now),
    claims: createClaims(platform, node),
  };
}
