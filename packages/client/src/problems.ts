import { createObservable, type Readable } from '@parley/base';
import type { Head } from '@parley/protocol';
import type { ManifestProblem } from './agents/manifests.ts';

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
  /**
   * The server shows another manifest than it announced, or an older one than before; or it does not know one any more
   * that it had announced, which was given up (EE-24).
   */
  | { readonly kind: 'manifest'; readonly agentId: string; readonly problem: ManifestProblem }
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
  /** EE-25: by how much the clock of this device is ahead of the server's. Nothing old is removed until they agree. */
  | { readonly kind: 'clock'; readonly byMs: number }
  /**
   * EE-23: another device of the account, by its name, was shown something that the server does not show here. What hangs on
   * it is not used: the grants of a relation (`ledger`) or an agent (`manifest`), all grants (`devices` of the own
   * account), messages to a person (`devices`) or a `group`. It goes by itself when it is shown.
   */
  | {
      readonly kind: 'withheld';
      readonly subject: Head['kind'];
      readonly id: string;
      readonly device: string;
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
  /** Since when it is no longer so (EE-24). It stays in the list: what happened should be seen. */
  readonly over?: string;
}

export interface Problems extends Readable<readonly NotedProblem[]> {
  dismiss(id: number): void;
}

/** Beyond this number, the oldest are dropped. */
const MAX = 100;

export interface OpenProblems extends Problems {
  /** False if the same problem was noted before. */
  note(problem: ClientProblem): boolean;
  /** The server is honest again about these; they are no longer so. */
  end(fits: (problem: ClientProblem) => boolean): void;
  /** The person has dealt with these. */
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
      const same = problem.kind === 'error' ? undefined : held.find((noted) => isSame(noted.problem, problem));
      if (same !== undefined && same.over === undefined) return false;
      // What comes back takes the place of its last time: a server that goes to and fro must not push out the others.
      const others = held.filter((noted) => noted !== same);
      list.set([...others.slice(1 - MAX), { id: ++count, at: now().toISOString(), problem }]);
      return true;
    },
    end(fits) {
      const held = list.getSnapshot();
      const isEnding = ({ over, problem }: NotedProblem) => over === undefined && fits(problem);
      if (!held.some(isEnding)) return;
      const over = now().toISOString();
      list.set(held.map((noted) => (isEnding(noted) ? { ...noted, over } : noted)));
    },
    clear: (fits) => list.set(list.getSnapshot().filter((noted) => !fits(noted.problem))),
  };
}

/** A clock that differs by another day is still the same problem. */
function isSame(a: ClientProblem, b: ClientProblem): boolean {
  return a.kind === 'clock' ? b.kind === 'clock' : JSON.stringify(a) === JSON.stringify(b);
}
