import type { ListNode, Statements } from './statements.ts';

/** The honest devices whose views matter to what they sign. */
export const SIGNERS = ['A', 'B'] as const;
export type Signer = (typeof SIGNERS)[number];

/** Everything that makes a difference later. Statements are named by their numbers; lists of numbers are sorted. */
export interface State {
  /** Statements of the list that honest devices have signed, and the entries of the ledger. The server has them all. */
  readonly list: readonly number[];
  readonly ledger: readonly number[];
  /** What each has accepted last. */
  readonly views: Readonly<Record<Signer, View>>;
  /** Signed, and the server has not shown it to its own maker: nothing else is signed in its place. */
  readonly pending: Readonly<Record<Signer, number>>;
  /** Lists that welcomes for N were sealed with. */
  readonly welcomes: readonly number[];
  /** For recoveries that left revocations of T behind which their maker followed: `recovery/revocation`. */
  readonly knew: readonly string[];
}

export interface View {
  readonly node: number;
  readonly isForked: boolean;
}

export const NONE = -1;

export function initialState({ start }: Statements): State {
  const view = { node: start.id, isForked: false };
  return {
    list: [start.id],
    ledger: [],
    views: { A: view, B: view },
    pending: { A: NONE, B: NONE },
    welcomes: [],
    knew: [],
  };
}

const viewText = ({ node, isForked }: View) => `${node}${isForked ? '!' : ''}`;

/** What exists: the part of a state that readers can be shown. */
export function poolOf({ list, ledger, welcomes, knew }: State): string {
  return `${list}|${ledger}|${welcomes}|${knew}`;
}

/** Equal for states that nothing can tell apart. */
export function keyOf(state: State): string {
  const { views, pending } = state;
  return `${poolOf(state)}|${viewText(views.A)} ${viewText(views.B)}|${pending.A} ${pending.B}`;
}

export function withNumber(numbers: readonly number[], added: number): readonly number[] {
  return numbers.includes(added) ? numbers : [...numbers, added].sort((a, b) => a - b);
}

/** All lists that honest devices have made or accepted, and their beginnings: what an adversary can build on. */
export function knownLists(statements: Statements, { list, views }: State): readonly ListNode[] {
  const ids = new Set<number>();
  for (const tip of [...list, views.A.node, views.B.node]) for (const id of statements.lists[tip]!.path) ids.add(id);
  return [...ids].map((id) => statements.lists[id]!);
}
