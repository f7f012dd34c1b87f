import { createKeyedQueue, isParleyError, type Locale } from '@parley/base';
import {
  type ChangeGroup,
  diffManifests,
  displayText,
  groupChanges,
  type Manifest,
  renderDiff,
  scopeText,
} from '@parley/documents';
import { messengerError, type Platform } from '@parley/messenger';
import {
  appendLedger,
  changeRelation,
  endRelation,
  establishRelation,
  type LedgerEntry,
  type LedgerSubject,
} from '@parley/protocol';
import { clientError } from '../errors.ts';
import { newId } from '../new-id.ts';
import { type Chain, type Consent, makeEntry, withLevels } from './ledger.ts';
import type { RegistryDeps, RelationRegistry } from './relation-registry.ts';
import {
  EVERYTHING,
  findPending,
  grantedOf,
  type RelationState,
  type RelationView,
  viewRelation,
} from './relation-state.ts';

/** What a person reads before agreeing again (RL-9). */
export interface Review {
  readonly relationId: string;
  readonly agentName: string;
  /** Passed to `answer`, which accepts only what was read. */
  readonly manifestHash: string;
  readonly pending: RelationView['scopes'];
  readonly groups: readonly ChangeGroup[];
  /** The changes as text. */
  readonly text: string;
  /** The agent switched to a weaker kind of encryption (EE-7). */
  readonly mode?: string;
}

interface NewRelation {
  readonly agentId: string;
  readonly scopes: readonly string[];
  readonly manifestHash: string;
  /** Made here, because the entry that is signed names both (EE-19). */
  readonly relationId?: string | undefined;
  readonly conversationId?: string | undefined;
}

/** All operations that sign the ledger (RL-6, RL-7, RL-9, RL-10). */
export interface Consents {
  /**
   * `manifestHash` is the hash of the text that was shown. A relation that was ended keeps its id, so it is not added
   * twice.
   */
  add(agent: NewRelation): Promise<RelationView>;
  /** Sets what is granted. Granting more than before needs the hash of the manifest that was shown. */
  change(relationId: string, scopes: readonly string[], manifestHash?: string): Promise<RelationView>;
  /**
   * Grants one scope more, under the manifest that was shown. It also takes back a revocation that the server has not been
   * told of yet. While a review waits, nothing is granted: an entry for the new text would answer it.
   */
  grantScope(relationId: string, scope: string, manifestHash: string): Promise<void>;
  /** Revokes a scope. It takes effect on this device at once, whatever the server does. */
  revokeScope(relationId: string, scope: string): Promise<void>;
  /** Revokes everything and ends the relation. */
  end(relationId: string): Promise<void>;
  /** Signs what a plain call granted before (RL-10): exactly the scopes that were shown, or nothing. */
  signPending(relationId: string, scopes: readonly string[], manifestHash: string | null): Promise<RelationView>;
  review(relationId: string): Promise<Review>;
  /** Answers scope by scope. What is not accepted is revoked; the rest keeps working. */
  answer(relationId: string, accepted: readonly string[], manifestHash: string): Promise<RelationView>;
  /** Tells the server what was revoked while it could not be reached. */
  flush(): Promise<void>;
  /**
   * Signs entries of the old form anew, where this device knew agent and ledger before (EE-19). For all others the
   * person is asked.
   */
  signOld(): Promise<void>;
  /** Signs what an agent was granted once more, for the key that the person has just confirmed. */
  signForNewKey(agentId: string): Promise<void>;
  /** Returns the signed entries, oldest first. */
  history(relationId: string): readonly LedgerEntry[];
}

interface ConsentDeps extends RegistryDeps {
  readonly platform: Platform;
  readonly registry: RelationRegistry;
  closeWindows(agentId: string, scope?: string): Promise<void>;
}

export function createConsents(deps: ConsentDeps): Consents {
  const { api, registry, manifests, platform, accountId, deviceId, identity } = deps;
  /** By relation, the scopes that the last review asked about. */
  const asked = new Map<string, readonly string[]>();
  // One entry of a relation after the other: switches are turned faster than a server answers.
  const { run: inTurn } = createKeyedQueue();

  function need(relationId: string): RelationState {
    const state = registry.get(relationId);
    if (state === undefined) throw clientError('UNKNOWN_RELATION');
    if (state.ledgerProblem !== undefined)
      throw messengerError('LEDGER_BROKEN', { params: { problem: state.ledgerProblem } });
    return state;
  }

  const sign = (consent: Consent, subject: LedgerSubject, chain: Pick<Chain, 'entries' | 'head'>) =>
    makeEntry(
      consent,
      { ...subject, deviceId },
      { crypto: platform.crypto, identity, chain, createdAt: platform.now().toISOString() },
    );

  /** Names the key that was pinned. Taking something back must not wait until a new key was looked at. */
  const signFor = ({ wire, chain, trusted, gossip }: RelationState, consent: Consent) => {
    const agentKey = trusted?.ok ? trusted.key : (chain.subject?.agentKey ?? trusted?.known);
    const givesNothing = consent.scopes.every(({ id }) => chain.granted.has(id));
    if (agentKey === undefined || !(trusted?.ok || givesNothing)) throw clientError('IDENTITY_UNTRUSTED');
    // An entry on top of less than there is would be a second successor, for good (EE-23).
    const takesAway = givesNothing && consent.scopes.length < chain.granted.size;
    if (gossip.withheldBy !== undefined && !takesAway) {
      throw clientError('LEDGER_WITHHELD', { params: { device: gossip.withheldBy.name } });
    }
    const subject = {
      relationId: wire.relation_id,
      agentId: wire.agent_id,
      accountId,
      conversationId: wire.conversation_id,
      agentKey,
    };
    return sign(consent, subject, chain);
  };

  const view = (state: RelationState) => viewRelation(state, { locale: deps.locale(), floor: deps.floor });

  /** Returns the current manifest if it is the one that was shown. */
  function readCurrent(agentId: string, manifestHash: string) {
    const held = manifests.verified(agentId);
    const announced = manifests.announced(agentId);
    if (held === undefined || announced?.hash !== manifestHash || held.hash !== manifestHash) {
      throw clientError('MANIFEST_CHANGED');
    }
    return { manifest: held.manifest, hash: held.hash, version: announced.version };
  }

  async function write(state: RelationState, scopes: readonly string[], agreed: Agreed): Promise<RelationState> {
    const { manifest, hash, version } = agreed;
    const action = state.chain.entries.length === 0 ? 'grant' : 'change';
    const levels = withLevels(manifest, scopes);
    const entry = signFor(state, { action, scopes: levels, manifestHash: hash, manifestVersion: version });
    const wire = await api.call(changeRelation, {
      params: { relation_id: state.wire.relation_id },
      body: { granted_scopes: levels.map(({ id }) => id), manifest_hash: hash, ledger_entry: entry },
    });
    return registry.update(wire);
  }

  /** Grants less than before. This needs no new manifest to be read, and answers no pending question. */
  async function reduceGrants(state: RelationState, taken: ReadonlySet<string>): Promise<void> {
    const left = [...state.chain.granted.keys()].filter((id) => !taken.has(id));
    const { agreed, chain } = state;
    if (agreed === undefined || chain.manifestHash === null) throw clientError('MANIFEST_FORGED');
    await write(state, left, { manifest: agreed, hash: chain.manifestHash, version: chain.manifestVersion });
    await registry.unblock(state.wire.relation_id);
  }

  /** If another device signed first, does the work once more on top of its entry. */
  async function retryOnConflict<T>(relationId: string, work: (state: RelationState) => Promise<T>): Promise<T> {
    try {
      return await work(need(relationId));
    } catch (error) {
      if (!isParleyError(error, 'LEDGER_CONFLICT')) throw error;
      await registry.update(relationId);
      return work(need(relationId));
    }
  }

  async function revokeBlocked(relationId: string): Promise<void> {
    await retryOnConflict(relationId, async (state) => {
      const { wire, chain, blocked } = state;
      if (blocked.has(EVERYTHING)) {
        const { manifestHash, manifestVersion } = chain;
        const entry = signFor(state, { action: 'revoke', scopes: [], manifestHash, manifestVersion });
        await api.call(endRelation, { params: { relation_id: wire.relation_id }, body: { ledger_entry: entry } });
        await registry.update(relationId);
      } else if ([...chain.granted.keys()].some((id) => blocked.has(id))) {
        await reduceGrants(state, blocked);
      } else {
        await registry.unblock(relationId);
      }
    });
  }

  async function grantMore(state: RelationState, scope: string, manifestHash: string): Promise<void> {
    const relationId = state.wire.relation_id;
    const agreed = readCurrent(state.wire.agent_id, manifestHash);
    const isDeclared = agreed.manifest.permission_scopes.some(({ id }) => id === scope);
    if (findPending(state).length > 0 || !isDeclared) throw clientError('MANIFEST_CHANGED');
    if (state.blocked.has(scope) && state.chain.granted.has(scope)) {
      await registry.release(relationId, scope);
      // The server may have been told, and only its answer was lost.
      const seen = await registry.update(relationId).catch(() => undefined);
      if (seen === undefined || seen.chain.granted.has(scope)) return;
    }
    const now = need(relationId);
    if (!grantedOf(now).has(scope)) await write(now, [...grantedOf(now).keys(), scope], agreed);
    await registry.unblock(relationId);
  }

  /** An entry cannot be appended to a chain that does not verify, but the relation can still be ended. */
  async function endUnsigned(relationId: string): Promise<void> {
    await api.call(endRelation, { params: { relation_id: relationId }, body: null });
    await registry.update(relationId);
  }

  /** Says the same once more, in today's form and for today's key. */
  async function signAgain(state: RelationState): Promise<void> {
    const { chain, wire } = state;
    const granted = grantedScopes(state);
    const { manifestHash, manifestVersion } = chain;
    const entry = signFor(state, { action: 'change', scopes: granted, manifestHash, manifestVersion });
    const params = { relation_id: wire.relation_id };
    try {
      await registry.update(await api.call(appendLedger, { params, body: { ledger_entry: entry } }));
    } catch (error) {
      // What the server has is not what was signed before: the person is shown it, and asked.
      if (!isParleyError(error, 'LEDGER_INVALID', 'LEDGER_CONFLICT')) throw error;
    }
  }

  const grantedScopes = ({ chain, blocked }: RelationState) =>
    [...chain.granted].filter(([id]) => !blocked.has(id)).map(([id, sensitivity]) => ({ id, sensitivity }));

  return {
    async add({ agentId, scopes, manifestHash, relationId = newId(platform), conversationId = newId(platform) }) {
      const { manifest, hash, version } = readCurrent(agentId, manifestHash);
      const trusted = await deps.trust.agent(agentId);
      if (!trusted.ok) throw clientError('IDENTITY_UNTRUSTED');
      const levels = withLevels(manifest, scopes);
      if (levels.length !== scopes.length) throw clientError('MANIFEST_CHANGED');
      const consent: Consent = { action: 'grant', scopes: levels, manifestHash: hash, manifestVersion: version };
      const subject = { relationId, agentId, accountId, conversationId, agentKey: trusted.key };
      const entry = sign(consent, subject, { entries: [], head: null });
      // Before the server knows of it: whatever it says later of this conversation, it is with this agent.
      const other = { kind: 'agent' as const, id: agentId };
      await deps.messenger.bindConversation(conversationId, { kind: 'h2a', other, relationId, signed: true });
      await api.call(establishRelation, {
        body: {
          agent_id: agentId,
          granted_scopes: [...scopes],
          manifest_hash: hash,
          relation_id: relationId,
          conversation_id: conversationId,
          ledger_entry: entry,
        },
      });
      return view(await registry.update(relationId));
    },
    async change(relationId, scopes, manifestHash) {
      const state = need(relationId);
      const granted = grantedOf(state);
      const taken = [...granted.keys()].filter((id) => !scopes.includes(id));
      await registry.block(relationId, taken);
      for (const id of taken) await deps.closeWindows(state.wire.agent_id, id);
      return inTurn(relationId, async () => {
        if (manifestHash === undefined) {
          if (scopes.some((id) => !granted.has(id))) throw clientError('MANIFEST_CHANGED');
          await revokeBlocked(relationId);
          return view(need(relationId));
        }
        const next = await write(need(relationId), scopes, readCurrent(state.wire.agent_id, manifestHash));
        await registry.unblock(relationId);
        return view(registry.get(relationId) ?? next);
      });
    },
    grantScope: (relationId, scope, manifestHash) =>
      inTurn(relationId, () => retryOnConflict(relationId, (state) => grantMore(state, scope, manifestHash))),
    async revokeScope(relationId, scope) {
      const { wire } = need(relationId);
      await registry.block(relationId, [scope]);
      await deps.closeWindows(wire.agent_id, scope);
      await inTurn(relationId, () => revokeBlocked(relationId));
    },
    async end(relationId) {
      const state = registry.get(relationId);
      if (state === undefined) throw clientError('UNKNOWN_RELATION');
      await registry.block(relationId, [EVERYTHING]);
      await deps.closeWindows(state.wire.agent_id);
      await inTurn(relationId, () =>
        state.ledgerProblem === undefined ? revokeBlocked(relationId) : endUnsigned(relationId),
      );
    },
    async signPending(relationId, scopes, manifestHash) {
      const state = need(relationId);
      const { wire, chain } = state;
      const isShown =
        scopes.length === wire.granted_scopes.length && wire.granted_scopes.every((id) => scopes.includes(id));
      if (!isShown) throw clientError('MANIFEST_CHANGED');
      const shown = manifests.current(wire.agent_id);
      if (shown.state !== 'agrees') throw clientError('MANIFEST_FORGED');
      const { manifest, hash } = shown.verified;
      if (hash !== manifestHash) throw clientError('MANIFEST_CHANGED');
      // Signed is the text whose labels and levels were shown, whatever the row says was agreed to.
      if (wire.capability_manifest_hash !== hash) {
        const next = await write(state, scopes, readCurrent(wire.agent_id, hash));
        await deps.closeWindows(wire.agent_id);
        return view(next);
      }
      const version = wire.capability_manifest_version;
      const levels = withLevels(manifest, wire.granted_scopes);
      const action = chain.entries.length === 0 ? 'grant' : 'change';
      const consent: Consent = { action, scopes: levels, manifestHash: hash, manifestVersion: version };
      const params = { relation_id: relationId };
      const reply = await api.call(appendLedger, { params, body: { ledger_entry: signFor(state, consent) } });
      await deps.closeWindows(wire.agent_id);
      return view(await registry.update(reply));
    },
    async review(relationId) {
      await manifests.refresh(need(relationId).wire.agent_id);
      await registry.reread(need(relationId).wire.agent_id);
      const state = need(relationId);
      asked.set(relationId, findPending(state));
      return toReview(state, view(state), deps.locale());
    },
    async answer(relationId, accepted, manifestHash) {
      const state = need(relationId);
      const current = readCurrent(state.wire.agent_id, manifestHash);
      // Also what the server has stopped asking about since: it was shown, and not accepted.
      const pending = new Set([...findPending(state), ...(asked.get(relationId) ?? [])]);
      const kept = [...grantedOf(state).keys()].filter((id) => !pending.has(id));
      const scopes = [...new Set([...kept, ...accepted.filter((id) => pending.has(id))])];
      await deps.closeWindows(state.wire.agent_id);
      const { trusted, weaker, wire } = state;
      if (weaker && trusted?.ok) await deps.trust.accept({ kind: 'agent', id: wire.agent_id }, trusted.key);
      const next = await write({ ...state, weaker: false }, scopes, current);
      if (weaker) await registry.reread(wire.agent_id);
      await registry.unblock(relationId);
      return view(registry.get(relationId) ?? next);
    },
    async flush() {
      for (const { relationId } of registry.views.getSnapshot()) {
        const state = registry.get(relationId);
        if (state === undefined || state.blocked.size === 0 || state.wire.status === 'ended') continue;
        if (state.ledgerProblem === undefined) await inTurn(relationId, () => revokeBlocked(relationId));
        else if (state.blocked.has(EVERYTHING)) await inTurn(relationId, () => endUnsigned(relationId));
      }
    },
    async signOld() {
      for (const { relationId } of registry.views.getSnapshot()) {
        const state = registry.get(relationId);
        if (state === undefined || state.wire.status === 'ended' || state.ledgerProblem !== undefined) continue;
        if (state.gossip.withheldBy !== undefined) continue;
        const { chain, trusted, knownHead, blocked } = state;
        const isKnown = chain.isOld && knownHead === chain.head && trusted?.ok === true && blocked.size === 0;
        if (isKnown) await signAgain(state);
      }
    },
    async signForNewKey(agentId) {
      const state = registry.byAgent(agentId);
      if (state === undefined || state.ledgerProblem !== undefined || state.trusted?.ok !== true) return;
      const { subject } = state.chain;
      if (subject !== undefined && subject.agentKey !== state.trusted.key) await signAgain(state);
    },
    history: (relationId) => registry.get(relationId)?.chain.entries ?? [],
  };
}

interface Agreed {
  readonly manifest: Manifest;
  readonly hash: string;
  readonly version: number;
}

function toReview(state: RelationState, { agentName, scopes }: RelationView, locale: Locale): Review {
  const { wire, agreed, current, weaker } = state;
  if (current.state !== 'agrees') {
    throw clientError(current.state === 'differs' ? 'MANIFEST_FORGED' : 'MANIFEST_MISSING');
  }
  const { manifest, hash } = current.verified;
  const before = agreed ?? { ...manifest, tools: [], permission_scopes: [], capability_flags: {} };
  // People know a permission by its label, which stands in quotation marks: the agent has written it.
  const known = [...before.permission_scopes, ...manifest.permission_scopes];
  const labels = new Map(
    known.map((scope) => [scope.id, `“${scopeText(scope, locale).label.replaceAll(/[“”]/g, "'")}”`]),
  );
  const nameScope = (id: string) => labels.get(id) ?? displayText(id);
  const diff = diffManifests(before, manifest, { locale, nameScope });
  const groups = groupChanges(diff.changes, locale).map((group) => {
    const [{ tool, scope } = {}] = group.changes;
    return tool === undefined && scope !== undefined ? { ...group, title: nameScope(scope) } : group;
  });
  return {
    relationId: wire.relation_id,
    agentName,
    manifestHash: hash,
    pending: scopes.filter((scope) => scope.pending),
    groups,
    text: renderDiff(diff, locale),
    ...(weaker ? { mode: 'webhook' } : {}),
  };
}
