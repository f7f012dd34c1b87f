import { setTimeout } from 'node:timers/promises';
import type { AgentEventNote } from '@parley/protocol';
import type { Logger } from 'pino';
import { type Bus, keyOf } from '../events/bus.ts';
import type { Db } from '../storage/database.ts';
import { type RecordedEvent, storeAgentEvents } from './store.ts';

/**
 * Records what happens around agents, for their owners to watch (HS-12). It is not a ledger: an event that cannot be
 * stored is only missing here.
 */
export interface AgentEvents {
  /** Call it after commit. It neither fails nor waits. */
  record(agentId: string, event: AgentEventNote): void;
  /** Counts one more call over the limit. Such calls come in bursts, so one event tells how many there were. */
  countRefusal(agentId: string): void;
  /** Counts deliveries that a budget did not allow, in the same way. */
  countUndelivered(agentId: string, count: number): void;
  /** Resolves when everything that was recorded can be read. */
  flush(): Promise<void>;
}

/** Events of the same moment are written together. */
const GATHER_MS = 50;
const COUNT_MS = 1_000;
const BATCH = 500;
const MAX_WAITING = 10_000;

type Counted = 'message.refused' | 'webhook.refused';

interface Deps {
  readonly db: Db;
  readonly bus: Bus;
  readonly log: Logger;
  readonly now: () => Date;
}

export function createAgentEvents({ db, bus, log, now }: Deps): AgentEvents {
  const waiting: RecordedEvent[] = [];
  /** By type and agent. */
  const counts = new Map<string, number>();
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    await setTimeout(GATHER_MS);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        await storeAgentEvents(db, batch);
        bus.wake([...new Set(batch.map(({ agentId }) => keyOf.agentEvents(agentId)))]);
      } catch (error) {
        log.warn({ err: error, count: batch.length }, 'agent events: some could not be stored');
      }
    }
    writing = undefined;
  };
  const record: AgentEvents['record'] = (agentId, event) => {
    if (waiting.length >= MAX_WAITING) return;
    waiting.push({ agentId, event, at: now() });
    writing ??= write();
  };
  const recordCount = (key: string) => {
    const count = counts.get(key);
    counts.delete(key);
    const [type, agentId] = key.split(' ') as [Counted, string];
    if (count !== undefined) record(agentId, { type, count });
  };
  const count = (type: Counted, agentId: string, by: number): void => {
    const key = `${type} ${agentId}`;
    const before = counts.get(key);
    counts.set(key, (before ?? 0) + by);
    if (before === undefined) void setTimeout(COUNT_MS, undefined, { ref: false }).then(() => recordCount(key));
  };

  return {
    record,
    countRefusal: (agentId) => count('message.refused', agentId, 1),
    countUndelivered: (agentId, by) => count('webhook.refused', agentId, by),
    flush: async () => {
      for (const key of [...counts.keys()]) recordCount(key);
      await writing;
    },
  };
}
