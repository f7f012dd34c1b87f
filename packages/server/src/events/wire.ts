import type { EventType } from '@parley/protocol';
import type { StoredEvent } from './inbox.ts';

/** An event as a socket or a poll brings it. */
export type WireEvent = Record<string, unknown> & { readonly type: EventType; readonly event_id: number };

export function toWireEvent({ position, type, payload }: StoredEvent): WireEvent {
  return { ...payload, type, event_id: position };
}
