import { setTimeout } from 'node:timers/promises';
import type { AgentEventNote } from '@parley/protocol';
import type { Logger } from 'pino';
import { type Bus, keyOf } from '../events/bus.ts';
import type { Db } from '../storage/database.ts';
import { type Noted, storeNotes } from './store.ts';

/** What happens around agents, for their owners to look at (HS-12). No ledger: what cannot be kept is missing here, and nowhere else. */
export interface AgentEvents {
  /** After commit only. Neither fails nor waits. */
  note(agentId: string, event: AgentEventNote): void;
  /** One more call over the limit: told as a number, since they come in storms. */
  countRefusal(agentId: string): void;
  /** Resolves when everything that was noted can be read. */
  settle(): Promise<void>;
}

/** What comes together is written together. */
const GATHER_MS = 50;
const REFUSALS_MS = 1_000;
const BATCH = 500;
const MAX_WAITING = 10_000;

interface Deps {
  readonly db: Db;
  readonly bus: Bus;
  readonly log: Logger;
  readonly now: () => Date;
}

export function createAgentEvents({ db, bus, log, now }: Deps): AgentEvents {
  const waiting: Noted[] = [];
  const refusals = new Map<string, number>();
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    await setTimeout(GATHER_MS);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        await storeNotes(db, batch);
        bus.wake([...new Set(batch.map(({ agentId }) => keyOf.agentEvents(agentId)))]);
      } catch (error) {
        log.warn({ err: error, count: batch.length }, 'agent events: events around agents were not kept');
      }
    }
    writing = undefined;
  };
  const note: AgentEvents['note'] = (agentId, event) => {
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
