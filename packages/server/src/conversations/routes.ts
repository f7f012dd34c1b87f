import { contactRoutes, conversationRoutes as routes, type ServerFrame } from '@parley/protocol';
import { createPollTracker } from '../agent-events/poll-tracker.ts';
import { requireLiveToken } from '../auth/agent-token.ts';
import { keyOf } from '../events/bus.ts';
import { toWireEvent } from '../events/wire.ts';
import { accountOf, partyOf, requireHuman, requireSignedIn } from '../http/caller.ts';
import { JsonText } from '../http/json-text.ts';
import { takePage } from '../http/page.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { consumerOf } from './consumer.ts';
import { signGroup } from './group-creation.ts';
import { findGroupEnd, listGroupStatements } from './group-statements.ts';
import {
  acceptInvitation,
  declineInvitation,
  invite,
  listInvitations,
  listOwnInvitations,
  withdraw,
} from './invitations.ts';
import { createLongPolls } from './long-polls.ts';
import { addMember, removeMember } from './members.ts';
import { isKept, writeMessages } from './message.ts';
import { poll } from './poll.ts';
import type { Conversations } from './services.ts';
import { startConversation } from './start.ts';
import {
  findReadAudience,
  listConversations,
  moveReadMarker,
  readConversation,
  readNamedMembers,
  requireMembership,
  requireReader,
} from './store.ts';
import { toDetail, toInvitation, toOwnInvitation, toSummary } from './wire.ts';

const PAGE = 50;
const STATEMENTS = 100;

export function registerConversations(router: Router, platform: Platform, conversations: Conversations): void {
  const { db } = platform;
  const longPolls = createLongPolls();
  const pollTracker = createPollTracker(platform.agentEvents);
  router.app.addHook('preClose', async () => longPolls.end());
  const detail = async (id: string) => toDetail(await readConversation(db, id), await readNamedMembers(db, id));

  router.add(routes.startConversation, async ({ caller, body }) =>
    detail(await startConversation(platform, requireHuman(caller), body)),
  );

  router.add(routes.listConversations, async ({ caller, query }) => {
    const limit = Number(query.limit ?? PAGE);
    const found = await listConversations(db, partyOf(requireSignedIn(caller)), {
      before: query.cursor,
      limit: limit + 1,
    });
    const { rows, last } = takePage(found, limit);
    return { conversations: rows.map(toSummary), next_cursor: last?.id ?? null };
  });

  router.add(routes.readConversation, async ({ caller, params }) => {
    await requireMembership(db, params.conversation_id, partyOf(requireSignedIn(caller)));
    return detail(params.conversation_id);
  });

  router.add(routes.addMember, async ({ caller, params, body }) => {
    const conversationId = params.conversation_id;
    await requireMembership(db, conversationId, partyOf(requireSignedIn(caller)));
    const member = { kind: body.kind, id: body.id };
    const { role = 'member', statement } = body;
    await addMember(platform, requireHuman(caller), { conversationId, member, role, statement });
    return detail(conversationId);
  });

  router.add(routes.removeMember, async ({ caller, params, body }) => {
    const target = { conversationId: params.conversation_id, memberId: params.member_id };
    await removeMember(platform, requireSignedIn(caller), { ...target, statement: body?.statement });
    return null;
  });

  router.add(routes.inviteMember, async ({ caller, params, body }) => {
    const conversationId = params.conversation_id;
    await requireMembership(db, conversationId, partyOf(requireSignedIn(caller)));
    const invited = { conversationId, accountId: body.user_id };
    return { invitation_id: await invite(platform, requireHuman(caller), invited) };
  });

  router.add(routes.listInvitations, async ({ caller, params }) => {
    const { role } = await requireMembership(db, params.conversation_id, partyOf(requireSignedIn(caller)));
    if (role === 'member') throw new RequestError('FORBIDDEN');
    const rows = await listInvitations(db, requireHuman(caller), params.conversation_id, platform.now());
    return { invitations: rows.map(toInvitation) };
  });

  router.add(routes.withdrawInvitation, async ({ caller, params }) => {
    const { conversation_id: conversationId, invitation_id: invitationId } = params;
    await requireMembership(db, conversationId, partyOf(requireSignedIn(caller)));
    await withdraw(platform, requireHuman(caller), { conversationId, invitationId });
    return null;
  });

  router.add(contactRoutes.listOwnInvitations, async ({ caller }) => {
    const rows = await listOwnInvitations(db, requireHuman(caller).accountId, platform.now());
    return { invitations: rows.map(toOwnInvitation) };
  });

  router.add(contactRoutes.acceptInvitation, ({ caller, params }) =>
    acceptInvitation(platform, requireHuman(caller).accountId, params.invitation_id),
  );

  router.add(contactRoutes.declineInvitation, async ({ caller, params }) => {
    await declineInvitation(platform, requireHuman(caller).accountId, params.invitation_id);
    return null;
  });

  router.add(routes.readGroup, async ({ caller, params, query }) => {
    const id = params.conversation_id;
    await requireMembership(db, id, partyOf(requireSignedIn(caller)));
    // The end is read first: a chain that grows meanwhile is no chain that lacks something.
    const { length, head } = await findGroupEnd(db, id);
    const page = await listGroupStatements(db, id, { after: Number(query.after ?? 0), limit: STATEMENTS });
    return { statements: page.filter(({ seq }) => seq <= length), length, head };
  });

  router.add(routes.signGroup, async ({ caller, params, body }) => {
    const conversationId = params.conversation_id;
    await requireMembership(db, conversationId, partyOf(requireSignedIn(caller)));
    await signGroup(platform, requireHuman(caller), { conversationId, statement: body.statement });
    return detail(conversationId);
  });

  router.addWithoutTurn(routes.sendMessage, async ({ caller, params, body }) =>
    conversations.relay.send(requireSignedIn(caller), { conversationId: params.conversation_id, envelope: body }),
  );

  router.add(routes.listMessages, async ({ caller, params, query }) => {
    const conversationId = params.conversation_id;
    const after = Number(query.after ?? 0);
    const page = await conversations.reader.read({ consumer: consumerOf(caller), conversationId, after });
    if (page === undefined) throw new RequestError('NOT_FOUND');
    const kept = page.messages.filter(isKept).slice(0, Number(query.limit ?? PAGE));
    return new JsonText(`{"messages":${writeMessages(kept)},"last_seq":${page.lastSeq}}`);
  });

  router.addWithoutTurn(routes.acknowledge, async ({ caller, params, body }) => {
    const consumer = consumerOf(caller);
    await requireReader(db, params.conversation_id, consumer);
    if (consumer.kind === 'human' && consumer.deviceId === undefined) throw new RequestError('IDENTITY_MISSING');
    await conversations.durableCursors.move(consumer, params.conversation_id, body.seq);
    return null;
  });

  router.add(routes.markRead, async ({ caller, params, body }) => {
    const who = requireSignedIn(caller);
    const party = partyOf(who);
    await requireMembership(db, params.conversation_id, party);
    const seq = await moveReadMarker(db, params.conversation_id, party, body.seq);
    if (seq !== undefined) {
      const members = await findReadAudience(db, params.conversation_id, party);
      const frame = {
        type: 'message.read',
        conversation_id: params.conversation_id,
        reader: party,
        seq,
      } satisfies ServerFrame;
      platform.bus.publish(
        members.map(({ kind, id }) => keyOf[kind](id)),
        JSON.stringify(frame),
        accountOf(who),
      );
    }
    return null;
  });

  router.addWithoutTurn(routes.claimMessage, async ({ caller, params }) => {
    const messageId = params.message_id;
    const human = requireHuman(caller);
    const device_id = await conversations.claims.claim(human, { messageId });
    if (device_id !== human.deviceId)
      throw new RequestError('ALREADY_CLAIMED', { device_id }, { details: { device_id } });
    return { message_id: messageId, device_id };
  });

  router.addWithoutTurn(routes.passMessage, async ({ caller, params }) => {
    const messageId = params.message_id;
    return { message_id: messageId, last: await conversations.claims.pass(requireHuman(caller), { messageId }) };
  });

  router.addWithoutTurn(routes.pollMessages, async ({ caller, params, query, onGone, raw }) => {
    if (caller.kind !== 'agent' || caller.agentId !== params.agent_id) throw new RequestError('FORBIDDEN');
    const waitSeconds = Number(query.wait ?? 0);
    const { socket } = raw.raw;
    // The server's own time-out is shorter than the longest wait.
    socket.setTimeout((waitSeconds + 10) * 1_000);
    const { reads } = conversations;
    const recheck = () => requireLiveToken(db, caller.tokenId, platform.now());
    const running = longPolls.begin(caller.agentId, () => socket.destroy());
    onGone(running.finish);
    const endPoll = pollTracker.begin(caller);
    try {
      const { messages, events, cursor } = await poll({ platform, ...conversations }, consumerOf(caller), {
        cursor: query.cursor,
        waitSeconds,
        signal: running.signal,
        recheck: () => reads.run(caller.ownerId, `token ${caller.tokenId}`, recheck),
      });
      running.noteAnswered();
      const rest = JSON.stringify({ events: events.map(toWireEvent), cursor });
      return new JsonText(`{"messages":${writeMessages(messages)},${rest.slice(1)}`);
    } finally {
      endPoll();
    }
  });
}
