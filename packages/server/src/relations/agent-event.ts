import type { AgentEventNote, EventPayload, EventType } from '@parley/protocol';

/** Returns what the agent's owner sees of an event of its relations (HS-12): which relation, never whose. */
export function toAgentEvent<Name extends EventType>(
  type: Name,
  payload: EventPayload<Name>,
): AgentEventNote | undefined {
  const {
    relation_id,
    relations,
    reason,
    answer = 'changed',
    new_manifest_version: version = 0,
    scopes_requiring_reauth: scopes = [],
  } = payload as Partial<
    EventPayload<'relation.revoked'> & EventPayload<'agent.capability_changed'> & EventPayload<'h2a.reauth_required'>
  >;
  const which = {
    ...(relation_id === undefined ? {} : { relation_id }),
    ...(relations === undefined ? {} : { relations }),
  };
  switch (type) {
    case 'relation.established':
    case 'relation.suspended':
    case 'relation.restored':
      return { type, ...which };
    case 'relation.revoked':
      // Whether a person removed the agent or deleted their account is not the owner's business.
      return { type, ...which, by: reason === 'agent' ? 'agent' : 'user' };
    case 'agent.capability_changed':
      return { type: 'relation.changed', ...which, answer };
    case 'h2a.reauth_required':
      return { type: 'relation.reauth_required', version, scopes };
    default:
      return undefined;
  }
}
