import type { DeviceList, ListedDevice } from '@parley/protocol';
import { createLedgerReader } from './ledger-reader.ts';
import { createPairing } from './pairing.ts';
import type { Rules } from './rules.ts';
import { Server } from './server.ts';
import { NONE, SIGNERS, type Signer, type State, type View, withNumber } from './state.ts';
import { addOf, boxFor, type LedgerNode, type ListNode, nameLedger, revocation, Statements } from './statements.ts';
import { accountKey, type Device, idOf, listed, makerOf, RECOVERY_KEY } from './symbols.ts';

/** How often honest devices say what, on all branches together. The first `keep` has made B a keeper. */
const CAPS = { add: 1, keep: 2, rotate: 1, revoke: 2 } as const;

type Ledgers = readonly (LedgerNode | undefined)[];

export interface Menu {
  /** How often A and B may recover. N does so at most once, and last. */
  readonly recoveries: number;
  /** Do they only when their list is forked, as the product asks for it, or at any time? */
  readonly settles: 'forked' | 'always';
}

export interface Move {
  readonly label: () => string;
  readonly state: State;
  /** How many steps it takes: what a thief signed for it, what the device was shown, what it signs, and its loss. */
  readonly cost: number;
}

type Signed = Omit<Move, 'cost'> & { readonly cost?: number };

/** Who can do what, with the rules that are given. */
export class Model {
  readonly rules: Rules;
  private readonly menu: Menu;
  readonly statements: Statements;
  readonly server: Server;
  readonly readLedger: ReturnType<typeof createLedgerReader>;
  readonly pairing: ReturnType<typeof createPairing>;

  constructor(rules: Rules, menu: Menu) {
    this.rules = rules;
    this.menu = menu;
    this.statements = new Statements(rules);
    this.server = new Server(rules, this.statements);
    this.readLedger = createLedgerReader(rules);
    this.pairing = createPairing(rules);
  }

  node({ node }: View): ListNode {
    return this.statements.lists[node]!;
  }

  /**
   * Everything that a device can sign next, after it was shown whatever lists there are. Only then does it matter what
   * it was shown.
   */
  *moves(state: State, budget: number): Generator<Move> {
    const { lists, evil } = this.server.offerable(state);
    const ledgers = this.statements.ledgersWith(state.ledger[0]);
    // Of what a thief signs, a ghost is enough: after its other statements a device can sign nothing.
    const ghosts = evil.filter(({ statement }) => statement.action === 'add');
    // An entry is one step, wherever B is by then: it only goes on with one of the ledgers that there are.
    yield* this.signEntry(state, ledgers);
    for (const device of SIGNERS) {
      for (const { view, path, cost } of this.server.reach(state.views[device], {
        lists,
        ghosts,
        atMost: budget - 1,
      })) {
        const node = this.node(view);
        const before = this.see(state, device, view);
        const signed = [
          ...this.settle(before, device, { lists: [...lists, ...ghosts], ledgers }),
          ...(view.isForked ? [] : this.sign(before, device, { node, ledgers })),
        ];
        for (const move of signed) {
          const label = () =>
            `${path.length === 0 ? '' : `${device} is shown ${path.map(describe).join(', ')}; `}${move.label()}`;
          yield { ...move, label, cost: cost + (move.cost ?? 1) };
        }
      }
    }
  }

  // --- honest devices ---

  /** A makes T a keeper, rotates and lets N in; both revoke. The other way round would be the same. */
  private *sign(
    state: State,
    device: Signer,
    { node, ledgers }: { node: ListNode; ledgers: Ledgers },
  ): Generator<Signed> {
    const list = node.list!;
    if (!list.devices.has(idOf(device))) return;
    const accepted = ledgers.filter((ledger) => this.readLedger(node, ledger).ok);
    if (state.pending[device] !== NONE || !holdsKey(list, device)) return;
    if (device === 'A') yield* this.manage(state, node);
    if (!list.devices.has(idOf('T')) || this.countOf(state, 'revoke') >= CAPS.revoke) return;
    for (const named of this.uptoT(accepted)) {
      const { rotates } = this.rules;
      const by = { key: list.accountKey, isHonest: true, named };
      const signed = this.statements.once(node, `revoke ${device} ${named?.id}`, () =>
        this.statements.extend(node, revocation(node, 'T', { by: device, named, rotates }), by),
      );
      const cost = 1 + this.costOf(state, named);
      yield { ...this.say(state, device, signed), cost };
      if (state.pending.A === NONE && state.pending.B === NONE) {
        yield { ...this.withhold(state, device, signed), cost: cost + 1 };
      }
    }
  }

  private *signEntry(state: State, ledgers: Ledgers): Generator<Move> {
    if (state.ledger.length > 0 || state.views.B.isForked) return;
    const node = this.node(state.views.B);
    if (!node.list!.devices.has(idOf('B'))) return;
    for (const ledger of ledgers) {
      if (!this.readLedger(node, ledger).ok) continue;
      const entry = this.statements.addEntry(ledger, 'B', 'honest');
      const label = () => `B signs an entry after ${ledger === undefined ? 'none' : ledger.kind}`;
      yield { label, state: { ...state, ledger: [entry.id] }, cost: 1 + this.costOf(state, ledger) };
    }
  }

  private *manage(state: State, node: ListNode): Generator<Signed> {
    const { devices, revoked, accountKey: key } = node.list!;
    const by = { key, isHonest: true };
    if (this.countOf(state, 'rotate') < CAPS.rotate) {
      const signed = this.statements.once(node, 'rotate', () => {
        const boxes = [...devices.values()].filter(({ keeper }) => keeper).map(boxFor);
        const rotation = { account_key: accountKey('A', `rotate ${node.head}`), boxes };
        return this.statements.extend(node, { action: 'rotate', rotation }, by);
      });
      yield this.say(state, 'A', signed);
    }
    const device = devices.get(idOf('T'));
    if (device?.keeper === false && this.countOf(state, 'keep') < CAPS.keep) {
      const make = () => this.statements.extend(node, { action: 'keep', box: boxFor(device) }, by);
      yield this.say(state, 'A', this.statements.once(node, 'keep T', make));
    }
    if (this.countOf(state, 'add') >= CAPS.add) return;
    // The server may put keys of its own in the place of those that the new device has.
    for (const other of ['N', 'G'] as const) {
      if (!this.pairing.mayAdd[other] || devices.has(idOf(other)) || revoked.has(idOf(other))) continue;
      const signed = this.statements.once(node, `add ${other}`, () => this.statements.extend(node, addOf(other), by));
      const { label, state: next } = this.say(state, 'A', signed);
      yield { label, state: other === 'N' ? { ...next, welcomes: withNumber(next.welcomes, signed.id) } : next };
    }
  }

  /** The server takes a statement, and shows it to its maker. */
  private say(state: State, device: Signer, signed: ListNode): Signed {
    const known = { ...state, list: withNumber(state.list, signed.id) };
    return {
      label: () => `${device} signs ${describe(signed)}${namesOf(signed)}`,
      state: this.see(known, device, { node: signed.id, isForked: false }),
    };
  }

  /** The server takes it, and keeps it to itself. Of other statements it would be the same. */
  private withhold(state: State, device: Signer, signed: ListNode): Signed {
    const pending = { ...state.pending, [device]: signed.id };
    return {
      label: () => `${device} signs ${describe(signed)}${namesOf(signed)}, and it is lost`,
      state: { ...state, list: withNumber(state.list, signed.id), pending },
    };
  }

  /** With the recovery secret, on top of whatever list the server shows: those that stay are in both. */
  private *settle(
    state: State,
    device: Signer,
    { lists, ledgers }: { lists: readonly ListNode[]; ledgers: Ledgers },
  ): Generator<Signed> {
    const { isForked } = state.views[device];
    if (!isForked && this.menu.settles === 'forked') return;
    if (this.countOf(state, 'recover') >= this.menu.recoveries) return;
    const before = this.node(state.views[device]);
    const named = new Set<LedgerNode | undefined>();
    for (const ledger of ledgers) {
      const { ok, clean } = this.readLedger(before, ledger);
      if (ok) named.add(this.rules.namesVoid ? ledger : this.beginning(ledger, clean));
    }
    const names = this.uptoT(named);
    for (const base of this.endsOf(lists, before, isForked)) {
      if (base.list!.revoked.has(idOf(device))) continue;
      const staying = [...before.list!.devices.values()].filter(
        ({ device_id }) => device_id !== idOf(device) && base.list!.devices.has(device_id),
      );
      for (const ledger of names) {
        const signed = this.recovery(device, { base, named: ledger, staying });
        const knew = this.revocationsIn(before).filter((id) => !base.path.has(id));
        const { state: next } = this.say(state, device, signed);
        const pairs = knew.map((id) => `${signed.id}/${id}`);
        const all = [...new Set([...state.knew, ...pairs])].sort();
        const label = () => `${device} recovers: ${describe(signed)}${namesOf(signed)}`;
        yield { label, state: { ...next, knew: all }, cost: 1 + this.costOf(state, ledger) };
      }
    }
  }

  /** Of the lists that the server may show: its own, those with nothing behind them, those that lack a revocation. */
  private endsOf(lists: readonly ListNode[], own: ListNode, isForked: boolean): readonly ListNode[] {
    const parents = new Set(lists.map(({ parent }) => parent));
    const undone = new Set(lists.filter((node) => this.endsT(node)).map(({ parent }) => parent));
    return lists.filter((node) => node === own || undone.has(node) || (isForked && !parents.has(node)));
  }

  private recovery(
    device: Device,
    { base, named, staying }: { base: ListNode; named?: LedgerNode | undefined; staying: readonly ListedDevice[] },
  ): ListNode {
    const names = staying.map(({ device_id, keeper }) => `${device_id.at(-1)}${keeper ? '!' : ''}`);
    const name = `recover ${device} ${named?.id} ${names.sort().join('')}`;
    return this.statements.once(base, name, () => {
      const devices = [listed(device, true), ...staying];
      const boxes = devices.filter(({ keeper }) => keeper).map(boxFor);
      const rotation = { account_key: accountKey(device, `${name} ${base.head}`), boxes };
      const change = { action: 'recover' as const, devices, rotation, ...nameLedger(named, base.head) };
      return this.statements.extend(base, change, { key: RECOVERY_KEY, isHonest: true, named });
    });
  }

  // --- the new device, and the server ---

  /** N lets itself in with the recovery secret, on top of whatever list the server shows. */
  letIn(lists: readonly ListNode[]): readonly ListNode[] {
    const bases = [...lists, ...this.server.foreign].filter(
      ({ list }) => list!.recoveryKey === RECOVERY_KEY && !list!.revoked.has(idOf('N')),
    );
    return bases.map((base) => this.recovery('N', { base, staying: [] }));
  }

  // --- what is remembered ---

  /** The statement ended T, and an honest device has signed it. */
  endsT({ parent, list, isHonest }: ListNode): boolean {
    return isHonest && parent?.list?.devices.has(idOf('T')) === true && !list!.devices.has(idOf('T'));
  }

  revocationsIn({ path }: ListNode): readonly number[] {
    return [...path].filter((id) => this.endsT(this.statements.lists[id]!));
  }

  private see(state: State, device: Signer, view: View): State {
    if (view === state.views[device]) return state;
    return { ...state, views: { ...state.views, [device]: view }, pending: { ...state.pending, [device]: NONE } };
  }

  private countOf({ list }: State, action: keyof typeof CAPS | 'recover'): number {
    let count = 0;
    for (const id of list) if (this.statements.lists[id]!.statement.action === action) count++;
    return count;
  }

  /**
   * What a device may have been shown when it names a ledger: nothing, or one with entries of T, up to the last of them,
   * because only those are ever void here. The longest stands for all of them.
   */
  private uptoT(ledgers: Iterable<LedgerNode | undefined>): ReadonlySet<LedgerNode | undefined> {
    let longest: LedgerNode | undefined;
    for (let ledger of ledgers) {
      while (ledger !== undefined && ledger.entry.device_id !== idOf('T')) ledger = ledger.parent;
      if (ledger !== undefined && ledger.entries.length > (longest?.entries.length ?? 0)) longest = ledger;
    }
    return new Set([undefined, longest]);
  }

  /** A thief's entry that nobody has built upon yet is one step more. */
  private costOf({ ledger }: State, named: LedgerNode | undefined): number {
    const known = ledger[0] === undefined ? undefined : this.statements.ledgers[ledger[0]]!.path;
    return named?.kind === 'evil' && known?.has(named.id) !== true ? 1 : 0;
  }

  private beginning(ledger: LedgerNode | undefined, length: number): LedgerNode | undefined {
    if (ledger === undefined || length === 0) return undefined;
    return this.statements.ledgers[[...ledger.path][length - 1]!];
  }
}

function holdsKey(list: DeviceList, device: Signer): boolean {
  if (list.devices.get(idOf(device))?.keeper !== true) return false;
  return list.boxes.has(idOf(device)) || makerOf(list.accountKey) === device;
}

const namesOf = ({ named }: ListNode) => (named === undefined ? '' : ` and names ${named.entries.length} entries`);

/** For people who read a counterexample. */
export function describe({ statements, isHonest }: ListNode): string {
  const words = statements.map((statement) => {
    const { action } = statement;
    const target = action === 'add' ? statement.device : action === 'keep' ? statement.box : statement;
    const name = 'device_id' in target ? ` ${'ABTNG'[Number(target.device_id.at(-1))]}` : '';
    return `${action}${name}`;
  });
  return `[${words.join(', ')}${isHonest ? '' : ' by the thief'}]`;
}
