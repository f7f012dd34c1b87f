import { addressOf, toBase64Url } from '@parley/e2ee';
import type { ClientFrame, ServerFrame } from '@parley/protocol';
import { ApiError } from './api/api-error.ts';
import { isWireCode, retryAfter } from './api/reply.ts';
import { createClaims } from './connection/claims.ts';
import { createServerRetrier } from './connection/retry.ts';
import { createTransport } from './connection/transport.ts';
import { loadEndpoint } from './encryption/endpoint.ts';
import { createYieldSlice } from './encryption/yield-slice.ts';
import { messengerError } from './errors.ts';
import type { Messenger } from './messenger-interface.ts';
import { createEventQueue } from './receive/event-queue.ts';
import { loadInbox } from './receive/inbox.ts';
import { createIncomingStreams, isStreamFrame } from './receive/incoming-streams.ts';
import { toTransientEvent } from './receive/transient-events.ts';
import { createWebhookInbox } from './receive/webhook-inbox.ts';
import { loadOutbox } from './send/outbox.ts';
import { openStream } from './send/outgoing-stream.ts';
import type { MessengerOptions, Problem, Status, TransientEvent } from './types.ts';

/** Longer than an acknowledgement takes, shorter than anyone wants to wait for a program to end. */
const CLOSE_MS = 3_000;
const EVENTS_MS = 5_000;
/** Prekeys have to be renewed even if the connection lasts for weeks. */
const MAINTENANCE_INTERVAL_MS = 12 * 60 * 60 * 1_000;

/** Loads the store, generates and uploads keys where they are missing, then connects and reconnects by itself. */
export async function createMessenger(options: MessengerOptions): Promise<Messenger> {
  const { api, identity, mode, store, platform, onMessage } = options;
  if (identity.kind === 'human' && mode !== 'websocket') throw new TypeError('mode of a person must be websocket');
  let isClosed = false;
  /** Subjects of problems that were told and are not over. */
  const troubled = new Set<string>();
  const report = (problem: Problem): void => {
    if (isClosed) return;
    const subject = subjectOf(problem);
    if (problem.kind !== 'over') {
      if (subject !== undefined) troubled.add(subject);
    } else if (!troubled.delete(subject!)) return;
    options.onProblem?.(problem);
  };
  const onError = (error: unknown): void => report({ kind: 'connection', error });
  const tellClock = (): void => {
    const clock = api.clock.getSnapshot();
    if (clock.state === 'differs') report({ kind: 'clock', byMs: clock.byMs });
    else if (clock.state === 'agrees') report({ kind: 'over', subject: 'clock' });
  };
  const endpoint = await loadEndpoint(options, report);
  const { own, writeBuffer, directory, sealer, opener, trust } = endpoint;
  const retrier = createServerRetrier(platform);
  let status: Status = 'connecting';
  let losses = 0;
  let closing: Promise<void> | undefined;

  const transport = createTransport(options, {
    resume: (): ClientFrame => {
      const event_id = events.position();
      return { type: 'resume', conversations: inbox.positions(), ...(event_id === undefined ? {} : { event_id }) };
    },
    saved: async () => {
      await Promise.all([writeBuffer.saved(), orAfterTimeout(events.idle())]);
    },
    onOpen: () => {
      retrier.wake();
      outbox.pump();
      claims.resend();
      endpoint.upkeep();
    },
    onLost: () => {
      losses++;
      outbox.rewind();
    },
    onFrame: (frame) => dispatch(frame),
    onMessage: (message) => inbox.receive(message),
    onEvent: (event) => {
      directory.applyEvent(event);
      events.receive(event);
    },
    onAck: (ack) => outbox.acknowledged(ack),
    onRefusal: (clientMessageId, error) => outbox.refused(clientMessageId, error),
    onStatus: (next) => {
      if (next === status) return;
      status = next;
      options.onStatus?.(next);
    },
    onError,
  });
  /** Events are not stored here, so a poll acknowledges them after they were handled, unless their handlers take too long. */
  const orAfterTimeout = (work: Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      const cancel = platform.setTimer(resolve, EVENTS_MS);
      void work.then(() => {
        cancel();
        resolve();
      });
    });
  const shared = { store, writeBuffer, retrier, yieldSlice: createYieldSlice(), report };
  const outbox = await loadOutbox({
    ...shared,
    platform,
    crypto: platform.crypto,
    own: own.keys,
    sealer,
    carrier: transport.carrier,
    clock: api.clock,
    headsFor: options.headsFor,
  });
  const { setTimer } = platform;
  const address = addressOf(own.keys.sender);
  const inbox = await loadInbox({
    ...shared,
    setTimer,
    opener,
    address,
    onMessage,
    acknowledge: transport.acknowledge,
  });
  const events = createEventQueue({ onEvent: options.onEvent, acknowledge: transport.acknowledgeEvent, report });
  const claims = createClaims(transport.send);
  const { crypto } = platform;
  const connection = () => losses;
  const streaming = { platform, crypto, own: own.keys, writeBuffer, sealer, outbox, send: transport.send, connection };
  const onTransient = (event: TransientEvent): void => options.onTransient?.(event);
  const streams = createIncomingStreams({ crypto, opener, writeBuffer, onTransient });
  const receive = createWebhookInbox({ ...shared, opener, address, clock: api.clock, onMessage });

  const dispatch = (frame: ServerFrame): void => {
    if (frame.type === 'message.new') inbox.receive(frame).catch(onError);
    else if (frame.type === 'message.ack') {
      const { client_message_id: clientMessageId, message_id: messageId, conversation_seq: seq } = frame;
      outbox.acknowledged({ clientMessageId, messageId, seq });
    } else if (frame.type === 'message.gone') inbox.gone(frame.conversation_id, frame.from_seq, frame.to_seq);
    else if (frame.type === 'error') dispatchError(frame);
    else if (frame.type === 'claim.result' || frame.type === 'pass.result') claims.settle(frame);
    else if (isStreamFrame(frame)) streams.receive(frame);
    else {
      const event = toTransientEvent(frame);
      if (event !== undefined) onTransient(event);
    }
  };
  const dispatchError = (frame: Extract<ServerFrame, { type: 'error' }>): void => {
    const error = toApiError(frame);
    if (frame.client_message_id !== undefined) outbox.refused(frame.client_message_id, error);
    else if (frame.message_id !== undefined) claims.settle(frame, error);
    else onError(error);
  };
  const close = async (isLost: boolean): Promise<void> => {
    if (isLost) transport.stop();
    else if (status === 'online') await outbox.drain(CLOSE_MS);
    stopUpkeep();
    stopClock();
    retrier.stop(messengerError('CLOSED'));
    inbox.stop();
    if (!isLost) {
      await writeBuffer.saved().catch(() => {});
      inbox.acknowledge();
    }
    isClosed = true;
    transport.stop();
    outbox.stop();
    claims.stop(messengerError('CLOSED'));
    await store.close();
  };

  let stopUpkeep = () => {};
  let stopClock = () => {};
  const scheduleUpkeep = (): void => {
    stopUpkeep = platform.setTimer(() => {
      endpoint.upkeep();
      scheduleUpkeep();
    }, MAINTENANCE_INTERVAL_MS);
  };

  // The caller gets the messenger before its first callback.
  platform.setTimer(() => {
    if (closing !== undefined) return;
    inbox.start();
    transport.start();
    scheduleUpkeep();
    stopClock = api.clock.subscribe(tellClock);
    tellClock();
  }, 0);

  return {
    identity,
    identityKey: toBase64Url(own.keys.identity.publicKey),
    status: () => status,
    send: async (message) => {
      if (closing !== undefined) throw messengerError('CLOSED');
      return outbox.send(message);
    },
    outcome: outbox.outcome,
    receive: async (message) => {
      if (mode !== 'webhook') throw new TypeError('receive is for webhook mode');
      return receive(message);
    },
    receiveEvent: directory.applyEvent,
    typing: (conversationId) => void transport.send({ type: 'typing', conversation_id: conversationId }),
    stream: async (conversationId) => {
      if (closing !== undefined) throw messengerError('CLOSED');
      return openStream(streaming, conversationId);
    },
    claim: (message) => claims.ask('claim', message),
    pass: (message) => claims.ask('pass', message),
    conversation: directory.pinnedConversation,
    bindConversation: directory.conversations.bind,
    holdStatement: directory.conversations.hold,
    describeConversation: directory.conversations.describe,
    holdDeviceList: endpoint.holdDeviceList,
    bindRelations: endpoint.bindRelations,
    flush: () => writeBuffer.saved(),
    refresh: directory.forget,
    trust,
    close: () => {
      closing ??= close(false);
      return closing;
    },
    abandon: () => {
      closing ??= close(true);
      return closing;
    },
  };
}

/** What a problem is about that can be over by itself (EE-24); others are events. */
function subjectOf(problem: Problem): string | undefined {
  switch (problem.kind) {
    case 'identity_changed':
      return `${problem.party.kind} ${problem.party.id}`;
    case 'weaker_mode':
      return `agent ${problem.agentId}`;
    case 'device_list':
      return `account ${problem.accountId}`;
    case 'members':
      return `conversation ${problem.conversationId}`;
    case 'row':
      return `${problem.subject} ${problem.id}`;
    case 'clock':
      return 'clock';
    case 'over':
      return problem.subject === 'clock' ? 'clock' : `${problem.subject} ${problem.id}`;
    default:
      return undefined;
  }
}

function toApiError({ code, message, params }: Extract<ServerFrame, { type: 'error' }>): ApiError {
  const retryAfterMs = retryAfter(params.retry_after_seconds);
  // A frame has no HTTP status. Only UNAVAILABLE needs one, because it is sent again.
  const status = code === 'UNAVAILABLE' ? 503 : 0;
  return new ApiError({
    status,
    code: isWireCode(code) ? code : 'BAD_REQUEST',
    message: message.slice(0, 1_000),
    params,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
