import { isValid, LINES_TYPE, type RouteContract } from '@parley/protocol';
import { invalidReply } from './api-error.ts';
import { readReply, toError } from './reply.ts';

/** The reply with the largest output a skill may have stays below. */
const MAX_LINE = 16 * 1024 * 1024;
const MAX_EVENTS = 10_000;

interface LineHandlers {
  onEvent(event: unknown): void;
  /** Called for whatever arrives, also for the empty lines that only keep the connection alive. */
  onSign(): void;
}

/** Reads a reply that is streamed as lines: events are passed on, and the last line is the reply. */
export async function readLines(contract: RouteContract, response: Response, handlers: LineHandlers): Promise<unknown> {
  if (!response.ok) return readReply(contract, response);
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';', 1);
  if (type.trim() !== LINES_TYPE || response.body === null) throw invalidReply();
  const reader = response.body.getReader();
  let events = 0;
  try {
    for await (const text of splitLines(reader, handlers.onSign)) {
      const line = parseLine(text);
      if ('error' in line) throw toError(response, line);
      if ('reply' in line) {
        if (isValid(contract.reply, line.reply)) return line.reply;
        throw invalidReply();
      }
      events++;
      const isEvent = contract.event !== undefined && isValid(contract.event, line.event);
      if (!isEvent || events > MAX_EVENTS) throw invalidReply();
      handlers.onEvent(line.event);
    }
    throw invalidReply();
  } finally {
    // Nothing is read after the last line, and a server that sends too much is told to stop.
    await reader.cancel().catch(() => {});
  }
}

async function* splitLines(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onSign: () => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Parts are joined when a line is whole: joining at every part would copy a long line again and again.
  let parts: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSign();
    const [first = '', ...more] = decoder.decode(value, { stream: true }).split('\n');
    parts.push(first);
    length += first.length;
    for (const next of more) {
      if (length > 0) yield parts.join('');
      parts = [next];
      length = next.length;
    }
    if (length > MAX_LINE) throw invalidReply();
  }
}

function parseLine(text: string): { readonly event?: unknown; readonly reply?: unknown; readonly error?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The line is no JSON, which is refused below.
  }
  throw invalidReply();
}
