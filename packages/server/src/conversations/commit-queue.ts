import { createDeferred, createFairQueue, createLru } from '@parley/base';
import { RequestError, rateLimited } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { type BatchResult, commitBatch } from './batch.ts';
import { createHeldMessages, type Holdable } from './held-messages.ts';
import type { Ack, Outgoing } from './message.ts';

const KB = 1024;
const MB = 1024 * KB;
/** What a message costs besides its bytes, and for each member of its conversation: they are read, and told of it. */
const OVERHEAD = 512;
const MEMBER = 256;
/**
 * How many members a conversation has that was not read yet, or not for long: in a turn few, as most have, in a batch many,
 * so that it stays small even if all of them are large.
 */
const UNKNOWN = { inTurn: 16, inBatch: 512 };
const MAX_SIZES = 50_000;
/**
 * Beyond `max`, senders are refused for now, to bound memory; beyond `maxOfOne`, one account is, so that there is capacity
 * for the others. A turn is some tens of small messages, so that a batch has turns of many accounts.
 */
const LIMITS = {
  turn: 32 * KB,
  max: { count: 5_000, cost: 32 * MB },
  maxOfOne: { count: 1_000, cost: 8 * MB },
};
/** Who comes now waits for the batch before: it is small enough that nobody notices. The last one may exceed it. */
const BATCH = { count: 500, cost: MB };
const ATTEMPTS = 4;
const RETRY_BATCHES = 20;
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
/** A conversation that someone else has locked is tried again after this time, and its messages given up after that. */
const BUSY_MS = 10;
const MAX_BUSY_MS = 15_000;

/** Messages on their way to the database, taken in turns by account (OP-3). */
export interface CommitQueue {
  /** What one account adds is stored in that order. */
  add(outgoing: Outgoing): Promise<Ack>;
  idle(): Promise<void>;
}
interface Waiting extends Holdable {
  readonly outgoing: Outgoing;
  readonly since: number;
  resolve(ack: Ack): void;
  reject(error: unknown): void;
}

/** Adaptive group commit: what arrives while one commit runs goes into the next. */
export function createCommitQueue(platform: Platform, announce: (result: BatchResult) => void): CommitQueue {
  const queue = createFairQueue<Waiting>(LIMITS);
  let running: Promise<void> | undefined;
  /**
   * For this many batches, retries are looked up at once: a client that sends nothing else must not double everyone's
   * work.
   */
  let expectedRetries = 0;

  /** Whoever changes thousands of groups at once keeps them locked for long, and only their messages wait for it. */
  const held = createHeldMessages<Waiting>();
  let endPause = () => {};

  const sizes = createLru<string, number>(MAX_SIZES);
  const costOf = ({ text }: Outgoing, conversation: string, unknown: number) =>
    text.length + OVERHEAD + MEMBER * (sizes.get(conversation) ?? unknown);
  const costInBatch = ({ outgoing, conversation }: Waiting) => costOf(outgoing, conversation, UNKNOWN.inBatch);
  const takeBatch = (): Waiting[] => {
    const batch = held.take(BATCH, costInBatch);
    for (let count = 0, cost = 0; count < BATCH.count && cost < BATCH.cost; count++) {
      const waiting = queue.take();
      if (waiting === undefined) break;
      cost += costInBatch(waiting);
      if (held.has(waiting.conversation)) held.add(waiting);
      else batch.push(waiting);
    }
    return batch;
  };

  const run = async (): Promise<void> => {
    // What arrived in one packet should not be split into a batch of one and the rest.
    await new Promise(setImmediate);
    while (queue.size > 0 || held.size > 0) {
      const lock = held.size > 0 ? 'skip' : 'wait';
      const batch = takeBatch();
      const busy = await settle(batch, lock);
      held.putBack(busy.filter((waiting) => !giveUp(waiting)));
      if (busy.length === batch.length && queue.size === 0) await pause();
    }
    running = undefined;
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      endPause = resolve;
      setTimeout(resolve, BUSY_MS);
    });
  const giveUp = ({ since, reject }: Waiting): boolean => {
    if (platform.elapsed() - since < MAX_BUSY_MS) return false;
    reject(new RequestError('UNAVAILABLE', {}, { limit: 'relay' }));
    return true;
  };
  const commit = async (batch: readonly Outgoing[], lock: 'wait' | 'skip'): Promise<BatchResult> => {
    if (expectedRetries > 0) expectedRetries--;
    for (let attempt = 1; ; attempt++) {
      try {
        return await commitBatch(platform, batch, { everyRetry: expectedRetries > 0, lock });
      } catch (error) {
        const code = sqlState(error);
        const isRetry = code === UNIQUE_VIOLATION && expectedRetries === 0;
        if (isRetry) expectedRetries = RETRY_BATCHES;
        else if (code === LOCK_NOT_AVAILABLE && lock === 'wait') lock = 'skip';
        else if (!isTransient(code) || attempt === ATTEMPTS) throw error;
        else platform.log.warn({ sqlstate: code, attempt }, 'relay: the batch is tried again');
      }
    }
  };
  /** Returns those whose conversations are busy. */
  const settle = async (batch: readonly Waiting[], lock: 'wait' | 'skip'): Promise<readonly Waiting[]> => {
    let result: BatchResult;
    try {
      result = await commit(
        batch.map(({ outgoing }) => outgoing),
        lock,
      );
    } catch (error) {
      // A message that the database refuses must not fail the others with it.
      if (isAboutData(error) && batch.length > 1) return settleEach(batch, lock);
      for (const { reject } of batch) reject(toRequestError(error));
      return [];
    }
    const busy = batch.filter(({ resolve, reject }, index) => {
      const ack = result.results[index]!;
      if (ack === 'busy') return true;
      if (ack instanceof RequestError) reject(ack);
      else resolve(ack);
      return false;
    });
    for (const [id, size] of result.sizes) sizes.set(id, size);
    announce(result);
    return busy;
  };
  const settleEach = async (batch: readonly Waiting[], lock: 'wait' | 'skip'): Promise<readonly Waiting[]> => {
    const busy: Waiting[] = [];
    for (const waiting of batch) {
      // What comes behind a message that waits must not overtake it.
      const isBehind = busy.some(({ conversation }) => conversation === waiting.conversation);
      busy.push(...(isBehind ? [waiting] : await settle([waiting], lock)));
    }
    return busy;
  };

  /** What is held counts as waiting. */
  const admit = (account: string): 'account_full' | 'full' | undefined => {
    if (held.size === 0) return undefined;
    const { count, cost } = held.of(account);
    const { maxOfOne } = LIMITS;
    if (count + queue.count(account) >= maxOfOne.count || cost >= maxOfOne.cost) return 'account_full';
    const isFull = held.size + queue.size >= LIMITS.max.count || held.cost + queue.cost >= LIMITS.max.cost;
    return isFull ? 'full' : undefined;
  };

  return {
    add: (outgoing) => {
      const { account } = outgoing;
      const { promise, resolve, reject } = createDeferred<Ack>();
      const { conversation_id: conversation } = outgoing.envelope.header;
      const cost = costOf(outgoing, conversation, UNKNOWN.inTurn);
      const waiting = { account, conversation, cost, outgoing, since: platform.elapsed(), resolve, reject };
      const admission = admit(account) ?? queue.add(account, waiting, cost);
      if (admission === 'account_full') throw rateLimited(1, 'relay_share');
      if (admission === 'full') throw new RequestError('UNAVAILABLE', {}, { limit: 'relay' });
      running ??= run();
      endPause();
      return promise;
    },
    idle: async () => {
      await running;
    },
  };
}

function sqlState(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Deadlocks and serialisation failures succeed when they are tried again. */
const isTransient = (code: string) => code.startsWith('40');

/** Classes 22 and 23 of SQLSTATE: a value that does not fit. */
function isAboutData(error: unknown): boolean {
  return /^2[23][0-9A-Z]{3}$/.test(sqlState(error));
}

/** Whether it was stored is unknown: a retry with the same client_message_id finds out. */
function toRequestError(error: unknown): RequestError {
  return error instanceof RequestError ? error : new RequestError('UNAVAILABLE', {}, { cause: error });
}
