import { describe, type Model } from './moves.ts';
import type { State, View } from './state.ts';
import type { LedgerNode, ListNode, Statements } from './statements.ts';
import { idOf, makerOf } from './symbols.ts';

type Ledgers = readonly (LedgerNode | undefined)[];

export interface Found {
  readonly invariant?: string;
  /** A recovery that did not know of it has put another list in the place of one with a revocation. */
  readonly isUndone: boolean;
}

/** What can be shown to anyone, and the keys that a thief has. */
export interface World {
  readonly lists: ReadonlySet<ListNode>;
  /** Of those, what exists. */
  readonly honest: readonly ListNode[];
  readonly ledgers: Ledgers;
  readonly keys: ReadonlySet<string>;
}

export const NO_WORLD: World = { lists: new Set(), honest: [], ledgers: [], keys: new Set() };

/**
 * Finds the first invariant that does not hold for anyone who follows the list. A reader signs nothing, so when it was
 * shown what makes no difference to others; and what it believes next follows from the list that it saw last and from
 * whether it stopped. So all readers are covered by all pairs of lists: one that was seen, one that is shown.
 */
export class Invariants {
  private readonly model: Model;
  /** What was found right once is right in every state. */
  private readonly agreed = new Map<number, Set<number>>();
  private readonly checked = new Map<number, Set<number>>();

  constructor(model: Model) {
    this.model = model;
  }

  /** All that can be shown to anyone. */
  worldOf(state: State): World {
    const { server, statements } = this.model;
    const { lists, evil } = server.offerable(state);
    // N signs once and last: nobody else signs anything after it, because nobody else is in the list that it recovers.
    const others = [...evil, ...this.model.letIn(lists)];
    const all = new Set([...lists, ...others]);
    return { lists: all, honest: lists, ledgers: statements.ledgersWith(state.ledger[0]), keys: server.keysOfT(lists) };
  }

  /** Looks at what is new since `before`, beside all that is there: the rest was looked at then. */
  find(state: State, before: World): Found {
    const world = this.worldOf(state);
    const lists = [...world.lists];
    const newLists = lists.filter((node) => !before.lists.has(node));
    const honest = new Set(world.honest);
    const newHonest = newLists.filter((node) => honest.has(node));
    const newLedgers = before.ledgers === world.ledgers ? [] : world.ledgers;
    const { foreign } = this.model.server;
    for (const seen of lists) {
      const isNew = !before.lists.has(seen);
      const isHonest = honest.has(seen);
      // One of the two exists already: what a thief, or N, puts behind both would only repeat it.
      const shown = isHonest ? (isNew ? lists : newLists) : isNew ? world.honest : newHonest;
      const invariant =
        this.findShown(seen, shown) ??
        (isNew ? (this.findShown(seen, foreign) ?? this.findSigner(seen, world.keys)) : undefined) ??
        this.findGrants(seen, isNew ? world.ledgers : newLedgers);
      if (invariant !== undefined) return { invariant, isUndone: false };
    }
    const invariant = this.findWelcome(state, newLists) ?? this.findWelcome(state, foreign);
    return invariant === undefined ? this.findLost(state, world) : { invariant, isUndone: false };
  }

  /** (c) of one who has seen a list, and is shown each of the others. */
  private findShown(seen: ListNode, shown: readonly ListNode[]): string | undefined {
    const agreed = setOf(this.agreed, seen.id);
    for (const node of shown) {
      if (agreed.has(node.id)) continue;
      agreed.add(node.id);
      for (const isForked of [false, true]) {
        const view = { node: seen.id, isForked };
        const [next, expected] = [this.model.server.judge(view, node), expectedView(this.model.statements, view, node)];
        if (next.node === expected.node && next.isForked === expected.isForked) continue;
        return `(c) after ${describe(seen)}${isForked ? ' and a stop' : ''}, ${describe(node)} is shown, and believed or not`;
      }
    }
    return undefined;
  }

  /** (b) and (d): who signed the list. */
  private findSigner(node: ListNode, keys: ReadonlySet<string>): string | undefined {
    const { server, statements, rules } = this.model;
    const isForeign = node.root !== statements.first;
    if (isForeign || (node.statement.action === 'recover' && rules.believesAfterRecovery)) {
      return '(d) N follows a list that the account did not begin';
    }
    if (server.forgeries(node, keys).length > 0) return '(b) a key signs what it may not';
    return findGhost(statements, node, keys);
  }

  private findGrants(node: ListNode, ledgers: Ledgers): string | undefined {
    const checked = setOf(this.checked, node.id);
    for (const ledger of ledgers) {
      const id = ledger?.id ?? -1;
      if (checked.has(id)) continue;
      checked.add(id);
      const invariant = this.findGrant(node, ledger) ?? this.findRevivedIn(node, ledger);
      if (invariant !== undefined) return invariant;
    }
    return undefined;
  }

  /** (e) Nothing is granted but what honest devices signed, and what T signed while it was listed for one of them. */
  private findGrant(node: ListNode, ledger: LedgerNode | undefined): string | undefined {
    const { statements, readLedger } = this.model;
    const forged = statements.addEntry(ledger, 'A', 'forged');
    if (readLedger(node, forged).scopes.has('forged')) return '(e) grants what nobody signed';
    if (ledger === undefined || !readLedger(node, ledger).scopes.has('evil')) return undefined;
    const path = [...node.path].map((id) => statements.lists[id]!);
    if (node.list!.devices.has(idOf('T')) || path.some(({ isHonest }) => !isHonest)) return undefined;
    const evil = [...ledger.path].filter((id) => statements.ledgers[id]!.kind === 'evil');
    const isVouched = evil.some((id) => path.some(({ named }) => named?.path.has(id)));
    return isVouched ? undefined : '(e) grants what a thief signed, and nobody honest has vouched for';
  }

  private findRevivedIn(node: ListNode, ledger: LedgerNode | undefined): string | undefined {
    for (const id of this.model.revocationsIn(node)) {
      const revived = this.findRevived(this.model.statements.lists[id]!, node, ledger);
      if (revived !== undefined) return revived;
    }
    return undefined;
  }

  /** (a) T is gone, and what it signed beyond what the revocation names does not count. */
  private findRevived(revocation: ListNode, node: ListNode, ledger: LedgerNode | undefined): string | undefined {
    if (node.list!.devices.has(idOf('T'))) return '(a) seals for T after its revocation';
    const isLate = this.model.readLedger(node, ledger).byT.some((id) => !revocation.named?.path.has(id));
    return isLate ? '(a) counts what T signed beyond its revocation' : undefined;
  }

  /** (d) N is ready with a list that the device which let it in really had. */
  private findWelcome({ welcomes }: State, lists: readonly ListNode[]): string | undefined {
    const { pairing } = this.model;
    const isForged = (node: ListNode) => !welcomes.includes(node.id) && pairing.opens(node, { knowsCode: false });
    return lists.some(isForged) ? '(d) N opens a welcome that no device has sealed' : undefined;
  }

  /**
   * (a) A revocation that was accepted is left behind for a recovery alone, as (c) says. If whoever recovered followed it,
   * it goes on to hold; if not, the recovery key has the last word (EE-17): then it is undone, which is counted.
   */
  private findLost({ knew }: State, { lists, ledgers }: World): Found {
    let isUndone = false;
    for (const revocation of lists) {
      if (!this.model.endsT(revocation)) continue;
      for (const node of lists) {
        if (node.list!.recoveries <= revocation.list!.recoveries || node.path.has(revocation.id)) continue;
        const revived = this.findRevivedBy(revocation, node, ledgers);
        if (revived === undefined) continue;
        const isKnown = knew.length > 0 && [...node.path].some((id) => knew.includes(`${id}/${revocation.id}`));
        if (isKnown) return { invariant: revived, isUndone };
        isUndone = true;
      }
    }
    return { isUndone };
  }

  private findRevivedBy(revocation: ListNode, node: ListNode, ledgers: Ledgers): string | undefined {
    for (const ledger of ledgers) {
      const revived = this.findRevived(revocation, node, ledger);
      if (revived !== undefined) return revived;
    }
    return undefined;
  }
}

function setOf(sets: Map<number, Set<number>>, id: number): Set<number> {
  let set = sets.get(id);
  if (set === undefined) {
    set = new Set();
    sets.set(id, set);
  }
  return set;
}

/** Said by the tree that the statements are, and not by comparing lists. */
function expectedView({ lists }: Statements, view: View, offered: ListNode): View {
  const seen = lists[view.node]!;
  if (offered.root !== seen.root) return view;
  const ahead = offered.list!.recoveries - seen.list!.recoveries;
  if (ahead > 0) return { node: offered.id, isForked: false };
  if (view.isForked || seen.path.has(offered.id) || ahead < 0) return view;
  return offered.path.has(seen.id) ? { node: offered.id, isForked: false } : { node: seen.id, isForked: true };
}

/** (b) What a thief signed it signed with a key that T had as a keeper, and before T was gone; or with a key made so. */
function findGhost({ lists }: Statements, node: ListNode, keys: ReadonlySet<string>): string | undefined {
  for (const id of node.path) {
    const { isHonest, parent, statement } = lists[id]!;
    if (isHonest) {
      const isGhost = statement.action === 'add' && statement.device.device_id === idOf('G');
      if (isGhost) return '(b) an honest device lets a ghost in';
      continue;
    }
    const key = parent?.list?.accountKey ?? '';
    const isKeeper = keys.has(key) && parent?.list?.devices.has(idOf('T')) === true;
    if (!isKeeper && makerOf(key) !== 'E') return '(b) a ghost is listed, although T was no keeper';
  }
  return undefined;
}
