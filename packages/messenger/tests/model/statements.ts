import {
  type DeviceList,
  type DeviceStatement,
  deviceStatementBytes,
  deviceStatementHash,
  entryBytes,
  entryHash,
  foldDeviceList,
  headName,
  type LedgerEntry,
  type ListedDevice,
  type Unsigned,
} from '@parley/protocol';
import type { Rules } from './rules.ts';
import {
  ACCOUNT,
  AGENT,
  accountKey,
  CONVERSATION,
  type Device,
  EVIL_KEY,
  EVIL_RECOVERY_KEY,
  identityOf,
  idOf,
  keysOf,
  listed,
  RECOVERY_KEY,
  RELATION,
  signWith,
} from './symbols.ts';

/** A device list, by its last statement. */
export interface ListNode {
  readonly id: number;
  readonly parent: ListNode | undefined;
  readonly root: ListNode;
  readonly statement: DeviceStatement;
  readonly statements: readonly DeviceStatement[];
  readonly head: string;
  readonly isHonest: boolean;
  /** Undefined if the list is broken. */
  readonly list: DeviceList | undefined;
  /** The ids of this one and of all before it. */
  readonly path: ReadonlySet<number>;
  /** The ledger that a revocation or a recovery names. */
  readonly named: LedgerNode | undefined;
  /** Lists with the same signers have the same number. */
  readonly signers: number;
}

/** A ledger, by its last entry. */
export interface LedgerNode {
  readonly id: number;
  readonly parent: LedgerNode | undefined;
  readonly entry: LedgerEntry;
  readonly entries: readonly LedgerEntry[];
  readonly head: string;
  readonly kind: EntryKind;
  readonly path: ReadonlySet<number>;
}

/** What an entry gives beside `ok`: nothing, what a thief wants, or what nobody's key has signed. */
export type EntryKind = 'honest' | 'evil' | 'forged';

type Later = Exclude<DeviceStatement, { action: 'create' }>;
type Change<S> = S extends unknown
  ? Omit<S, 'version' | 'account_id' | 'seq' | 'prev' | 'created_at' | 'signature' | 'next_signature'>
  : never;
export type ListChange = Change<Later>;

/** All statements that were ever made in an exploration, each once: states name them by number. */
export class Statements {
  readonly lists: ListNode[] = [];
  readonly ledgers: LedgerNode[] = [];
  private readonly byHead = new Map<string, ListNode>();
  private readonly made = new Map<string, ListNode>();
  private readonly entries = new Map<string, LedgerNode>();
  private readonly ledgerSets = new Map<number | undefined, readonly (LedgerNode | undefined)[]>();
  private readonly signerNumbers = new Map<string, number>();
  private readonly rules: Rules;
  readonly first: ListNode;
  /** A and B are keepers: what either may do, one who is none may not do less. */
  readonly start: ListNode;

  constructor(rules: Rules) {
    this.rules = rules;
    const devices = [listed('A', true), listed('B'), listed('T')];
    this.first = this.create(devices, { account: accountKey('A', 'first'), recovery: RECOVERY_KEY });
    const keep = { action: 'keep' as const, box: boxFor(listed('B')) };
    this.start = this.extend(this.first, keep, { key: accountKey('A', 'first'), isHonest: true });
  }

  /** `signedBy`: whoever does not hold the keys that it names. */
  create(devices: ListedDevice[], keys: { account: string; recovery: string; signedBy?: string }): ListNode {
    const { account, recovery, signedBy } = keys;
    const unsigned = {
      version: 1 as const,
      account_id: ACCOUNT,
      seq: 1,
      prev: null,
      created_at: '2026-01-01T00:00:00Z',
      action: 'create' as const,
      account_key: account,
      recovery_key: recovery,
      devices,
    };
    const bytes = deviceStatementBytes(unsigned);
    const signature = signWith(account, bytes);
    const recovery_signature = signWith(signedBy ?? recovery, bytes);
    return this.putList(undefined, { ...unsigned, signature, recovery_signature }, { isHonest: account !== EVIL_KEY });
  }

  /** What `make` makes, once for each name. */
  once(parent: ListNode, name: string, make: () => ListNode): ListNode {
    const key = `${parent.id} ${name}`;
    let node = this.made.get(key);
    if (node === undefined) {
      node = make();
      this.made.set(key, node);
    }
    return node;
  }

  extend(parent: ListNode, change: ListChange, by: { key: string; isHonest: boolean; named?: LedgerNode | undefined }) {
    const place = { seq: parent.statements.length + 1, prev: parent.head };
    const common = { version: 1, account_id: ACCOUNT, ...place, created_at: '2026-01-01T00:00:00Z' };
    const unsigned = { ...common, ...change } as Unsigned<Later>;
    const bytes = deviceStatementBytes(unsigned);
    const rotation = 'rotation' in unsigned ? unsigned.rotation : undefined;
    // Whoever makes a key holds it.
    const proof = rotation === undefined ? {} : { next_signature: signWith(rotation.account_key, bytes) };
    const signed = { ...unsigned, signature: signWith(by.key, bytes), ...proof };
    return this.putList(parent, signed as DeviceStatement, by);
  }

  /** By the identity key of that device, or by a key of the adversary in its name. */
  addEntry(parent: LedgerNode | undefined, device: Device, kind: EntryKind): LedgerNode {
    const key = `${parent?.id} ${device} ${kind}`;
    let node = this.entries.get(key);
    if (node === undefined) {
      node = this.makeEntry(parent, device, kind);
      this.entries.set(key, node);
    }
    return node;
  }

  private makeEntry(parent: LedgerNode | undefined, device: Device, kind: EntryKind): LedgerNode {
    const isFirst = parent === undefined;
    const ok = { id: 'ok', sensitivity: 'high' as const };
    const unsigned = {
      version: 2 as const,
      relation_id: RELATION,
      agent_id: AGENT,
      account_id: ACCOUNT,
      conversation_id: CONVERSATION,
      agent_key: 'agent key',
      device_id: idOf(device),
      seq: isFirst ? 1 : parent.entries.length + 1,
      prev: isFirst ? null : parent.head,
      // A thief dates its entries before the revocation: dates mean nothing.
      created_at: kind === 'honest' ? '2026-01-01T00:00:00Z' : '2020-01-01T00:00:00Z',
      action: isFirst ? ('grant' as const) : ('change' as const),
      scopes: kind === 'honest' ? [ok] : [ok, { ...ok, id: kind }],
      manifest_hash: null,
      manifest_version: 0,
    };
    const key = kind === 'forged' ? EVIL_KEY : identityOf(device);
    const entry: LedgerEntry = { ...unsigned, signature: signWith(key, entryBytes(unsigned)) };
    const head = entryHash(entry);
    const id = this.ledgers.length;
    const entries = isFirst ? [entry] : [...parent.entries, entry];
    const node: LedgerNode = { id, parent, entry, entries, head, kind, path: new Set(parent?.path).add(id) };
    this.ledgers.push(node);
    return node;
  }

  /** All ledgers there are: what B has signed, if it has, and what T can put behind it. */
  ledgersWith(entry: number | undefined): readonly (LedgerNode | undefined)[] {
    let known = this.ledgerSets.get(entry);
    if (known === undefined) {
      const path = entry === undefined ? [] : [...this.ledgers[entry]!.path].map((id) => this.ledgers[id]!);
      const honest = [undefined, ...path];
      const evil = honest.filter((node) => node?.kind !== 'evil').map((node) => this.addEntry(node, 'T', 'evil'));
      known = [...new Set([...honest, ...evil])];
      this.ledgerSets.set(entry, known);
    }
    return known;
  }

  private putList(
    parent: ListNode | undefined,
    statement: DeviceStatement,
    { isHonest, named }: { isHonest: boolean; named?: LedgerNode | undefined },
  ): ListNode {
    const head = deviceStatementHash(statement);
    const known = this.byHead.get(head);
    if (known !== undefined) return known;
    const statements = parent === undefined ? [statement] : [...parent.statements, statement];
    const folded = foldDeviceList(statements, { accountId: ACCOUNT, verify: this.rules.verifyList });
    const list = folded.ok ? folded : undefined;
    const id = this.lists.length;
    const path = new Set(parent?.path).add(id);
    const node = { id, parent, statement, statements, head, isHonest, list, path, named, signers: this.numberOf(list) };
    const whole: ListNode = Object.assign(node, { root: parent?.root ?? (node as unknown as ListNode) });
    this.lists.push(whole);
    this.byHead.set(head, whole);
    return whole;
  }

  private numberOf(list: DeviceList | undefined): number {
    if (list === undefined) return -1;
    const named = ({ salt, heads }: { salt: string; heads: ReadonlySet<string> }) => [salt, ...heads];
    const revoked = [...list.revoked].map(([id, one]) => [id, named(one), one.since.map(named)]);
    const text = JSON.stringify([[...list.devices.keys()].sort(), revoked.sort()]);
    if (!this.signerNumbers.has(text)) this.signerNumbers.set(text, this.signerNumbers.size);
    return this.signerNumbers.get(text)!;
  }
}

/** What names a ledger, for a revocation or a recovery. */
export function nameLedger(ledger: LedgerNode | undefined, place: string): { salt: string; heads: string[] } {
  const salt = `salt ${place}`;
  if (ledger === undefined) return { salt, heads: [] };
  const chain = { kind: 'ledger' as const, id: RELATION, length: ledger.entries.length, head: ledger.head };
  return { salt, heads: [headName(salt, chain)] };
}

export const boxFor = ({ device_id }: { device_id: string }) => ({ device_id, enc: 'enc', ciphertext: 'sealed' });

/** Lists that the adversary makes from nothing. */
export function foreignLists(statements: Statements): readonly ListNode[] {
  const devices = [listed('G', true), listed('N')];
  const own = statements.create(devices, { account: EVIL_KEY, recovery: EVIL_RECOVERY_KEY });
  const stolenName = statements.create(devices, { account: EVIL_KEY, recovery: RECOVERY_KEY, signedBy: EVIL_KEY });
  const rotation = { account_key: accountKey('E', 'foreign'), boxes: [] };
  const recovery = { action: 'recover' as const, devices, rotation, ...nameLedger(undefined, 'foreign') };
  const recovered = statements.extend(own, recovery, { key: EVIL_RECOVERY_KEY, isHonest: false });
  return [own, stolenName, recovered];
}

/** By an honest keeper, or by a thief who keeps the new key to itself. */
export function revocation(
  { head, list }: ListNode,
  gone: Device,
  { by, named, rotates = 'always' }: { by: 'A' | 'B' | 'E'; named: LedgerNode | undefined; rotates?: Rules['rotates'] },
): ListChange {
  const device = list!.devices.get(idOf(gone))!;
  const keepers = [...list!.devices.values()].filter(({ device_id, keeper }) => keeper && device_id !== idOf(gone));
  const rotation = {
    account_key: accountKey(by, `revoke ${named?.id} ${head}`),
    boxes: by === 'E' ? [] : keepers.map(boxFor),
  };
  const said = { action: 'revoke' as const, device_id: idOf(gone), ...nameLedger(named, head) };
  const isRotated = rotates === 'always' || (rotates === 'keepers' && device.keeper);
  return isRotated ? { ...said, rotation } : said;
}

export const addOf = (device: Device): ListChange => ({ action: 'add', device: keysOf(device) });
