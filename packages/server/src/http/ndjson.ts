import { Readable } from 'node:stream';
import { LINES_TYPE } from '@parley/protocol';
import type { FastifyInstance } from 'fastify';

/** A reply of newline-delimited JSON: each value is sent as soon as it is there. */
export interface NdjsonReply {
  /** What the handler returns. */
  readonly body: Readable;
  /** Aborted when nobody waits for the rest: the reader has left, or the server closes. */
  readonly signal: AbortSignal;
  /** For a slow reader, it replaces the last waiting line if that is of the same kind. */
  send(value: unknown, kind: string): void;
  /** Resolves when no line waits for the reader, or nobody reads any more. */
  drained(): Promise<void>;
  /** Sends the last line. */
  end(value: unknown): void;
}

/** Shorter than the idle time-outs of proxies, browsers and this server. */
const HEARTBEAT_MS = 10_000;
/** A slow reader costs no more memory than this many lines. */
const MAX_WAITING = 16;

const HEADERS = {
  'content-type': `${LINES_TYPE}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // Tells proxies not to hold lines back until there are many.
  'x-accel-buffering': 'no',
  // A closing server does not wait for further requests on this connection.
  connection: 'close',
};

export function acceptsNdjson({ accept = '' }: { readonly accept?: string | undefined }): boolean {
  return accept.split(',').some((type) => type.split(';', 1)[0]!.trim().toLowerCase() === LINES_TYPE);
}

type SetHeader = (name: string, value: string) => void;

/** Opens such replies, and ends those that are open when the server closes. */
export function createNdjsonReplies(
  app: FastifyInstance,
  heartbeatMs = HEARTBEAT_MS,
): (setHeader: SetHeader) => NdjsonReply {
  const open = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const controller of open) controller.abort();
  });
  return (setHeader) => {
    for (const [name, value] of Object.entries(HEADERS)) setHeader(name, value);
    const controller = new AbortController();
    open.add(controller);
    const reply = openLines(controller, heartbeatMs);
    reply.body.once('close', () => open.delete(controller));
    return reply;
  };
}

function openLines(controller: AbortController, heartbeatMs: number): NdjsonReply {
  const waiting: { readonly kind: string; readonly text: string }[] = [];
  let wanted = false;
  let ended = false;
  const waiters: (() => void)[] = [];
  const release = () => {
    for (const resolve of waiters.splice(0)) resolve();
  };
  const flush = () => {
    while (wanted && waiting.length > 0) wanted = body.push(waiting.shift()!.text);
    if (waiting.length === 0) release();
    if (ended && waiting.length === 0) body.push(null);
  };
  const heartbeat = setInterval(() => {
    if (wanted && !ended) wanted = body.push('\n');
  }, heartbeatMs);
  const body = new Readable({
    read: () => {
      wanted = true;
      flush();
    },
    destroy: (error, done) => {
      clearInterval(heartbeat);
      if (!ended) controller.abort();
      release();
      done(error);
    },
  });
  const add = (kind: string, value: unknown) => {
    if (waiting.at(-1)?.kind === kind) waiting.pop();
    if (waiting.length === MAX_WAITING) waiting.shift();
    waiting.push({ kind, text: `${JSON.stringify(value)}\n` });
  };
  // The headers are sent with it, so the reader knows at once that the request was accepted.
  body.push('\n');
  return {
    body,
    signal: controller.signal,
    send: (value, kind) => {
      if (ended || body.destroyed) return;
      add(kind, value);
      flush();
    },
    drained: () =>
      waiting.length === 0 || body.destroyed ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve)),
    end: (value) => {
      if (ended || body.destroyed) return;
      add('end', value);
      ended = true;
      clearInterval(heartbeat);
      flush();
    },
  };
}
