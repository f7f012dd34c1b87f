import { isParleyError } from '@parley/base';
import { conversationRoutes } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import type { Delivered } from '../encryption/opener.ts';
import type { Platform } from '../platform.ts';
import type { PlatformEvent, Status } from '../types.ts';
import { retryDelay } from './retry.ts';
import { readEvent } from './server-frames.ts';

interface Deps {
  readonly api: Api;
  readonly platform: Platform;
  readonly agentId: string;
  readonly onMessage: (message: Delivered) => Promise<unknown>;
  readonly onEvent: (event: PlatformEvent) => void;
  /** The next request acknowledges what this one brought, so it waits until that is saved. */
  readonly saved: () => Promise<void>;
  readonly onStatus: (status: Status) => void;
  readonly onOpen: () => void;
  readonly onError: (error: unknown) => void;
}

const WAIT_SECONDS = '25';

/** Long polling (TR-4), for agents that can have neither a socket nor a webhook. */
export function createPolling(deps: Deps): { start(): void; stop(): void } {
  const { api, platform, agentId, onMessage, onEvent, saved, onStatus, onOpen, onError } = deps;
  const controller = new AbortController();
  const { signal } = controller;
  let cursor: string | undefined;
  let attempt = 0;

  const ask = async (): Promise<void> => {
    // The first answer comes at once, so that the status is known.
    const wait = cursor === undefined ? '0' : WAIT_SECONDS;
    const query = { wait, ...(cursor === undefined ? {} : { cursor }) };
    const reply = await api.call(conversationRoutes.pollMessages, { params: { agent_id: agentId }, query, signal });
    if (attempt > 0 || cursor === undefined) {
      onStatus('online');
      onOpen();
    }
    attempt = 0;
    for (const value of reply.events) {
      const event = readEvent(value);
      if (event !== undefined) onEvent(event);
    }
    await Promise.all(reply.messages.map(onMessage));
    await saved();
    cursor = reply.cursor;
  };
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = platform.setTimer(resolve, retryDelay(attempt++, platform));
      const stop = () => {
        cancel();
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
    });
  const run = async (): Promise<void> => {
    onStatus('connecting');
    while (!signal.aborted) {
      try {
        await ask();
      } catch (error) {
        if (signal.aborted) return;
        // A cursor that the server gave and does not take is given up: it sends again what was not acknowledged.
        if (isParleyError(error, 'BAD_REQUEST')) cursor = undefined;
        if (!isParleyError(error, 'UNREACHABLE')) onError(error);
        onStatus('offline');
        await pause();
      }
    }
  };

  return {
    start: () => void run(),
    stop: () => {
      controller.abort();
      onStatus('closed');
    },
  };
}
