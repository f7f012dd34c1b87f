import { LINES_TYPE } from '@parley/protocol';
import { inTime } from '@parley/testkit/until';
import type { TestServer } from './server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes back
type Line = any;

/** Someone who watches an agent. */
export interface Watcher {
  readonly status: number;
  /** Everything that came, in order. */
  readonly events: readonly Line[];
  /** The first event that fits, whether it has come already or not. Fails when the stream ends first. */
  next(fits: string | ((event: Line) => boolean)): Promise<Line>;
  /** The last line, or undefined where the connection broke off. */
  readonly ended: Promise<Line>;
  leave(): void;
}

/** Resolves when what was kept has come. */
export async function watchAgent(
  server: TestServer,
  agentId: string,
  { token, after }: { readonly token: string; readonly after?: number },
): Promise<Watcher> {
  const controller = new AbortController();
  const query = after === undefined ? '' : `?after=${after}`;
  const response = await fetch(`${server.url}/agents/${agentId}/events${query}`, {
    headers: { accept: LINES_TYPE, authorization: `Bearer ${token}` },
    signal: controller.signal,
  });
  const events: Line[] = [];
  const waiting = new Set<() => void>();
  let over = false;
  let goLive = () => {};
  const live = new Promise<void>((resolve) => {
    goLive = resolve;
  });
  const look = () => {
    for (const check of [...waiting]) check();
  };
  const read = async (): Promise<Line> => {
    let text = '';
    let last: Line;
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (text + chunk).split('\n');
        text = lines.pop()!;
        for (const line of lines.filter((one) => one !== '').map((one) => JSON.parse(one))) {
          if (line.event?.type === 'events.live') goLive();
          else if ('event' in line) events.push(line.event);
          else last = line;
        }
        look();
      }
    } catch {
      // It broke off.
    }
    over = true;
    look();
    return last ?? (text === '' ? undefined : JSON.parse(text));
  };
  const shown = () => `events: ${JSON.stringify(events)}`;
  const ended = read();
  if (response.ok) await Promise.race([live, ended]);
  return {
    status: response.status,
    events,
    ended,
    leave: () => controller.abort(),
    next: (fits) =>
      inTime(
        new Promise((resolve, reject) => {
          const check = () => {
            const found = events.find((event) => (typeof fits === 'string' ? event.type === fits : fits(event)));
            if (found === undefined && !over) return;
            waiting.delete(check);
            if (found === undefined) reject(new Error(`the stream has ended; ${shown()}`));
            else resolve(found);
          };
          waiting.add(check);
          check();
        }),
        shown,
      ),
  };
}
