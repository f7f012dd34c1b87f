import type { Party } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Pipe } from '../storage/pipeline.ts';
import { type ConversationState, partyKey, readConversations } from './conversation-state.ts';

/**
 * A conversation does not exist for those who are not in it. With an agent, one can talk while the relation is active.
 */
export function checkMayTalk(state: ConversationState | undefined, sender: Party): void {
  const member = state?.senders.get(partyKey(sender));
  if (state === undefined || member === undefined) throw new RequestError('NOT_FOUND');
  if (!member.open || !member.present || !member.agentActive) throw new RequestError('RELATION_INACTIVE');
  if (member.deaf) throw new RequestError('ACCOUNT_BLOCKED');
  if (state.kind === 'h2a' && !state.agentsActive) throw new RequestError('RELATION_INACTIVE');
}

/** Returns the bus keys of everyone in a conversation, for someone who may talk in it. */
export async function findAudience(pipe: Pipe, conversationId: string, sender: Party): Promise<readonly string[]> {
  const state = (await readConversations(pipe, [{ conversationId, sender }], 'none')).get(conversationId);
  // Nobody types to their own devices (EE-23).
  if (state?.kind === 'account') throw new RequestError('NOT_FOUND');
  checkMayTalk(state, sender);
  return state!.audience;
}
