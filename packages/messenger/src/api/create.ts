import { classifyNetworkFailure, type ReplyOf, type RouteContract } from '@parley/protocol';
import type { Platform } from '../platform.ts';
import type { Api, CallInput } from './api.ts';
import { ApiError, unreachable } from './api-error.ts';
import { type Credentials, createTokenSource, refreshRoute } from './credentials.ts';
import { readLines } from './lines.ts';
import { readReply } from './reply.ts';
import { addressOfCall, isRedirect, requestOf } from './request.ts';
import { withoutSecrets } from './safe-cause.ts';
import { createServerClock } from './server-clock.ts';

export interface ApiOptions {
  /** Without a path behind it: `https://parley.example`. */
  readonly baseUrl: string;
  readonly platform: Pick<Platform, 'fetch' | 'now' | 'setTimer'>;
  readonly credentials: Credentials;
}

const TIMEOUT_MS = 30_000;

export function createApi({ baseUrl, platform, credentials }: ApiOptions): Api {
  const base = baseUrl.replace(/\/+$/, '');
  const clock = createServerClock(platform.now);

  const fetchOnce = async (contract: RouteContract, input: CallInput<RouteContract>, token: string | undefined) => {
    const address = addressOfCall(base, contract, input);
    const { signal, stop, restart, isOver } = limitTime(platform, input);
    const { onEvent } = input;
    try {
      const response = await platform.fetch(address, requestOf(contract, input, { token, signal }));
      if (isRedirect(response)) {
        await response.body?.cancel();
        throw unreachable({ network: 'redirected' });
      }
      const time = timeOf(response);
      if (time !== undefined) clock.hear(time);
      if (onEvent === undefined) return await readReply(contract, response);
      return await readLines(contract, response, { onEvent, onSign: restart });
    } catch (error) {
      input.signal?.throwIfAborted();
      if (error instanceof ApiError) throw error;
      const network = isOver() ? 'timed_out' : classifyNetworkFailure(error);
      const secrets = [token, new URL(address).search].filter((text) => text !== undefined && text !== '');
      throw unreachable({ network, cause: withoutSecrets(error, secrets as string[]) });
    } finally {
      stop();
    }
  };
  const source = createTokenSource(credentials, {
    now: platform.now,
    pause: (ms) => new Promise((resolve) => void platform.setTimer(resolve, ms)),
    refresh: async (body) => {
      const reply = await fetchOnce(refreshRoute, { body }, undefined);
      return reply as ReplyOf<typeof refreshRoute>;
    },
  });

  return {
    baseUrl: base,
    clock,
    call: async <const R extends RouteContract>(contract: R, input: CallInput<R> = {}): Promise<ReplyOf<R>> => {
      const given = input as CallInput<RouteContract>;
      const token = await source.token().catch((error: unknown) => {
        // A route for anyone, such as signing in, also works for someone whose login has ended.
        if (contract.access.anonymous >= 400) throw error;
        return undefined;
      });
      try {
        return (await fetchOnce(contract, given, token)) as ReplyOf<R>;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 401 && contract.access.anonymous >= 400)) throw error;
        const next = await source.renew(token);
        if (next === undefined) throw error;
        return (await fetchOnce(contract, given, next)) as ReplyOf<R>;
      }
    },
    token: async () => {
      const token = await source.token();
      if (token === undefined) throw new ApiError({ status: 401, code: 'UNAUTHENTICATED', message: 'Sign in first.' });
      return token;
    },
  };
}

/** When the server made the reply. One that may come out of a cache says nothing about now. */
function timeOf({ headers }: Response): Date | undefined {
  const date = headers.get('date');
  const mayBeOld = headers.get('cache-control')?.includes('no-store') === false;
  return date === null || mayBeOld ? undefined : new Date(date);
}

/** Ends a request that the server accepts and never answers. */
function limitTime(platform: ApiOptions['platform'], { signal, query }: CallInput<RouteContract>) {
  const controller = new AbortController();
  let over = false;
  const abort = () => controller.abort();
  const giveUp = () => {
    over = true;
    abort();
  };
  const wait = Number((query as { wait?: string } | undefined)?.wait ?? 0) * 1_000;
  const start = () => platform.setTimer(giveUp, TIMEOUT_MS + wait);
  let stopTimer = start();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const stop = () => {
    stopTimer();
    signal?.removeEventListener('abort', abort);
  };
  const restart = () => {
    stopTimer();
    stopTimer = start();
  };
  return { signal: controller.signal, stop, restart, isOver: () => over };
}
