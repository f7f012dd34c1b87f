import {
  type Added,
  CANCELLED,
  type Execution,
  type ExecutionResult,
  type ExecutionStore,
  type Executions,
  isOver,
  type NewExecution,
  type RunExecution,
  STOPPING,
} from './execution.ts';
import { WakeUps } from './wake-ups.ts';

export interface MemoryStoreOptions {
  /** How many run at a time: 8 by default. */
  readonly concurrency?: number;
  /** How many are kept, ended ones included: 10,000 by default. */
  readonly maxKept?: number;
  /** How long one that has ended is kept: an hour by default. */
  readonly keepMs?: number;
}

const GRACE_MS = 5_000;
const PRUNE_MS = 1_000;

/** For a toy or a test: what is in it is gone when the process is. */
export function createMemoryStore(options: MemoryStoreOptions = {}): ExecutionStore {
  return { open: async (_skillId, run) => new MemoryExecutions(run, options) };
}

interface Kept {
  execution: Execution;
  readonly digest: string;
  readonly key?: string;
  endedAt?: number;
}

class MemoryExecutions implements Executions {
  readonly #run: RunExecution;
  readonly #options: Required<MemoryStoreOptions>;
  readonly #kept = new Map<string, Kept>();
  readonly #byKey = new Map<string, string>();
  readonly #queue: string[] = [];
  readonly #running = new Map<string, AbortController>();
  readonly #wakeUps = new WakeUps();
  #closed = false;
  #nextPrune = 0;

  constructor(run: RunExecution, { concurrency = 8, maxKept = 10_000, keepMs = 3_600_000 }: MemoryStoreOptions) {
    this.#run = run;
    this.#options = { concurrency, maxKept, keepMs };
  }

  async add({ key, digest, ...execution }: NewExecution): Promise<Added> {
    const name = key === undefined ? undefined : JSON.stringify([execution.callerId, key]);
    const known = name === undefined ? undefined : this.#kept.get(this.#byKey.get(name) ?? '');
    if (known !== undefined) {
      return known.digest === digest ? { state: 'known', id: known.execution.id } : { state: 'key_reused' };
    }
    this.#prune();
    if (this.#kept.size >= this.#options.maxKept) return { state: 'full' };
    this.#kept.set(execution.id, {
      execution: { ...execution, status: 'accepted', attempt: 0 },
      digest,
      ...(name === undefined ? {} : { key: name }),
    });
    if (name !== undefined) this.#byKey.set(name, execution.id);
    this.#queue.push(execution.id);
    queueMicrotask(() => this.#next());
    return { state: 'added', id: execution.id };
  }

  async find(id: string, callerId: string): Promise<Execution | undefined> {
    this.#prune();
    const execution = this.#kept.get(id)?.execution;
    return execution?.callerId === callerId ? execution : undefined;
  }

  async settle(id: string, result: ExecutionResult): Promise<void> {
    const kept = this.#kept.get(id);
    if (kept === undefined || isOver(kept.execution)) return;
    kept.execution = { ...kept.execution, ...result };
    kept.endedAt = Date.now();
    if (result.status === 'cancelled') this.#running.get(id)?.abort(CANCELLED);
    this.#wakeUps.notify(id);
  }

  async ended(id: string, ms: number): Promise<void> {
    const kept = this.#kept.get(id);
    if (kept !== undefined && !isOver(kept.execution)) await this.#wakeUps.wait(id, ms);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const end = Date.now() + GRACE_MS;
    for (const id of this.#running.keys()) await this.ended(id, Math.max(0, end - Date.now()));
    for (const controller of this.#running.values()) controller.abort(STOPPING);
  }

  #next(): void {
    while (!this.#closed && this.#running.size < this.#options.concurrency) {
      const id = this.#queue.shift();
      if (id === undefined) return;
      const kept = this.#kept.get(id);
      if (kept === undefined || isOver(kept.execution)) continue;
      void this.#execute(kept);
    }
  }

  async #execute(kept: Kept): Promise<void> {
    const controller = new AbortController();
    kept.execution = { ...kept.execution, status: 'running', attempt: 1 };
    const { execution } = kept;
    this.#running.set(execution.id, controller);
    const result = await this.#run(execution, {
      signal: controller.signal,
      report: ({ fraction, message }) => {
        if (isOver(kept.execution)) return;
        kept.execution = { ...kept.execution, progress: fraction, ...(message === undefined ? {} : { message }) };
      },
    });
    await this.settle(execution.id, result);
    this.#running.delete(execution.id);
    this.#next();
  }

  #prune(): void {
    const now = Date.now();
    if (now < this.#nextPrune) return;
    this.#nextPrune = now + PRUNE_MS;
    for (const [id, { endedAt, key }] of this.#kept) {
      if (endedAt === undefined || endedAt > now - this.#options.keepMs) continue;
      this.#kept.delete(id);
      if (key !== undefined) this.#byKey.delete(key);
    }
  }
}
