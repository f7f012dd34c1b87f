import { AnyAgentEvent } from '../agent-events.ts';
import { closed } from '../formats.ts';
import { type CallerKind, defineRoute, type RouteContract } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson } from './access.ts';

/** Anyone may know the agent (RL-2), but its events are for its owner. */
const access: Readonly<Record<CallerKind, number>> = { ...anyPerson(403), owner: 200 };

export const watchAgent = defineRoute({
  method: 'GET',
  path: '/agents/:agent_id/events',
  summary: 'What happened around the agent of late; whoever accepts lines goes on hearing what happens (HS-12)',
  tag: 'agents',
  params: Type.Object({ agent_id: Type.String({ maxLength: 64 }) }),
  query: Type.Object(
    {
      after: Type.Optional(
        Type.String({
          pattern: '^(0|[1-9]\\d{0,14})$',
          description: 'The last `event_id` one has; 0 for all there are.',
        }),
      ),
    },
    closed,
  ),
  status: 200,
  /** The last line of the stream: continue later with `last_event_id`. */
  reply: Type.Object({
    events: Type.Array(AnyAgentEvent),
    last_event_id: Type.Integer({ minimum: 0 }),
    reason: Type.Enum(['complete', 'closing', 'expired', 'replaced'] as const, {
      description:
        'Why there are no more: that is all, the server ends, the token does, or the account opened too many.',
    }),
  }),
  event: AnyAgentEvent,
  limit: { body: 1024, perMinute: 60, by: 'caller' },
  access,
});

export const AGENT_EVENT_ROUTES: readonly RouteContract[] = [watchAgent];
