import { setTimeout } from 'node:timers/promises';
import type { AgentEventNote } from '@parley/protocol';
import type { Logger } from 'pino';
import type { Bus } from '../events/bus.ts';
import type { Db } from '../storage/database.ts';
import { type Noted, storeNotes } from './store.ts';

/** What happens around agents, for their owners to look at (HS-12). No ledger: what cannot be kept is missing here, and nowhere else. */
export interface Tail {
  /** After commit only. Neither fails nor waits. */
  note(agentId: string, event: AgentEventNote): void;
  /** One more call over the limit: told as a number, since they come in storms. */
  countRefusal(agentId: string): void;
  /** Resolves when everything that was noted can be read. */
  settle(): Promise<void>;
}

export const tailKey = (agentId: string) => `t:${agentId}`;

/** What comes together is written together. */
const GATHER_MS = 50;
const REFUSALS_MS = 1_000;
const BATCH = 500;
const MAX_WAITING = 10_000;

interface Means {
  readonly db: Db;
  readonly bus: Bus;
  readonly log: Logger;
  readonly now: () => Date;
}

export function createTail({ db, bus, log, now }: Means): Tail {
  const waiting: Noted[] = [];
  const refusals = new Map<string, number>();
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    await setTimeout(GATHER_MS);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        await storeNotes(db, batch);
        bus.wake([...new Set(batch.map(({ agentId }) => tailKey(agentId)))]);
      } catch (error) {
        log.warn({ err: error, count: batch.length }, 'tail: events around agents were not kept');
      }
    }
    writing = undefined;
  };
  const note: Tail['note'] = (agentId, event) => {
    if (waiting.length >= MAX_WAITING) return;
    waiting.push({ agentId, event, at: now() });
    writing ??= write();
  };
  const tellRefusals = (agentId: string) => {
    const count = refusals.get(agentId);
    refusals.delete(agentId);
    if (count !== undefined) note(agentId, { type: 'message.refused', count });
  };

  return {
    note,
    countRefusal: (agentId) => {
      const before = refusals.get(agentId);
      refusals.set(agentId, (before ?? 0) + 1);
      if (before === undefined)
        void setTimeout(REFUSALS_MS, undefined, { ref: false }).then(() => tellRefusals(agentId));
    },
    settle: async () => {
      for (const agentId of [...refusals.keys()]) tellRefusals(agentId);
      await writing;
    },
  };
}
