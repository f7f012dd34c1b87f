import type { ClientFrame, ServerFrame } from '@parley/protocol';
import { ApiError } from './api/api.ts';
import { retryAfter } from './api/reply.ts';
import { createBreath } from './breath.ts';
import { createClaims } from './claims.ts';
import { loadCore } from './core.ts';
import { createEventQueue } from './events.ts';
import { failure } from './failure.ts';
import { loadInbox } from './inbox.ts';
import { toLiveEvent } from './live.ts';
import { loadOutbox } from './outbox.ts';
import { createIncomingStreams, isStreamFrame } from './streams/incoming.ts';
import { openStream } from './streams/outgoing.ts';
import { createTransport } from './transport.ts';
import type { LiveEvent, Messenger, MessengerOptions, Problem, Status } from './types.ts';
import { createWebhookInbox } from './webhook-inbox.ts';

/** Longer than an acknowledgement takes, shorter than anyone wants to wait for a program to end. */
const CLOSE_MS = 3_000;
const EVENTS_MS = 5_000;
/** For whoever stays connected for weeks: prekeys change all the same. */
const UPKEEP_MS = 12 * 60 * 60 * 1_000;

/** The pipe: loads what the store holds, makes and uploads keys where they are missing, then connects by itself. */
export async function createMessenger(options: MessengerOptions): Promise<Messenger> {
  const { identity, mode, store, platform, onMessage } = options;
  if (identity.kind === 'human' && mode !== 'websocket') throw new TypeError('mode of a person must be websocket');
  let isClosed = false;
  const report = (problem: Problem): void => {
    if (!isClosed) options.onProblem?.(problem);
  };
  const onError = (error: unknown): void => report({ kind: 'connection', error });
  const core = await loadCore(options, report);
  const { own, journal, directory, sealer, opener, retrier, trust } = core;
  let status: Status = 'connecting';
  let losses = 0;
  let closing: Promise<void> | undefined;

  const transport = createTransport(options, {
    resume: (): ClientFrame => {
      const event_id = events.position();
      return { type: 'resume', conversations: inbox.positions(), ...(event_id === undefined ? {} : { event_id }) };
    },
    saved: async () => {
      await Promise.all([journal.saved(), patiently(events.idle())]);
    },
    onOpen: () => {
      retrier.wake();
      outbox.pump();
      claims.askAgain();
      core.upkeep();
    },
    onLost: () => {
      losses++;
      outbox.rewind();
    },
    onFrame: (frame) => hear(frame),
    onMessage: (message) => inbox.receive(message),
    onEvent: (event) => {
      directory.hear(event);
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
  /** Events are not kept here, so they are handled before they are acknowledged, unless that waits for messages. */
  const patiently = (work: Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      const cancel = platform.setTimer(resolve, EVENTS_MS);
      void work.then(() => {
        cancel();
        resolve();
      });
    });
  const shared = { store, journal, retrier, breath: createBreath(), report };
  const outbox = await loadOutbox({
    ...shared,
    platform,
    crypto: platform.crypto,
    own: own.keys,
    sealer,
    carrier: transport.carrier,
  });
  const inbox = await loadInbox({ ...shared, opener, onMessage, acknowledge: transport.acknowledge });
  const events = createEventQueue({ onEvent: options.onEvent, acknowledge: transport.acknowledgeEvent, report });
  const claims = createClaims(transport.send);
  const { crypto } = platform;
  const line = () => losses;
  const streaming = { platform, crypto, own: own.keys, journal, sealer, outbox, send: transport.send, line };
  const onLive = (event: LiveEvent): void => options.onLive?.(event);
  const streams = createIncomingStreams({ crypto, opener, journal, onLive });
  const receive = createWebhookInbox({ ...shared, opener, now: platform.now, onMessage });

  const hear = (frame: ServerFrame): void => {
    if (frame.type === 'message.new') inbox.receive(frame).catch(onError);
    else if (frame.type === 'message.ack') {
      const { client_message_id: clientMessageId, message_id: messageId, conversation_seq: seq } = frame;
      outbox.acknowledged({ clientMessageId, messageId, seq });
    } else if (frame.type === 'message.gone') inbox.gone(frame.conversation_id, frame.from_seq, frame.to_seq);
    else if (frame.type === 'error') hearError(frame);
    else if (frame.type === 'claim.result' || frame.type === 'pass.result') claims.hear(frame);
    else if (isStreamFrame(frame)) streams.hear(frame);
    else {
      const event = toLiveEvent(frame);
      if (event !== undefined) onLive(event);
    }
  };
  const hearError = (frame: Extract<ServerFrame, { type: 'error' }>): void => {
    const error = toApiError(frame);
    if (frame.client_message_id !== undefined) outbox.refused(frame.client_message_id, error);
    else if (frame.message_id !== undefined) claims.hear(frame, error);
    else onError(error);
  };
  const close = async (): Promise<void> => {
    if (status === 'online') await outbox.drain(CLOSE_MS);
    stopUpkeep();
    retrier.stop(failure('CLOSED'));
    inbox.stop();
    // The acknowledgements of what was handled leave once that is saved.
    await journal.saved().catch(() => {});
    isClosed = true;
    transport.stop();
    outbox.stop();
    claims.stop(failure('CLOSED'));
    await store.close();
  };

  let stopUpkeep = () => {};
  const keepUp = (): void => {
    stopUpkeep = platform.setTimer(() => {
      core.upkeep();
      keepUp();
    }, UPKEEP_MS);
  };

  // Not before whoever called has the messenger in hand.
  platform.setTimer(() => {
    if (closing !== undefined) return;
    inbox.start();
    transport.start();
    keepUp();
  }, 0);

  return {
    identity,
    status: () => status,
    send: async (message) => {
      if (closing !== undefined) throw failure('CLOSED');
      return outbox.send(message);
    },
    receive: async (message) => {
      if (mode !== 'webhook') throw new TypeError('receive is for webhook mode');
      return receive(message);
    },
    hear: directory.hear,
    typing: (conversationId) => void transport.send({ type: 'typing', conversation_id: conversationId }),
    stream: async (conversationId) => {
      if (closing !== undefined) throw failure('CLOSED');
      return openStream(streaming, conversationId);
    },
    claim: (message) => claims.ask('claim', message),
    pass: (message) => claims.ask('pass', message),
    refresh: directory.forget,
    trust,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function toApiError({ code, message, params }: Extract<ServerFrame, { type: 'error' }>): ApiError {
  const retryAfterMs = retryAfter(params.retry_after_seconds);
  // A socket has no status; what waits for the database to come back is the one that matters.
  const status = code === 'UNAVAILABLE' ? 503 : 0;
  return new ApiError({
    status,
    code,
    message: message.slice(0, 1_000),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
