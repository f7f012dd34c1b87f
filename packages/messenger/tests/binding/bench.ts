import { nodeCrypto as crypto } from '@parley/e2ee/node';
import type { RouteContract } from '@parley/protocol';
import type { Api } from '../../src/api/api.ts';
import { ApiError } from '../../src/api/api-error.ts';
import { createServerClock } from '../../src/api/server-clock.ts';
import { createHeldEntries } from '../../src/binding/held-entries.ts';
import { createPins } from '../../src/binding/pins.ts';
import { createMemoryStore } from '../../src/stores/memory.ts';
import { createWriteBuffer } from '../../src/stores/write-buffer.ts';
import type { Problem } from '../../src/types.ts';

interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly after: number;
}
export type Answer = (request: Request) => unknown;

export const notFound = () => new ApiError({ status: 404, code: 'NOT_FOUND', message: 'No such thing.' });

const nextTurn = (ring: () => void) => {
  setImmediate(ring);
  return () => {};
};

/** What binding works with: a disk, and a server that answers each route as the test says. */
export class Bench {
  readonly disk: Map<string, string>;
  readonly problems: Problem[] = [];
  /** What is no longer so (EE-24). */
  readonly overs: Problem[] = [];
  readonly asked: RouteContract[] = [];
  readonly routes = new Map<RouteContract, Answer>();
  readonly deps;
  readonly saved: () => Promise<void>;

  constructor(disk = new Map<string, string>()) {
    this.disk = disk;
    const store = createMemoryStore(disk);
    const writeBuffer = createWriteBuffer({ store, setTimer: () => () => {}, onBroken: () => {} });
    const held = createHeldEntries({ store, writeBuffer, setTimer: nextTurn });
    const call = (async (contract: RouteContract, input: { params?: object; query?: { after?: string } } = {}) => {
      this.asked.push(contract);
      const answer = this.routes.get(contract);
      if (answer === undefined) throw notFound();
      return answer({ params: { ...input.params }, after: Number(input.query?.after ?? 0) });
    }) as Api['call'];
    const api: Api = {
      baseUrl: 'http://parley.test',
      token: async () => 'token',
      call,
      clock: createServerClock(() => new Date()),
    };
    this.deps = {
      api,
      crypto,
      store,
      writeBuffer,
      pins: createPins(held),
      held,
      report: (problem: Problem) => void (problem.kind === 'over' ? this.overs : this.problems).push(problem),
    };
    this.saved = writeBuffer.saved;
  }

  serve(contract: RouteContract, answer: Answer): this {
    this.routes.set(contract, answer);
    return this;
  }

  /** The same device after a restart, before the same server. */
  async restart(): Promise<Bench> {
    await this.saved();
    const next = new Bench(this.disk);
    for (const [contract, answer] of this.routes) next.serve(contract, answer);
    return next;
  }
}
