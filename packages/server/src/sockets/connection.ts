import type { Locale } from '@parley/base';
import { type AuthReason, CLOSE_CODES, type ClientFrame, readClientFrame, type ServerFrame } from '@parley/protocol';
import type WebSocket from 'ws';
import type { Auth } from '../auth/index.ts';
import { consumerOf } from '../conversations/consumer.ts';
import type { Conversations } from '../conversations/index.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Place, Presence } from '../presence/index.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createHandler } from './handle.ts';
import { createPulse } from './heartbeat.ts';
import { type Door, isSameParty, openSession, type SocketSession } from './identity.ts';
import { createOutlet, type Pipe } from './send-buffer.ts';
import { createLive } from './transient.ts';
import { aboutFrame, authError, errorFrame, parseFrame } from './wire.ts';

const AUTH_MS = 5_000;
const GOODBYE_MS = 2_000;
const RECHECK_MS = 5 * 60_000;
/** Frames that wait for the database; beyond this the socket is not read. */
const MAX_PENDING = 200;
const MAX_BAD_FRAMES = 20;
const MAX_EARLY_FRAMES = 64;

export interface ConnectionMeans {
  readonly platform: Platform;
  readonly auth: Auth;
  readonly conversations: Conversations;
  readonly presence: Presence;
}

export interface Connection {
  readonly offer: Delivery['offer'];
  tick(now: Date): void;
  close(code: number): void;
  /** Says goodbye, finishes what was sent, closes. */
  leave(): Promise<void>;
}

/** What a socket wants to hear once it is known whose it is. */
export interface Subscriptions {
  readonly wake: Delivery['hear'];
  readonly text: (text: string) => void;
  readonly recheck: () => void;
}

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly pipe: Pipe;
  readonly door: Door;
  readonly locale: Locale;
  /** Called once; returns how to stop what it began. */
  readonly onAuthenticated: (connection: Connection, session: SocketSession, heard: Subscriptions) => () => void;
}

/** One socket, from its first frame to its last (TR-1). */
export function createConnection(means: ConnectionMeans, options: ConnectionOptions): Connection {
  const { platform, auth, conversations, presence } = means;
  const { socket, door, locale } = options;
  const time = () => platform.now().getTime();
  const opened = time();
  const pending = new Set<Promise<void>>();
  const early: ClientFrame[] = [];
  let session: SocketSession | undefined;
  let authenticating = false;
  let leaving = false;
  let unsubscribe = () => {};
  /** The device that is present by this socket. */
  let place: Place | undefined;
  let badFrames = 0;
  let checked = opened;
  let publishing: string | undefined;

  const outlet = createOutlet(socket, platform.now, options.pipe);
  const pulse = createPulse(socket, platform.now);
  const caller = () => session!.caller;
  const consumer = () => consumerOf(caller());
  const delivery = createDelivery(platform, conversations, { consumer, outlet });
  const live = createLive(platform, {
    consumer,
    publish: (keys, text) => {
      publishing = text;
      platform.bus.publish(keys, text);
      publishing = undefined;
    },
  });
  const send = (frame: ServerFrame) => outlet.send(frame);
  /** Soon, whether or not the other end says goodbye. */
  const hangUp = (code: number): void => {
    socket.close(code);
    setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
  };
  const refuse = (reason: AuthReason): void => {
    send(authError(reason, locale));
    hangUp(CLOSE_CODES.auth);
  };

  const settle = (next: SocketSession): void => {
    session = next;
    checked = time();
    send({ type: 'auth.ok', expires_at: next.expiresAt?.toISOString() ?? null });
  };
  const begin = async (frame: Extract<ClientFrame, { type: 'auth' }>): Promise<void> => {
    authenticating = true;
    const next = await authenticate(frame.token, frame.agent_id);
    if (next !== undefined) await appear(next);
    authenticating = false;
    if (next === undefined || socket.readyState !== socket.OPEN) return;
    settle(next);
    unsubscribe = options.onAuthenticated(connection, next, { wake: hear, text: pass, recheck });
    // What was taken back while nobody listened yet.
    recheck();
    // A resume that came right behind auth counts before the first page is read.
    for (const waiting of early.splice(0)) handle(waiting);
    delivery.start();
  };
  const renew = async (token: string): Promise<void> => {
    const next = await authenticate(token);
    if (next === undefined) return;
    if (!isSameParty(session!, next)) return refuse('wrong_caller');
    await appear(next);
    settle(next);
  };
  /** Before it is told that it is signed in: from then on it counts among the account's devices (CG-11). */
  const appear = async ({ caller }: SocketSession): Promise<void> => {
    if (caller.kind !== 'human' || caller.deviceId === undefined || socket.readyState !== socket.OPEN) return;
    if (caller.deviceId !== place?.deviceId) {
      disappear();
      place = presence.enter({ accountId: caller.accountId, deviceId: caller.deviceId }, outlet.send);
    }
    await place.seen;
  };
  const disappear = (): void => {
    place?.leave();
    place = undefined;
  };
  /** Undefined if the socket was told why not. */
  const authenticate = async (token: string, agentId?: string): Promise<SocketSession | undefined> => {
    try {
      const next = await openSession(platform, auth, { door, token });
      const named = agentId === undefined || (door.kind === 'agent' && agentId === door.agentId);
      if (next !== undefined && named) return next;
      refuse('wrong_caller');
    } catch (error) {
      if (error instanceof RequestError) refuse('invalid_token');
      else {
        platform.log.error({ err: error }, 'sockets: a token could not be checked');
        send(errorFrame(new RequestError('UNAVAILABLE'), locale, {}));
        socket.close(CLOSE_CODES.goingAway);
      }
    }
    return undefined;
  };
  /** Was it taken back? Only an answer counts: a database that is away revokes nothing. */
  const recheck = (): void => {
    checked = time();
    auth.authenticate(session!.token).catch((error: unknown) => {
      if (error instanceof RequestError && socket.readyState === socket.OPEN) refuse('revoked');
    });
  };
  const hear: Delivery['hear'] = (wake) => {
    if (wake.about === undefined || wake.about === 'events') {
      live.forget();
      if (door.kind === 'agent') recheck();
    }
    delivery.hear(wake);
  };
  /** Live texts are of the moment: a socket that is behind does without, and nobody hears themselves. */
  const pass = (text: string): void => {
    if (text !== publishing && !outlet.congested()) outlet.send(text);
  };

  const run = createHandler({ platform, conversations, caller, send, renew, delivery, live });
  const handle = (frame: ClientFrame): void => {
    const work = run(frame);
    if (work === undefined) return;
    const settled = work.catch((error: unknown) => {
      const cause = error instanceof RequestError ? error.cause : error;
      if (cause !== undefined) platform.log.error({ err: cause }, 'sockets: a frame failed');
      send(errorFrame(error, locale, aboutFrame(frame)));
    });
    pending.add(settled);
    if (pending.size === MAX_PENDING) socket.pause();
    void settled.then(() => {
      pending.delete(settled);
      if (pending.size === MAX_PENDING - 1) socket.resume();
    });
  };
  const refuseFrame = (value: unknown): void => {
    send(errorFrame(new RequestError('BAD_REQUEST'), locale, aboutFrame(value)));
    if (++badFrames >= MAX_BAD_FRAMES) socket.close(CLOSE_CODES.badFrames);
  };
  const receive = (value: unknown): void => {
    const frame = readClientFrame(value);
    if (session !== undefined) {
      if (frame === undefined) refuseFrame(value);
      else handle(frame);
    } else if (frame !== undefined && authenticating && early.length < MAX_EARLY_FRAMES) early.push(frame);
    else if (frame?.type === 'auth' && !authenticating) void begin(frame);
    else refuse('auth_required');
  };

  socket.on('message', (data, isBinary) => {
    if (!leaving && socket.readyState === socket.OPEN) receive(parseFrame(data, isBinary));
  });
  // Too large a frame, or one that breaks the protocol: ws answers with the right code and closes.
  socket.on('error', () => {});
  socket.on('close', () => {
    unsubscribe();
    disappear();
    delivery.stop();
    if (session !== undefined) live.stop();
  });

  const connection: Connection = {
    offer: delivery.offer,
    close: hangUp,
    tick: (now) => {
      if (socket.readyState !== socket.OPEN) return;
      if (session === undefined) {
        if (now.getTime() - opened >= AUTH_MS && !authenticating) refuse('timeout');
        return;
      }
      if (session.expiresAt !== undefined && session.expiresAt <= now) {
        refuse('expired');
        return;
      }
      if (door.kind === 'agent' && now.getTime() - checked >= RECHECK_MS) recheck();
      pulse.tick(now);
      outlet.tick(now);
      live.tick(now);
    },
    leave: async () => {
      leaving = true;
      if (session !== undefined) send({ type: 'server.closing' });
      await Promise.allSettled(pending);
      socket.close(CLOSE_CODES.goingAway);
    },
  };
  return connection;
}
