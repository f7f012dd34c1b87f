import { createObservable, type Readable } from '@parley/base';

/** Something that a person should look at. */
export type ClientProblem =
  /** EE-9: tool calls of the agent, or messages to the person, wait until the new key is confirmed. */
  | {
      readonly kind: 'identity_changed';
      readonly party: { readonly kind: 'account' | 'agent'; readonly id: string };
      readonly known: string;
      readonly offered: string;
    }
  /** EE-7: everything granted to the agent waits for re-authorisation. */
  | { readonly kind: 'weaker_mode'; readonly agentId: string }
  /** The server shows another manifest than it announced, or an older one than before. */
  | { readonly kind: 'manifest'; readonly agentId: string; readonly problem: 'forged' | 'rolled_back' }
  /** RL-10: the chain of grants does not verify, or became shorter. */
  | { readonly kind: 'ledger'; readonly relationId: string; readonly problem: string }
  /**
   * EE-18: of the own account, or another person's: the server shows less of the device list than before, or one that
   * does not verify; or there are two versions of it, both signed.
   */
  | { readonly kind: 'device_list'; readonly accountId: string; readonly problem: 'forked' | 'shortened' | 'invalid' }
  /** EE-15: a row of the server contradicts what was signed. It was refused. */
  | { readonly kind: 'row'; readonly subject: 'relation' | 'conversation'; readonly id: string }
  /** EE-20: the server names members of a group whom nobody signed. They get no key. */
  | {
      readonly kind: 'members';
      readonly conversationId: string;
      readonly strangers: readonly { readonly kind: 'human' | 'agent'; readonly id: string }[];
    }
  /** A message could not be opened; what it said is lost. */
  | { readonly kind: 'undecryptable'; readonly conversationId: string; readonly reason: string }
  /** Messages that the server does not keep any more. */
  | { readonly kind: 'gone'; readonly conversationId: string }
  | { readonly kind: 'error'; readonly error: unknown };

export interface NotedProblem {
  readonly id: number;
  readonly at: string;
  readonly problem: ClientProblem;
}

export interface Problems extends Readable<readonly NotedProblem[]> {
  dismiss(id: number): void;
}

/** Beyond this number, the oldest are dropped. */
const MAX = 100;

export interface OpenProblems extends Problems {
  /** False if the same problem was noted before. */
  note(problem: ClientProblem): boolean;
  clear(fits: (problem: ClientProblem) => boolean): void;
}

export function createProblems(now: () => Date): OpenProblems {
  const list = createObservable<readonly NotedProblem[]>([]);
  let count = 0;
  return {
    getSnapshot: list.getSnapshot,
    subscribe: list.subscribe,
    dismiss: (id) => list.set(list.getSnapshot().filter((noted) => noted.id !== id)),
    note(problem) {
      const held = list.getSnapshot();
      // The same finding may come with every sync; it is noted once.
      if (problem.kind !== 'error' && held.some((noted) => isSame(noted.problem, problem))) return false;
      list.set([...held.slice(1 - MAX), { id: ++count, at: now().toISOString(), problem }]);
      return true;
    },
    clear: (fits) => list.set(list.getSnapshot().filter((noted) => !fits(noted.problem))),
  };
}

const isSame = (a: ClientProblem, b: ClientProblem) => JSON.stringify(a) === JSON.stringify(b);
