import type { Rules } from './rules.ts';
import { knownLists, type State, type View } from './state.ts';
import {
  addOf,
  foreignLists,
  type ListChange,
  type ListNode,
  nameLedger,
  revocation,
  type Statements,
} from './statements.ts';
import { accountKey, EVIL_KEY, EVIL_RECOVERY_KEY, identityOf, idOf, listed } from './symbols.ts';

/** Which key may sign does not depend on how long a list is. */
const MAX_FORGED = 3;

/** What there is to be shown, and what those believe to whom it is shown. */
export class Server {
  /** Lists that the adversary made from nothing. */
  readonly foreign: readonly ListNode[];
  private readonly rules: Rules;
  private readonly statements: Statements;
  private readonly verdicts = new Map<number, View | null>();
  private readonly evil = new Map<number, readonly ListNode[]>();
  private readonly forged = new Map<string, readonly ListNode[]>();

  constructor(rules: Rules, statements: Statements) {
    this.rules = rules;
    this.statements = statements;
    this.foreign = foreignLists(statements).filter(({ list }) => list !== undefined);
  }

  /** What exists, and what a thief can put behind it. */
  offerable(state: State): { readonly lists: readonly ListNode[]; readonly evil: readonly ListNode[] } {
    const lists = knownLists(this.statements, state);
    const keys = this.keysOfT(lists);
    const evil = lists.flatMap((node) => (keys.has(node.list!.accountKey) ? this.evilSuccessors(node) : []));
    return { lists, evil };
  }

  /** The account keys that keepers have given to T. It keeps them, whatever happens later. */
  keysOfT(lists: readonly ListNode[]): ReadonlySet<string> {
    const keys = new Set<string>();
    for (const { list, isHonest } of lists) if (isHonest && list!.boxes.has(idOf('T'))) keys.add(list!.accountKey);
    return keys;
  }

  /** What a thief signs with an account key: a ghost, a key of its own, the end of an honest device. */
  private evilSuccessors(node: ListNode): readonly ListNode[] {
    const known = this.evil.get(node.id);
    if (known !== undefined) return known;
    const { head, list, path } = node;
    // One is enough to have a ghost, a key or a fork.
    if ([...path].some((id) => !this.statements.lists[id]!.isHonest)) return [];
    const by = { key: list!.accountKey, isHonest: false };
    const changes: ListChange[] = [{ action: 'rotate', rotation: { account_key: accountKey('E', head), boxes: [] } }];
    if (!list!.devices.has(idOf('G'))) changes.push(addOf('G'));
    if (list!.devices.get(idOf('A'))?.keeper) changes.push(revocation(node, 'A', { by: 'E', named: undefined }));
    const made = changes.map((change) => this.statements.extend(node, change, by));
    const valid = made.filter((one) => one.list !== undefined);
    this.evil.set(node.id, valid);
    return valid;
  }

  /** What anyone can try with keys that are not the right ones: only what is taken for right. */
  forgeries(node: ListNode, keys: ReadonlySet<string>): readonly ListNode[] {
    if (node.statements.length > MAX_FORGED) return [];
    const others = [...keys].filter((key) => key !== node.list!.accountKey);
    const name = `${node.id} ${others.length} ${keys.size}`;
    const known = this.forged.get(name);
    if (known !== undefined) return known;
    const rotation = { account_key: accountKey('E', 'forged'), boxes: [] };
    const names = nameLedger(undefined, node.head);
    const recovery = { action: 'recover' as const, devices: [listed('G', true)], rotation, ...names };
    const made = [
      ...[EVIL_KEY, identityOf('T'), ...others].map((key) => [addOf('G'), key] as const),
      ...[EVIL_RECOVERY_KEY, ...keys].map((key) => [recovery, key] as const),
    ].map(([change, key]) => this.statements.extend(node, change, { key, isHonest: false }));
    const valid = made.filter((one) => one.list !== undefined);
    this.forged.set(name, valid);
    return valid;
  }

  /** Every view that a device can be brought to, in few steps: one for each list, and one more if a thief has to sign. */
  reach(
    from: View,
    { lists, ghosts, atMost }: { lists: readonly ListNode[]; ghosts: readonly ListNode[]; atMost: number },
  ): readonly Reached[] {
    const levels: Reached[][] = [[{ view: from, path: [], cost: 0 }], ...Array.from({ length: atMost }, () => [])];
    const known = new Set<number>();
    for (const [cost, level] of levels.entries()) {
      for (const { view, path } of level) {
        const name = nameOf(view);
        if (known.has(name)) continue;
        known.add(name);
        for (const [nodes, steps] of [
          [lists, 1],
          [ghosts, 2],
        ] as const) {
          if (cost + steps > atMost) continue;
          for (const node of nodes) {
            const next = this.judge(view, node);
            if (!known.has(nameOf(next)))
              levels[cost + steps]!.push({ view: next, path: [...path, node], cost: cost + steps });
          }
        }
      }
    }
    const seen = new Set<number>();
    return levels.flat().filter(({ view }) => !seen.has(nameOf(view)) && seen.add(nameOf(view)));
  }

  /** What one believes who was shown a list: the same view where nothing changes. */
  judge(view: View, offered: ListNode): View {
    const key = pairKey(view, offered);
    const known = this.verdicts.get(key);
    if (known !== undefined) return known ?? view;
    const { statements, list } = this.statements.lists[view.node]!;
    const seen = { statements, list: list!, forked: view.isForked };
    const after = this.rules.judgeList({ seen }, { statements: offered.statements, list: offered.list! }).seen!;
    const node = after.list.head === list!.head ? view.node : offered.id;
    const isSame = node === view.node && after.forked === view.isForked;
    this.verdicts.set(key, isSame ? null : { node, isForked: after.forked });
    return isSame ? view : { node, isForked: after.forked };
  }
}

interface Reached {
  readonly view: View;
  /** What it was shown. */
  readonly path: readonly ListNode[];
  readonly cost: number;
}

const nameOf = ({ node, isForked }: View) => node * 2 + (isForked ? 1 : 0);

const pairKey = ({ node, isForked }: View, { id }: ListNode) => nameOf({ node, isForked }) * 1_048_576 + id;
