import { EVENTS, type EventType, isValid, SERVER_FRAMES, type ServerFrame, Type } from '@parley/protocol';
import type { PlatformEvent } from '../types.ts';

/** The largest envelope, with room for the fields around it. */
const MAX_FRAME = 1024 * 1024;

export type Read =
  | { readonly kind: 'frame'; readonly frame: ServerFrame }
  | { readonly kind: 'event'; readonly event: PlatformEvent }
  /** A frame of a newer protocol version, which is ignored. */
  | { readonly kind: 'unknown' };

const EventId = Type.Object({ event_id: Type.Integer({ minimum: 0 }) });

/** The server is not trusted: returns undefined for anything that does not match its contract. */
export function readServerFrame(data: unknown): Read | undefined {
  if (typeof data !== 'string' || data.length > MAX_FRAME) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== 'string') return undefined;
  if (Object.hasOwn(SERVER_FRAMES, type)) {
    const isFrame = isValid(SERVER_FRAMES[type as ServerFrame['type']], value);
    return isFrame ? { kind: 'frame', frame: value as ServerFrame } : undefined;
  }
  const event = readEvent(value);
  return event === undefined ? { kind: 'unknown' } : { kind: 'event', event };
}

/** An event as a socket or a poll brings it: `{ type, event_id, … }`. */
export function readEvent(value: unknown): PlatformEvent | undefined {
  const { type } = value as { type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(EVENTS, type)) return undefined;
  if (!isValid(EventId, value) || !isValid(EVENTS[type as EventType], value)) return undefined;
  const { event_id, ...rest } = value as { event_id: number };
  return { eventId: event_id, ...rest } as unknown as PlatformEvent;
}
