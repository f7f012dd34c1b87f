import { isParleyError } from '@parley/base';
import { authRoutes, CLOSE_CODES, type ClientFrame, type ServerFrame } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { ApiError, invalidReply } from '../api/api-error.ts';
import type { Platform, Socket } from '../platform.ts';
import type { Identity, PlatformEvent, Status } from '../types.ts';
import { retryDelay } from './retry.ts';
import { readServerFrame } from './server-frames.ts';

/** A WebSocket that reconnects by itself (TR-1, TR-2). */
export interface ReconnectingSocket {
  start(): void;
  isOpen(): boolean;
  /** Returns false if there is no connection: the frame was not sent. */
  send(frame: ClientFrame | string): boolean;
  stop(): void;
}

interface Deps {
  readonly api: Api;
  readonly platform: Platform;
  readonly identity: Identity;
  /** Sent with each authentication: it says what we have already, so that the server does not push it again. */
  readonly resume: () => ClientFrame;
  readonly onOpen: () => void;
  readonly onLost: () => void;
  readonly onFrame: (frame: ServerFrame) => void;
  readonly onEvent: (event: PlatformEvent) => void;
  readonly onStatus: (status: Status) => void;
  readonly onError: (error: unknown) => void;
}

const OPEN = 1;
/** Counts as this many failed attempts, so that the longest delay applies. */
const SLOW = 100;
const HEARTBEAT_MS = 30_000;
const DEAD_MS = 90_000;
const HANDSHAKE_MS = 15_000;
const RENEW_MS = 60_000;
/** Beyond this, more frames would only wait in the socket instead of the outbox. */
const MAX_BUFFERED = 1024 * 1024;
/** Half of what a server accepts before authentication. */
const MAX_EARLY = 32 * 1024;

export function createReconnectingSocket(deps: Deps): ReconnectingSocket {
  const { api, platform, identity, resume, onOpen, onLost, onFrame, onEvent, onStatus, onError } = deps;
  let socket: Socket | undefined;
  let isReady = false;
  let hasResumed = false;
  let stopped = false;
  let attempt = 0;
  let heard = 0;
  let stopTimer = () => {};
  let stopRenewal = () => {};

  const time = () => platform.now().getTime();
  const transmit = (frame: ClientFrame | string): void =>
    socket!.send(typeof frame === 'string' ? frame : JSON.stringify(frame));

  const connect = async (): Promise<void> => {
    onStatus('connecting');
    try {
      const token = await api.token();
      if (!stopped) open(token);
    } catch (error) {
      // The status already says that there is no network; any other error is reported.
      if (!isParleyError(error, 'UNREACHABLE')) onError(error);
      retry();
    }
  };
  const open = (token: string): void => {
    const current = platform.openSocket(addressOf(api.baseUrl, identity));
    socket = current;
    heard = time();
    const isCurrent = () => socket === current && !stopped;
    current.addEventListener('open', () => {
      if (!isCurrent()) return;
      transmit({ type: 'auth', token, ...(identity.kind === 'agent' ? { agent_id: identity.agentId } : {}) });
      // Sent right after `auth`, because the server begins to push with auth.ok.
      const position = JSON.stringify(resume());
      hasResumed = position.length <= MAX_EARLY;
      if (hasResumed) transmit(position);
    });
    current.addEventListener('message', ({ data }) => {
      if (isCurrent()) receive(data);
    });
    // A close event follows every error.
    current.addEventListener('error', () => {});
    current.addEventListener('close', (event) => {
      if (!isCurrent()) return;
      // The account has opened too many sockets. Reconnecting at once would only replace another one.
      if ((event as { code?: unknown } | undefined)?.code === CLOSE_CODES.replaced) attempt = SLOW;
      lose();
    });
    watch(HANDSHAKE_MS);
  };
  const lose = (code?: number): void => {
    const current = socket;
    const wasReady = isReady;
    socket = undefined;
    isReady = false;
    stopTimer();
    stopRenewal();
    current?.close(code);
    if (wasReady) onLost();
    if (!stopped) retry();
  };
  const retry = (): void => {
    if (stopped) return;
    onStatus('offline');
    stopTimer = platform.setTimer(() => void connect(), retryDelay(attempt++, platform));
  };
  /** Pings the server, and drops the socket if nothing was received for too long. */
  const watch = (ms: number): void => {
    stopTimer();
    stopTimer = platform.setTimer(() => {
      if (!isReady || Math.abs(time() - heard) >= DEAD_MS) return lose();
      if (socket?.readyState === OPEN) transmit({ type: 'ping' });
      watch(HEARTBEAT_MS);
    }, ms);
  };
  const renewBefore = (expiresAt: string | null): void => {
    stopRenewal();
    if (expiresAt === null) return;
    const current = socket;
    const wait = Math.max(1_000, Date.parse(expiresAt) - time() - RENEW_MS);
    stopRenewal = platform.setTimer(() => {
      api.token().then((token) => {
        if (socket === current && isReady) transmit({ type: 'auth.renew', token });
      }, onError);
    }, wait);
  };
  const welcome = (frame: Extract<ServerFrame, { type: 'auth.ok' }>): void => {
    renewBefore(frame.expires_at);
    if (isReady) return;
    isReady = true;
    attempt = 0;
    watch(HEARTBEAT_MS);
    if (!hasResumed) transmit(resume());
    onStatus('online');
    onOpen();
  };
  const receive = (data: unknown): void => {
    heard = time();
    const read = readServerFrame(data);
    if (read === undefined) {
      onError(invalidReply());
      return;
    }
    if (read.kind === 'event') onEvent(read.event);
    if (read.kind !== 'frame') return;
    const { frame } = read;
    if (frame.type === 'auth.ok') welcome(frame);
    else if (frame.type === 'auth.error') refuse(frame);
    else if (isReady) onFrame(frame);
  };
  /** The refusal may be temporary, so it retries with the longest delay. */
  const refuse = ({ message }: Extract<ServerFrame, { type: 'auth.error' }>): void => {
    const isFirst = attempt === 0;
    if (!isFirst || identity.kind === 'agent') attempt = SLOW;
    lose();
    if (isFirst && identity.kind === 'human') {
      // A wrong clock can cause this. If this request is refused too, the API refreshes the token by itself.
      api.call(authRoutes.me).catch(onError);
    } else onError(new ApiError({ status: 401, code: 'UNAUTHENTICATED', message }));
  };

  return {
    start: () => void connect(),
    isOpen: () => isReady && socket?.readyState === OPEN && socket.bufferedAmount <= MAX_BUFFERED,
    send: (frame) => {
      if (!isReady || socket?.readyState !== OPEN) return false;
      transmit(frame);
      return true;
    },
    stop: () => {
      stopped = true;
      lose(1000);
      onStatus('closed');
    },
  };
}

function addressOf(baseUrl: string, identity: Identity): string {
  const base = baseUrl.replace(/^http/, 'ws');
  return identity.kind === 'human' ? `${base}/ws/human` : `${base}/ws/agent?agent_id=${identity.agentId}`;
}
