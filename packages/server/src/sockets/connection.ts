import type { Locale } from '@parley/base';
import { type AuthReason, CLOSE_CODES, type ClientFrame, readClientFrame, type ServerFrame } from '@parley/protocol';
import type WebSocket from 'ws';
import type { Auth } from '../auth/index.ts';
import { consumerOf } from '../conversations/consumer.ts';
import type { Conversations } from '../conversations/index.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Presence, SocketPresence } from '../presence/index.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createHandler } from './handle.ts';
import { createHeartbeat } from './heartbeat.ts';
import { identifySocket, isSameParty, type SocketEndpoint, type SocketIdentity } from './identity.ts';
import { type Corkable, createSendBuffer } from './send-buffer.ts';
import { createTransientRelay } from './transient.ts';
import { aboutFrame, authError, errorFrame, parseFrame } from './wire.ts';

const AUTH_MS = 5_000;
const CLOSE_MS = 2_000;
const RECHECK_MS = 5 * 60_000;
/** A node may die between storing a message and telling the others (TR-3). */
const LOOK_MS = 10_000;
/** The most frames that wait for the database; beyond this the socket is not read. */
const MAX_PENDING = 200;
const MAX_BAD_FRAMES = 20;
const MAX_EARLY_FRAMES = 64;

export interface ConnectionDeps {
  readonly platform: Platform;
  readonly auth: Auth;
  readonly conversations: Conversations;
  readonly presence: Presence;
}

export interface Connection {
  readonly offer: Delivery['offer'];
  tick(now: Date): void;
  close(code: number): void;
  /** Announces the end, finishes the frames that arrived, and closes. */
  leave(): Promise<void>;
}

/** The subscriptions of a socket once it is authenticated. */
export interface Subscriptions {
  readonly wake: Delivery['onWake'];
  readonly text: (text: string) => void;
  readonly recheck: () => void;
}

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly stream: Corkable;
  readonly endpoint: SocketEndpoint;
  readonly locale: Locale;
  /** Called once; returns a function that undoes it. */
  readonly onAuthenticated: (
    connection: Connection,
    identity: SocketIdentity,
    subscriptions: Subscriptions,
  ) => () => void;
}

/** Handles one socket, from its first frame to its last (TR-1). */
export function createConnection(deps: ConnectionDeps, options: ConnectionOptions): Connection {
  const { platform, auth, conversations, presence } = deps;
  const { socket, endpoint, locale } = options;
  const time = () => platform.now().getTime();
  const opened = time();
  const pending = new Set<Promise<void>>();
  const early: ClientFrame[] = [];
  let identity: SocketIdentity | undefined;
  let authenticating = false;
  let leaving = false;
  let unsubscribe = () => {};
  /** The presence of the device, if the socket belongs to one. */
  let present: SocketPresence | undefined;
  let badFrames = 0;
  let checked = opened;
  // After a restart all come at once, and must not look at once for ever.
  let looked = opened - Math.random() * LOOK_MS;
  let publishing: string | undefined;

  const sendBuffer = createSendBuffer(socket, platform.now, options.stream);
  const heartbeat = createHeartbeat(socket, platform.now);
  const caller = () => identity!.caller;
  const consumer = () => consumerOf(caller());
  const delivery = createDelivery(platform, conversations, { consumer, sendBuffer });
  const transient = createTransientRelay(platform, {
    consumer,
    publish: (keys, text) => {
      publishing = text;
      platform.bus.publish(keys, text);
      publishing = undefined;
    },
  });
  const send = (frame: ServerFrame) => sendBuffer.send(frame);
  /** Closes soon, whether or not the other end answers. */
  const hangUp = (code: number): void => {
    socket.close(code);
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  };
  const refuse = (reason: AuthReason): void => {
    send(authError(reason, locale));
    hangUp(CLOSE_CODES.auth);
  };

  const settle = (next: SocketIdentity): void => {
    identity = next;
    checked = time();
    send({ type: 'auth.ok', expires_at: next.expiresAt?.toISOString() ?? null });
  };
  const begin = async (frame: Extract<ClientFrame, { type: 'auth' }>): Promise<void> => {
    authenticating = true;
    const next = await authenticate(frame.token, frame.agent_id);
    if (next !== undefined) await enterPresence(next);
    authenticating = false;
    if (next === undefined || socket.readyState !== socket.OPEN) return;
    settle(next);
    unsubscribe = options.onAuthenticated(connection, next, { wake: onWake, text: sendTransient, recheck });
    // The token may have been revoked before the socket listened.
    recheck();
    // A resume that came right after auth counts before the first page is read.
    for (const waiting of early.splice(0)) handle(waiting);
    delivery.start();
  };
  const renew = async (token: string): Promise<void> => {
    const next = await authenticate(token);
    if (next === undefined) return;
    if (!isSameParty(identity!, next)) return refuse('wrong_caller');
    await enterPresence(next);
    settle(next);
  };
  /**
   * This is done before the client learns that it is signed in: from then on it counts among the account's devices
   * (CG-11).
   */
  const enterPresence = async ({ caller }: SocketIdentity): Promise<void> => {
    if (caller.kind !== 'human' || caller.deviceId === undefined || socket.readyState !== socket.OPEN) return;
    if (caller.deviceId !== present?.deviceId) {
      leavePresence();
      present = presence.enter({ accountId: caller.accountId, deviceId: caller.deviceId }, sendBuffer.send);
    }
    await present.stored;
  };
  const leavePresence = (): void => {
    present?.leave();
    present = undefined;
  };
  /** Resolves with undefined if the token was refused; the socket was told why. */
  const authenticate = async (token: string, agentId?: string): Promise<SocketIdentity | undefined> => {
    try {
      const next = await identifySocket(platform, auth, { endpoint, token });
      const named = agentId === undefined || (endpoint.kind === 'agent' && agentId === endpoint.agentId);
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
  /** Was the token revoked? Only an answer counts: a database that cannot be reached revokes nothing. */
  const recheck = (): void => {
    checked = time();
    auth.authenticate(identity!.token).catch((error: unknown) => {
      if (error instanceof RequestError && socket.readyState === socket.OPEN) refuse('revoked');
    });
  };
  const onWake: Delivery['onWake'] = (wake) => {
    if (wake.about === undefined || wake.about === 'events') {
      transient.forget();
      if (endpoint.kind === 'agent') recheck();
    }
    delivery.onWake(wake);
  };
  /** Transient frames are skipped for a socket that is behind, and for the one that sent them. */
  const sendTransient = (text: string): void => {
    if (text !== publishing && !sendBuffer.congested()) sendBuffer.send(text);
  };

  const run = createHandler({ platform, conversations, caller, send, renew, delivery, transient });
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
    if (identity !== undefined) {
      if (frame === undefined) refuseFrame(value);
      else handle(frame);
    } else if (frame !== undefined && authenticating && early.length < MAX_EARLY_FRAMES) early.push(frame);
    else if (frame?.type === 'auth' && !authenticating) void begin(frame);
    else refuse('auth_required');
  };

  socket.on('message', (data, isBinary) => {
    if (!leaving && socket.readyState === socket.OPEN) receive(parseFrame(data, isBinary));
  });
  // The frame is too large or breaks the protocol: ws answers with the right code and closes.
  socket.on('error', () => {});
  socket.on('close', () => {
    unsubscribe();
    leavePresence();
    delivery.stop();
    if (identity !== undefined) transient.stop();
  });

  const connection: Connection = {
    offer: delivery.offer,
    close: hangUp,
    tick: (now) => {
      if (socket.readyState !== socket.OPEN) return;
      if (identity === undefined) {
        if (now.getTime() - opened >= AUTH_MS && !authenticating) refuse('timeout');
        return;
      }
      if (identity.expiresAt !== undefined && identity.expiresAt <= now) {
        refuse('expired');
        return;
      }
      if (endpoint.kind === 'agent' && now.getTime() - checked >= RECHECK_MS) recheck();
      if (now.getTime() - looked >= LOOK_MS) {
        looked = now.getTime();
        delivery.lookAgain();
      }
      heartbeat.tick(now);
      sendBuffer.tick(now);
      transient.tick(now);
    },
    leave: async () => {
      leaving = true;
      if (identity !== undefined) send({ type: 'server.closing' });
      await Promise.allSettled(pending);
      socket.close(CLOSE_CODES.goingAway);
    },
  };
  return connection;
}
