import type { Locale } from '@parley/base';
import { type AuthReason, CLOSE_CODES, type ClientFrame, readClientFrame, type ServerFrame } from '@parley/protocol';
import type { RawData, WebSocket } from 'ws';
import type { Auth } from '../auth/index.ts';
import { consumerOf } from '../conversations/consumer.ts';
import type { Conversations } from '../conversations/index.ts';
import { accountOf } from '../http/caller.ts';
import type { Intake } from '../http/intake.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Presence, SocketPresence } from '../presence/index.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createHandler } from './handle.ts';
import { createHeartbeat } from './heartbeat.ts';
import { identifySocket, isSameParty, type SocketEndpoint, type SocketIdentity } from './identity.ts';
import { type Corkable, createSendBuffer } from './send-buffer.ts';
import { createThrottle } from './throttle.ts';
import { createTransientRelay } from './transient.ts';
import { aboutFrame, authError, errorFrame, parseFrame } from './wire.ts';

const AUTH_MS = 5_000;
const CLOSE_MS = 2_000;
const RECHECK_MS = 5 * 60_000;
/** The most frames that wait, for their turn or for the database; beyond this the socket is not read. */
const MAX_WAITING = 200;
const MAX_WAITING_BYTES = 1024 * 1024;
const MAX_BAD_FRAMES = 20;
const MAX_EARLY_FRAMES = 64;

export interface ConnectionDeps {
  readonly platform: Platform;
  readonly auth: Auth;
  readonly conversations: Conversations;
  readonly presence: Presence;
  readonly intake: Intake;
}

export interface Connection {
  readonly offer: Delivery['offer'];
  tick(): void;
  close(code: number): void;
  /** Ends it at once, because too much waits for it to read. */
  cutOff(): void;
  /** Announces the end, finishes the frames that arrived, and closes. */
  leave(): Promise<void>;
}

/** The subscriptions of a socket once it is authenticated. */
export interface Subscriptions {
  readonly wake: Delivery['onWake'];
  readonly text: (text: string) => void;
  readonly recheck: () => void;
}

/** What a socket has as one of its account's. */
export interface Joined {
  leave(): void;
  /** Says how much waits for it to read. */
  noteWaiting(bytes: number): void;
  /** A frame of so many bytes was passed on to so many sockets and nodes, at the expense of this one's account. */
  chargeCopies(bytes: number, copies: number): void;
}

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly stream: Corkable;
  readonly endpoint: SocketEndpoint;
  /** Its address, as trusted proxies tell it. */
  readonly client: string;
  readonly locale: Locale;
  /** Called once. */
  readonly onAuthenticated: (connection: Connection, identity: SocketIdentity, subscriptions: Subscriptions) => Joined;
}

/** Handles one socket, from its first frame to its last (TR-1). */
export function createConnection(deps: ConnectionDeps, options: ConnectionOptions): Connection {
  const { platform, auth, conversations, presence, intake } = deps;
  const { socket, endpoint, client, locale } = options;
  const { elapsed } = platform;
  const opened = elapsed();
  const pending = new Set<Promise<void>>();
  /** Those that came behind `auth` before it was answered. */
  const early: { readonly frame: ClientFrame; readonly bytes: number }[] = [];
  let identity: SocketIdentity | undefined;
  let authenticating = false;
  let leaving = false;
  /** This end has closed the socket: what it sent before is not handled any more. */
  let ended = false;
  let waitingFrames = 0;
  let waitingBytes = 0;
  let isPaused = false;
  let joined: Joined | undefined;
  /** The presence of the device, if the socket belongs to one. */
  let present: SocketPresence | undefined;
  let badFrames = 0;
  let checked = opened;
  let publishing: string | undefined;

  const onChange = (bytes: number) => joined?.noteWaiting(bytes);
  const sendBuffer = createSendBuffer({ socket, elapsed, stream: options.stream, onChange });
  const heartbeat = createHeartbeat(socket, elapsed);
  const caller = () => identity!.caller;
  const consumer = () => consumerOf(caller());
  const delivery = createDelivery(platform, conversations, { consumer, sendBuffer });
  const transient = createTransientRelay(platform, conversations.reads, {
    consumer,
    publish: (keys, text) => {
      publishing = text;
      const copies = platform.bus.publish(keys, text, accountOf(caller()));
      publishing = undefined;
      joined?.chargeCopies(text.length, copies);
    },
  });
  const send = (frame: ServerFrame) => sendBuffer.send(frame);
  const close = (code: number): void => {
    // Whoever may not be here any more has nothing handled; of others no acknowledgement is lost.
    if (code !== CLOSE_CODES.auth) throttle.flush();
    ended = true;
    socket.close(code);
  };
  /** Closes soon, whether or not the other end answers. */
  const hangUp = (code: number): void => {
    close(code);
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  };
  const refuse = (reason: AuthReason): void => {
    send(authError(reason, locale));
    hangUp(CLOSE_CODES.auth);
  };

  const settle = (next: SocketIdentity): void => {
    identity = next;
    checked = elapsed();
    send({ type: 'auth.ok', expires_at: next.expiresAt?.toISOString() ?? null });
  };
  const begin = async (frame: Extract<ClientFrame, { type: 'auth' }>, bytes: number): Promise<void> => {
    authenticating = true;
    const next = await authenticate(frame.token, frame.agent_id);
    if (next !== undefined) await enterPresence(next);
    authenticating = false;
    if (next === undefined || socket.readyState !== socket.OPEN) return;
    settle(next);
    // Whose frame it was is known only now.
    platform.budgets.charge(accountOf(next.caller), { frames_per_second: 1, bytes_per_second: bytes });
    joined = options.onAuthenticated(connection, next, { wake: onWake, text: sendTransient, recheck });
    // The token may have been revoked before the socket listened.
    recheck();
    // A resume that came right after auth counts before the first page is read.
    for (const waiting of early.splice(0)) throttle.admit(waiting.frame, waiting.bytes);
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
        close(CLOSE_CODES.goingAway);
      }
    }
    return undefined;
  };
  /** Was the token revoked? Only an answer counts: a database that cannot be reached revokes nothing. */
  const recheck = (): void => {
    checked = elapsed();
    const { token } = identity!;
    const ask = () => auth.authenticate(token);
    // All sockets of a token are woken together.
    conversations.reads.run(accountOf(caller()), `socket token ${token}`, ask).catch((error: unknown) => {
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

  const logRefusal = (limit: string) => platform.logRefusal({ limit, account: accountOf(caller()), client });
  const run = createHandler({ conversations, caller, send, renew, delivery, transient });
  const handle = (frame: ClientFrame): void => {
    const work = run(frame);
    if (work === undefined) return;
    const settled = work.catch((error: unknown) => {
      const cause = error instanceof RequestError ? error.cause : error;
      const limit = error instanceof RequestError ? error.limit : undefined;
      if (limit !== undefined) {
        platform.metrics.refusals.inc({ limit });
        logRefusal(limit);
      }
      if (cause !== undefined) platform.log.error({ err: cause }, 'sockets: a frame failed');
      send(errorFrame(error, locale, aboutFrame(frame)));
    });
    pending.add(settled);
    void settled.then(() => {
      pending.delete(settled);
      steer();
    });
  };
  const refuseFrame = (value: unknown): void => {
    send(errorFrame(new RequestError('BAD_REQUEST'), locale, aboutFrame(value)));
    if (++badFrames >= MAX_BAD_FRAMES) close(CLOSE_CODES.badFrames);
  };
  const throttle = createThrottle({
    take: (frames, bytes) =>
      platform.budgets.take(accountOf(caller()), { frames_per_second: frames, bytes_per_second: bytes }),
    handle,
    refuse: (error, frame) => {
      platform.metrics.refusals.inc({ limit: error.limit! });
      send(errorFrame(error, locale, aboutFrame(frame)));
    },
    onPause: (error) => logRefusal(error.limit!),
    onChange: () => steer(),
  });
  const receive = (value: unknown, bytes: number): void => {
    const frame = readClientFrame(value);
    if (identity !== undefined) {
      if (frame === undefined) refuseFrame(value);
      else throttle.admit(frame, bytes);
    } else if (frame !== undefined && authenticating && early.length < MAX_EARLY_FRAMES) early.push({ frame, bytes });
    else if (frame?.type === 'auth' && !authenticating) void begin(frame, bytes);
    else refuse('auth_required');
  };

  /** The socket is read only while little of it waits. */
  const steer = (): void => {
    const isBusy = pending.size + waitingFrames >= MAX_WAITING || waitingBytes >= MAX_WAITING_BYTES;
    const isFull = isBusy || throttle.isOn();
    if (isFull === isPaused) return;
    isPaused = isFull;
    if (isFull) socket.pause();
    else socket.resume();
  };
  const receiveInTurn = (data: RawData, isBinary: boolean): void => {
    const { length } = data as Buffer;
    waitingFrames++;
    waitingBytes += length;
    intake.add(accountOf(caller()), length, () => {
      waitingFrames--;
      waitingBytes -= length;
      if (!ended) receive(parseFrame(data, isBinary), length);
      steer();
    });
    steer();
  };

  socket.on('message', (data, isBinary) => {
    if (leaving || socket.readyState !== socket.OPEN) return;
    if (identity === undefined) receive(parseFrame(data, isBinary), (data as Buffer).length);
    else receiveInTurn(data, isBinary);
  });
  // The frame is too large or breaks the protocol: ws answers with the right code and closes.
  socket.on('error', () => {});
  socket.on('close', (code) => {
    const who = identity === undefined ? {} : { account: accountOf(identity.caller) };
    const agent = endpoint.kind === 'agent' && identity !== undefined ? { agent: endpoint.agentId } : {};
    const seconds = Math.round((elapsed() - opened) / 1_000);
    platform.log.info({ client, ...who, ...agent, code, seconds }, 'socket closed');
    joined?.leave();
    leavePresence();
    delivery.stop();
    if (ended) throttle.stop();
    else throttle.flush();
    if (identity !== undefined) transient.stop();
  });

  const connection: Connection = {
    offer: delivery.offer,
    close: hangUp,
    cutOff: sendBuffer.hangUp,
    tick: () => {
      if (socket.readyState !== socket.OPEN) return;
      const time = elapsed();
      if (identity === undefined) {
        if (time - opened >= AUTH_MS && !authenticating) refuse('timeout');
        return;
      }
      if (identity.expiresAt !== undefined && identity.expiresAt <= platform.now()) {
        refuse('expired');
        return;
      }
      if (endpoint.kind === 'agent' && time - checked >= RECHECK_MS) recheck();
      heartbeat.tick();
      sendBuffer.tick();
      transient.tick();
    },
    leave: async () => {
      leaving = true;
      if (identity !== undefined) send({ type: 'server.closing' });
      while (waitingFrames > 0 && !ended) await new Promise(setImmediate);
      throttle.flush();
      await Promise.allSettled(pending);
      close(CLOSE_CODES.goingAway);
    },
  };
  return connection;
}
