import { type EventType, conversationRoutes as routes, type ServerFrame } from '@parley/protocol';
import { createPollers } from '../agent-events/poll-tracker.ts';
import { requireLiveToken } from '../auth/agent-token.ts';
import { keyOf } from '../events/bus.ts';
import type { StoredEvent } from '../events/inbox.ts';
import { type AgentCaller, type Caller, type Human, requireHuman } from '../http/caller.ts';
import { Failure } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import type { Claims } from './claim.ts';
import type { Cursors } from './cursors.ts';
import { createPolls } from './long-polls.ts';
import { addMember, removeMember } from './members.ts';
import { type Consumer, isKept, toWireMessage } from './message.ts';
import { poll } from './poll.ts';
import type { Reader } from './reader.ts';
import type { Relay } from './relay.ts';
import { startConversation } from './start.ts';
import {
  listConversations,
  moveReadMarker,
  readConversation,
  readMembers,
  readNamedMembers,
  requireMembership,
} from './store.ts';
import { toDetail, toSummary } from './wire.ts';

export interface ConversationMeans {
  readonly relay: Relay;
  readonly reader: Reader;
  readonly cursors: Cursors;
  readonly claims: Claims;
}

/** An event as a socket or a poll brings it. */
export type WireEvent = Record<string, unknown> & { readonly type: EventType; readonly event_id: number };

const PAGE = 50;

export function registerConversations(router: Router, platform: Platform, means: ConversationMeans): void {
  const { db } = platform;
  const polls = createPolls();
  const pollers = createPollers(platform.tail);
  router.app.addHook('preClose', async () => polls.end());
  const detail = async (id: string) => toDetail(await readConversation(db, id), await readNamedMembers(db, id));

  router.add(routes.startConversation, async ({ caller, body }) =>
    detail(await startConversation(platform, requireHuman(caller), body)),
  );

  router.add(routes.listConversations, async ({ caller, query }) => {
    const limit = Number(query.limit ?? PAGE);
    const rows = await listConversations(db, partyOf(caller), { before: query.cursor, limit: limit + 1 });
    const page = rows.slice(0, limit);
    return { conversations: page.map(toSummary), next_cursor: rows.length > limit ? page.at(-1)!.id : null };
  });

  router.add(routes.readConversation, async ({ caller, params }) => {
    await requireMembership(db, params.conversation_id, partyOf(caller));
    return detail(params.conversation_id);
  });

  router.add(routes.addMember, async ({ caller, params, body }) => {
    const conversationId = params.conversation_id;
    await requireMembership(db, conversationId, partyOf(caller));
    const member = { kind: body.kind, id: body.id };
    await addMember(platform, requireHuman(caller), { conversationId, member, role: body.role ?? 'member' });
    return detail(conversationId);
  });

  router.add(routes.removeMember, async ({ caller, params }) => {
    const target = { conversationId: params.conversation_id, memberId: params.member_id };
    await removeMember(platform, requireSignedIn(caller), target);
    return null;
  });

  router.add(routes.sendMessage, async ({ caller, params, body }) =>
    means.relay.send(requireSignedIn(caller), { conversationId: params.conversation_id, envelope: body }),
  );

  router.add(routes.listMessages, async ({ caller, params, query }) => {
    const conversationId = params.conversation_id;
    const after = Number(query.after ?? 0);
    const page = await means.reader.read({ consumer: consumerOf(caller), conversationId, after });
    if (page === undefined) throw new Failure('NOT_FOUND');
    const kept = page.messages.filter(isKept).slice(0, Number(query.limit ?? PAGE));
    return { messages: kept.map(toWireMessage), last_seq: page.lastSeq };
  });

  router.add(routes.acknowledge, async ({ caller, params, body }) => {
    const consumer = consumerOf(caller);
    await requireMembership(db, params.conversation_id, consumer);
    if (consumer.kind === 'human' && consumer.deviceId === undefined) throw new Failure('IDENTITY_MISSING');
    await means.cursors.move(consumer, params.conversation_id, body.seq);
    return null;
  });

  router.add(routes.markRead, async ({ caller, params, body }) => {
    const party = partyOf(caller);
    await requireMembership(db, params.conversation_id, party);
    const seq = await moveReadMarker(db, params.conversation_id, party, body.seq);
    if (seq !== undefined) {
      const members = await readMembers(db, params.conversation_id);
      const frame = {
        type: 'message.read',
        conversation_id: params.conversation_id,
        reader: party,
        seq,
      } satisfies ServerFrame;
      platform.bus.publish(
        members.map(({ member_kind, member_id }) => keyOf[member_kind](member_id)),
        JSON.stringify(frame),
      );
    }
    return null;
  });

  router.add(routes.claimMessage, async ({ caller, params }) => {
    const messageId = params.message_id;
    const human = requireHuman(caller);
    const device_id = await means.claims.claim(human, { messageId });
    if (device_id !== human.deviceId) throw new Failure('ALREADY_CLAIMED', { device_id }, { details: { device_id } });
    return { message_id: messageId, device_id };
  });

  router.add(routes.passMessage, async ({ caller, params }) => {
    const messageId = params.message_id;
    return { message_id: messageId, last: await means.claims.pass(requireHuman(caller), { messageId }) };
  });

  router.add(routes.pollMessages, async ({ caller, params, query, raw }) => {
    if (caller.kind !== 'agent' || caller.agentId !== params.agent_id) throw new Failure('FORBIDDEN');
    const waitSeconds = Number(query.wait ?? 0);
    const { socket } = raw.raw;
    // The server's own time-out is shorter than the longest wait.
    socket.setTimeout((waitSeconds + 10) * 1_000);
    const place = polls.enter(caller.agentId);
    const leave = pollers.enter(caller);
    socket.once('close', place.leave);
    try {
      const { messages, events, cursor } = await poll({ platform, ...means }, caller.agentId, {
        cursor: query.cursor,
        waitSeconds,
        signal: place.signal,
        recheck: () => requireLiveToken(db, caller.tokenId, platform.now()),
      });
      return { messages: messages.map(toWireMessage), events: events.map(toWireEvent), cursor };
    } finally {
      socket.off('close', place.leave);
      leave();
      place.leave();
    }
  });
}

export function toWireEvent({ position, type, payload }: StoredEvent): WireEvent {
  return { ...payload, type, event_id: position };
}

function requireSignedIn(caller: Caller): Human | AgentCaller {
  if (caller.kind === 'anonymous') throw new Failure('UNAUTHENTICATED');
  return caller;
}

export function consumerOf(caller: Caller): Consumer {
  if (caller.kind === 'agent') return { kind: 'agent', id: caller.agentId };
  const { accountId, deviceId } = requireHuman(caller);
  return deviceId === undefined ? { kind: 'human', id: accountId } : { kind: 'human', id: accountId, deviceId };
}

const partyOf = (caller: Caller) => {
  const { kind, id } = consumerOf(caller);
  return { kind, id };
};
