import { Readable } from 'node:stream';
import { LINES_TYPE } from '@parley/protocol';
import type { FastifyInstance } from 'fastify';

/** A reply that is told while it comes to be, one JSON value a line. */
export interface LineReply {
  /** What the handler returns. */
  readonly body: Readable;
  /** Aborted when nobody waits for the rest: the reader has left, or the server ends. */
  readonly signal: AbortSignal;
  /** Where the reader is slow, it takes the place of the one of its kind that still waits. */
  send(value: unknown, kind: string): void;
  /** Resolves when nothing waits for the reader, or nobody reads any more. */
  taken(): Promise<void>;
  /** The last line. */
  end(value: unknown): void;
}

/** Below what proxies and browsers take for a dead line, and our own time-out of connections. */
const BEAT_MS = 10_000;
/** A slow reader costs no more memory than this many lines. */
const MAX_WAITING = 16;

const HEADERS = {
  'content-type': `${LINES_TYPE}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // For proxies that would hold lines back until there are many.
  'x-accel-buffering': 'no',
  // A server that ends does not wait for whoever might ask more.
  connection: 'close',
};

export function acceptsLines({ accept = '' }: { readonly accept?: string | undefined }): boolean {
  return accept.split(',').some((type) => type.split(';', 1)[0]!.trim().toLowerCase() === LINES_TYPE);
}

type SetHeader = (name: string, value: string) => void;

/** Opens such replies, and ends those that are open when the server does. */
export function createLineReplies(app: FastifyInstance, beatMs = BEAT_MS): (setHeader: SetHeader) => LineReply {
  const open = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const controller of open) controller.abort();
  });
  return (setHeader) => {
    for (const [name, value] of Object.entries(HEADERS)) setHeader(name, value);
    const controller = new AbortController();
    open.add(controller);
    const reply = openLines(controller, beatMs);
    reply.body.once('close', () => open.delete(controller));
    return reply;
  };
}

function openLines(controller: AbortController, beatMs: number): LineReply {
  const waiting: { readonly kind: string; readonly text: string }[] = [];
  let wanted = false;
  let ended = false;
  const patient: (() => void)[] = [];
  const release = () => {
    for (const resolve of patient.splice(0)) resolve();
  };
  const flush = () => {
    while (wanted && waiting.length > 0) wanted = body.push(waiting.shift()!.text);
    if (waiting.length === 0) release();
    if (ended && waiting.length === 0) body.push(null);
  };
  const beat = setInterval(() => {
    if (wanted && !ended) wanted = body.push('\n');
  }, beatMs);
  const body = new Readable({
    read: () => {
      wanted = true;
      flush();
    },
    destroy: (error, done) => {
      clearInterval(beat);
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
  // The head of the reply goes out with it: who waits knows that it was taken.
  body.push('\n');
  return {
    body,
    signal: controller.signal,
    send: (value, kind) => {
      if (ended || body.destroyed) return;
      add(kind, value);
      flush();
    },
    taken: () =>
      waiting.length === 0 || body.destroyed ? Promise.resolve() : new Promise((resolve) => patient.push(resolve)),
    end: (value) => {
      if (ended || body.destroyed) return;
      add('end', value);
      ended = true;
      clearInterval(beat);
      flush();
    },
  };
}
