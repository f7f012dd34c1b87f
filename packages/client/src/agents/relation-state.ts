import type { Locale } from '@parley/base';
import { diffManifests, displayText, type Manifest, type Sensitivity, scopeText, toolText } from '@parley/documents';
import type { BoundRelation, RelationRow, Trusted } from '@parley/messenger';
import type { LedgerEntry } from '@parley/protocol';
import type { OtherDevice } from '../account/other-device.ts';
import type { GuardRelation } from '../guard/decide.ts';
import type { Chain } from './ledger.ts';
import type { Announced, CurrentManifest } from './manifests.ts';
import type { RelationGossip } from './relation-gossip.ts';
import { type ExecutorFloor, scopeLevel } from './scope-level.ts';

type WireRelation = RelationRow;

/** A relation as it is stored on disk. */
export interface StoredRelation {
  readonly wire: WireRelation;
  /** The chain as far as it was verified. */
  readonly entries: readonly LedgerEntry[];
  /** Scopes revoked on this device, whether or not the server knows; `*` is everything. */
  readonly blocked: readonly string[];
}

/** All that is known about one relation. */
export interface RelationState {
  readonly wire: WireRelation;
  readonly chain: Chain;
  /** A chain that does not verify grants nothing. */
  readonly ledgerProblem: BoundRelation['problem'];
  /** The row and the ledger, as they were compared (EE-15). */
  readonly bound: BoundRelation;
  /** The last row that the server showed contradicted what was signed, and was refused (EE-15). */
  readonly isRefused: boolean;
  /** This device knew the relation and its ledger up to this head from an earlier run. */
  readonly knownHead: string | null;
  readonly blocked: ReadonlySet<string>;
  /** What the account's other devices say about it (EE-23). */
  readonly gossip: RelationGossip;
  readonly trusted: Trusted | undefined;
  /** The agent switched to a weaker kind of encryption than it was pinned with (EE-7). */
  readonly weaker: boolean;
  /** The manifest that was agreed to last; undefined if its text cannot be loaded. */
  readonly agreed: Manifest | undefined;
  readonly current: CurrentManifest;
  readonly announced: Announced | undefined;
}

export const EVERYTHING = '*';

const isBlocked = ({ blocked }: RelationState, scope: string) => blocked.has(EVERYTHING) || blocked.has(scope);

const guarded = new WeakMap<RelationState, GuardRelation>();

/** Returns what the guard decides by (CG-3). A state never changes, so the result is cached. */
export function toGuardRelation(state: RelationState): GuardRelation {
  const known = guarded.get(state);
  if (known !== undefined) return known;
  const { wire, chain, trusted } = state;
  // Another own device was shown what is kept back here; it may be that all of this was taken away (EE-23).
  const usable = state.gossip.withheldBy === undefined ? grantedOf(state) : new Map();
  const relation: GuardRelation = {
    agentId: wire.agent_id,
    conversationId: wire.conversation_id,
    granted: usable,
    isWithheld: chain.granted.size > 0 && usable.size === 0,
    once: chain.once,
    // While the relation is suspended, none of its scopes can be used.
    pending: new Set(wire.status === 'active' ? findPending(state) : chain.granted.keys()),
    epochs: chain.epochs,
    identityKey: trusted?.ok ? trusted.key : undefined,
  };
  guarded.set(state, relation);
  return relation;
}

export function grantedOf(state: RelationState): ReadonlyMap<string, Sensitivity> {
  const { chain, ledgerProblem, wire } = state;
  if (ledgerProblem !== undefined || wire.status === 'ended' || !isBound(state)) return new Map();
  return new Map([...chain.granted].filter(([id]) => !isBlocked(state, id)));
}

/** Is what was signed about this relation, in this conversation, with an agent of this key (EE-19)? */
function isBound({ chain, wire, trusted }: RelationState): boolean {
  const { subject } = chain;
  return (
    subject !== undefined &&
    subject.relationId === wire.relation_id &&
    subject.agentId === wire.agent_id &&
    subject.conversationId === wire.conversation_id &&
    subject.accountId === wire.user_id &&
    (trusted?.ok !== true || subject.agentKey === trusted.key)
  );
}

/**
 * Finds the scopes that wait for re-authorisation (RL-9): those that the server names, and those that differ between
 * the manifest that was agreed to and the current one. A server that conceals a change gains nothing.
 */
export function findPending(state: RelationState): readonly string[] {
  const { wire, trusted, weaker } = state;
  const waiting = new Set([...wire.pending_scopes, ...changedScopes(state)]);
  if (trusted?.ok === false || weaker) for (const id of grantedOf(state).keys()) waiting.add(id);
  return [...waiting].sort();
}

const verdicts = new WeakMap<Manifest, WeakMap<Manifest, readonly string[]>>();

function changedScopes({ chain, agreed, current, announced }: RelationState): readonly string[] {
  if (chain.manifestHash === null || announced === undefined || announced.hash === chain.manifestHash) return [];
  // Without both texts nobody knows what changed: every granted scope waits.
  if (agreed === undefined || current.state !== 'agrees' || current.verified.hash !== announced.hash)
    return [...chain.granted.keys()];
  let known = verdicts.get(agreed);
  if (known === undefined) {
    known = new WeakMap();
    verdicts.set(agreed, known);
  }
  let scopes = known.get(current.verified.manifest);
  if (scopes === undefined) {
    scopes = diffManifests(agreed, current.verified.manifest).scopesRequiringReauth;
    known.set(current.verified.manifest, scopes);
  }
  return scopes;
}

export interface ScopeView {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** The highest of manifest, preset, executor and recorded grant, by which the guard asks (CG-6). */
  readonly level: Sensitivity;
  readonly granted: boolean;
  /** Waits for re-authorisation (RL-9); not granted meanwhile. */
  readonly pending: boolean;
  /** Granted by a plain call that no device has signed: not granted until `signPending` (RL-10). */
  readonly unsigned: boolean;
  readonly tools: readonly string[];
}

export interface RelationView {
  readonly relationId: string;
  readonly conversationId: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly status: WireRelation['status'];
  /** Of one that has ended: by the person, as one of their devices signed, or else by the maker or the server. */
  readonly endedBy?: 'person' | 'other';
  readonly scopes: readonly ScopeView[];
  /** By the names in `tools`, what the agent says that each tool does. */
  readonly toolTexts: ReadonlyMap<string, string>;
  /** What the agent says it also supports (CM-1). It decides what is offered, never what is allowed. */
  readonly flags: readonly string[];
  readonly needsReview: boolean;
  readonly needsSignature: boolean;
  /** Of the text that labels and levels come from; passed back when it is signed. Null before it was loaded. */
  readonly manifestHash: string | null;
  readonly problem?: 'row' | 'ledger' | 'withheld' | 'identity_changed' | 'no_keys' | 'weaker_mode' | 'manifest';
  /** With `withheld`: the device that was shown what is kept back here. */
  readonly withheldBy?: OtherDevice;
  /** Devices that have not confirmed yet that they know what was taken back last (EE-23). */
  readonly unconfirmed: readonly OtherDevice[];
  readonly identity?: { readonly key: string; readonly fingerprint: string; readonly verified: boolean };
  readonly mode?: string;
  readonly agreedVersion: number;
  readonly currentVersion: number;
  readonly createdAt: string;
}

interface ViewContext {
  readonly locale: Locale;
  readonly floor: ExecutorFloor;
}

export function viewRelation(state: RelationState, { locale, floor }: ViewContext): RelationView {
  const { wire, chain, trusted, announced, gossip } = state;
  const isEnded = isOver(state);
  const manifest = manifestOf(state);
  const granted = grantedOf(state);
  const pending = new Set(findPending(state));
  const isSigned = isBound(state) && wire.signed;
  const unsigned = new Set(isSigned ? [] : wire.granted_scopes.filter((id) => !granted.has(id)));
  const declared = new Map(manifest?.permission_scopes.map((scope) => [scope.id, scope]));
  const ids = new Set([...declared.keys(), ...granted.keys(), ...unsigned]);
  const scopes = [...ids].map((id): ScopeView => {
    const scope = declared.get(id);
    const tools = manifest?.tools.filter((tool) => tool.permission_scope === id) ?? [];
    return {
      id: displayText(id),
      ...(scope === undefined ? { label: displayText(id) } : scopeText(scope, locale)),
      level: scopeLevel({ agentId: wire.agent_id, scope: id, recorded: chain.granted.get(id), manifest }, floor),
      granted: granted.has(id) && !pending.has(id),
      pending: pending.has(id) && (granted.has(id) || declared.has(id)),
      unsigned: unsigned.has(id),
      tools: tools.map((tool) => displayText(tool.name)),
    };
  });
  const problem = findProblem(state);
  return {
    relationId: wire.relation_id,
    conversationId: wire.conversation_id,
    agentId: wire.agent_id,
    agentName: displayText(wire.agent_name || announced?.name || wire.agent_id),
    status: isEnded ? 'ended' : wire.status,
    ...(isEnded ? { endedBy: isEndedByPerson(state) ? 'person' : 'other' } : {}),
    scopes,
    toolTexts: new Map(manifest?.tools.map((tool) => [displayText(tool.name), toolText(tool, locale)])),
    flags: Object.entries(manifest?.capability_flags ?? {}).flatMap(([name, on]) => (on === true ? [name] : [])),
    needsReview: !isEnded && pending.size > 0,
    needsSignature: !isEnded && !isSigned,
    manifestHash: state.current.state === 'agrees' ? state.current.verified.hash : null,
    ...(problem === undefined ? {} : { problem }),
    ...(problem === 'withheld' ? { withheldBy: gossip.withheldBy! } : {}),
    unconfirmed: gossip.unconfirmed,
    ...(trusted?.ok
      ? { identity: { key: trusted.key, fingerprint: trusted.fingerprint, verified: trusted.verified } }
      : {}),
    ...(trusted?.ok && trusted.mode !== undefined ? { mode: trusted.mode } : {}),
    agreedVersion: chain.manifestVersion,
    currentVersion: announced?.version ?? wire.current_manifest_version,
    createdAt: wire.created_at,
  };
}

/** What the person has ended here is over, also before the server was told. */
const isOver = ({ wire, blocked }: RelationState): boolean => wire.status === 'ended' || blocked.has(EVERYTHING);

/** A ledger that does not verify can only be ended without an entry, on this device. */
function isEndedByPerson({ chain, blocked }: RelationState): boolean {
  return chain.entries.at(-1)?.action === 'revoke' || blocked.has(EVERYTHING);
}

/** The text of the current manifest, where it is the announced one. */
function manifestOf({ current }: RelationState): Manifest | undefined {
  return current.state === 'agrees' ? current.verified.manifest : undefined;
}

function findProblem(state: RelationState): RelationView['problem'] {
  const { ledgerProblem, trusted, weaker, current, isRefused, gossip } = state;
  // Nothing of it is used any more, so nobody has to look at it.
  if (isOver(state)) return undefined;
  if (isRefused) return 'row';
  if (ledgerProblem !== undefined) return 'ledger';
  if (gossip.withheldBy !== undefined) return 'withheld';
  if (trusted?.ok === false) return trusted.problem === 'no_keys' ? 'no_keys' : 'identity_changed';
  if (weaker) return 'weaker_mode';
  if (current.state === 'differs') return 'manifest';
  return undefined;
}
