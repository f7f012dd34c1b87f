import { readAcceptLanguage } from '@parley/base';
import { type ReplyOf, agentEventRoutes as routes, toWire } from '@parley/protocol';
import { decodeJwt } from 'jose';
import { readAgentEvents } from '../../agent-events/store.ts';
import { readBearer } from '../../auth/authenticate.ts';
import { findLiveSession } from '../../auth/session-store.ts';
import { keyOf } from '../../events/bus.ts';
import { requireHuman } from '../../http/caller.ts';
import { acceptsNdjson, createNdjsonReplies, type NdjsonReply } from '../../http/ndjson.ts';
import { RequestError } from '../../http/request-error.ts';
import type { Request, Router } from '../../http/router.ts';
import type { Platform } from '../../platform.ts';
import { findAllowed } from '../access.ts';
import { streamEvents, toWireAgentEvent } from './event-stream.ts';
import { createStreamSlots, type StreamSlot } from './stream-slots.ts';

/** The clock is read this often, as for sockets: on a machine that slept, a timer of five minutes is late. */
const TICK_MS = 1_000;

type Route = typeof routes.watchAgent;
type Reply = ReplyOf<Route>;

/** Lets an owner read the events of an agent, or watch them as they happen (HS-12). */
export function registerAgentWatch(router: Router, platform: Platform): void {
  const { db } = platform;
  const openLines = createNdjsonReplies(router.app);
  const takeSlot = createStreamSlots();
  router.add(routes.watchAgent, async (request) => {
    const { caller, params, query, headers, setHeader } = request;
    const { agentId } = await findAllowed(db, { caller, agentId: params.agent_id, roles: ['owner'] });
    const after = Number(query.after ?? 0);
    if (!acceptsNdjson(headers)) {
      const { notes, last } = await readAgentEvents(db, agentId, after);
      return {
        events: notes.map(toWireAgentEvent),
        last_event_id: notes.at(-1)?.number ?? last,
        reason: 'complete' as const,
      };
    }
    const slot = takeSlot(requireHuman(caller).accountId);
    const lines = openLines(setHeader);
    lines.body.once('close', slot.release);
    void watch(platform, request, { agentId, after, lines, slot });
    return lines.body;
  });
}

interface Watching {
  readonly agentId: string;
  readonly after: number;
  readonly lines: NdjsonReply;
  readonly slot: StreamSlot;
}

async function watch(platform: Platform, request: Request<Route>, watching: Watching): Promise<void> {
  const { db, now } = platform;
  const { agentId, after, lines, slot } = watching;
  const { caller, headers, id: requestId, log } = request;
  const { sessionId } = requireHuman(caller);
  const expiry = expireWith(request, now);
  const reasonOf = (): Reply['reason'] =>
    slot.signal.aborted ? 'replaced' : expiry.signal.aborted ? 'expired' : 'closing';
  try {
    const last = await streamEvents(platform, {
      agentId,
      after,
      keys: [keyOf.session(sessionId)],
      signal: AbortSignal.any([lines.signal, slot.signal, expiry.signal]),
      check: async () => {
        if ((await findLiveSession(db, sessionId, now())) === undefined) throw new RequestError('UNAUTHENTICATED');
        await findAllowed(db, { caller, agentId, roles: ['owner'] });
      },
      send: (event) => {
        lines.send({ event }, 'event');
        return lines.drained();
      },
    });
    lines.end({ reply: { events: [], last_event_id: last, reason: reasonOf() } satisfies Reply });
  } catch (error) {
    const code = error instanceof RequestError ? error.code : 'UNAVAILABLE';
    if (!(error instanceof RequestError)) log.error({ err: error }, 'agent events: reading failed');
    lines.end(toWire({ code, requestId, locale: readAcceptLanguage(headers['accept-language']) }));
  } finally {
    expiry.stop();
  }
}

/** Like a socket, the stream ends with its token, however long the session lives. */
function expireWith({ raw }: Request<Route>, now: () => Date): { readonly signal: AbortSignal; stop(): void } {
  const { exp = 0 } = decodeJwt(readBearer(raw)!);
  const controller = new AbortController();
  const check = () => {
    if (now().getTime() >= exp * 1_000) controller.abort();
  };
  const timer = setInterval(check, TICK_MS);
  check();
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
