import { createKeyedQueue, createObservable, type Locale, type Readable } from '@parley/base';
import type { Crypto, KeyPair } from '@parley/e2ee';
import { type Api, fetchLedger, type Store, type Trust } from '@parley/messenger';
import { listRelations, readRelation } from '@parley/protocol';
import { readPages } from '../pages.ts';
import { EMPTY_CHAIN, toChain } from './ledger.ts';
import type { Manifests } from './manifests.ts';
import {
  EVERYTHING,
  type RelationState,
  type RelationView,
  type StoredRelation,
  viewRelation,
  type WireRelation,
} from './relation-state.ts';

export interface RegistryDeps {
  readonly api: Api;
  readonly store: Store;
  readonly crypto: Crypto;
  readonly accountId: string;
  readonly deviceId: string;
  readonly identity: KeyPair;
  readonly trust: Trust;
  readonly manifests: Manifests;
  locale(): Locale;
  /** What was granted to the agent may have changed: whatever depends on it has to be checked again. */
  onChange(agentId: string): void;
  onProblem(problem: { readonly relationId: string; readonly ledger: string }): void;
}

/** The relations of this account: read, verified, kept, shown. Changing them is `createConsents`. */
export interface RelationRegistry {
  readonly views: Readable<readonly RelationView[]>;
  get(relationId: string): RelationState | undefined;
  byConversation(conversationId: string): RelationState | undefined;
  byAgent(agentId: string): RelationState | undefined;
  /** Reads all relations from the server. */
  sync(): Promise<void>;
  /** Takes over one relation: by its id, asked of the server, or as the server just replied with it. */
  update(relation: string | WireRelation): Promise<RelationState>;
  /** Revokes scopes on this device, before the server is told. */
  block(relationId: string, scopes: readonly string[]): Promise<void>;
  /** The server has been told: what its ledger no longer grants needs no block. */
  unblock(relationId: string): Promise<void>;
  /** Reads the agent's key, mode and manifest again. */
  reread(agentId: string, change?: { weaker: boolean }): Promise<void>;
  /** Makes the views again, in the language chosen by now. */
  redraw(): void;
}

const PREFIX = 'client/relation/';

export async function loadRelationRegistry(deps: RegistryDeps): Promise<RelationRegistry> {
  const { api, store, crypto, accountId, trust, manifests } = deps;
  const states = new Map<string, RelationState>();
  // What was revoked here stays revoked, whatever is being read from the server meanwhile.
  const blocks = new Map<string, ReadonlySet<string>>();
  // Updates of one relation happen in order: a slow read must not undo a newer one.
  const { run: inTurn } = createKeyedQueue();
  const views = createObservable<readonly RelationView[]>([]);

  const show = () => views.set([...states.values()].map((state) => viewRelation(state, deps.locale())));

  async function put(next: RelationState): Promise<void> {
    const { wire, chain } = next;
    const blocked = blocks.get(wire.relation_id) ?? new Set();
    states.set(wire.relation_id, { ...next, blocked });
    show();
    deps.onChange(wire.agent_id);
    const stored: StoredRelation = { wire, entries: chain.entries, blocked: [...blocked] };
    await store.write(new Map([[PREFIX + wire.relation_id, JSON.stringify(stored)]]));
  }

  /** Adds the agent's key and manifests, which have to be fetched once before they are known offline. */
  async function complete(state: RelationState): Promise<RelationState> {
    const { wire, chain } = state;
    const agentId = wire.agent_id;
    const agreedHash = chain.manifestHash;
    const [trusted, agreed] = await Promise.all([
      trust.agent(agentId).catch(() => state.trusted),
      agreedHash === null
        ? undefined
        : manifests.find(agentId, { version: chain.manifestVersion, hash: agreedHash }).catch(() => undefined),
      manifests.prepare(agentId).catch(() => undefined),
    ]);
    return { ...state, trusted, agreed, current: manifests.current(agentId), announced: manifests.announced(agentId) };
  }

  const subjectOf = (wire: WireRelation) => ({ relationId: wire.relation_id, agentId: wire.agent_id, accountId });

  async function take(wire: WireRelation): Promise<RelationState> {
    const before = states.get(wire.relation_id);
    const known = before?.chain ?? EMPTY_CHAIN;
    const { status, agent_id, current_manifest_version: version, current_manifest_hash: hash, agent_name: name } = wire;
    if (status !== 'ended') await manifests.announce(agent_id, { version, hash, ...(name && { name }) });
    const { chain, ledgerProblem } = await readNewer(wire, known, before?.ledgerProblem);
    const state = await complete({
      wire,
      chain,
      ledgerProblem,
      blocked: new Set(),
      trusted: before?.trusted,
      weaker: before?.weaker ?? false,
      agreed: before?.agreed,
      current: { state: 'unloaded' },
      announced: undefined,
    });
    await put(state);
    return states.get(wire.relation_id)!;
  }

  async function readNewer(wire: WireRelation, known: typeof EMPTY_CHAIN, problem: RelationState['ledgerProblem']) {
    if (wire.ledger_head === known.head && wire.ledger_length === known.entries.length) {
      return { chain: known, ledgerProblem: problem };
    }
    const reading = await fetchLedger({ api, crypto, trust }, subjectOf(wire), { entries: known.entries });
    if (reading.ok) return { chain: toChain(reading.entries), ledgerProblem: undefined };
    deps.onProblem({ relationId: wire.relation_id, ledger: reading.problem });
    // If the server shows fewer entries than before, the longer chain, signed and seen, counts. In any other case an entry
    // may be missing that takes something back, so nothing counts.
    return { chain: known, ledgerProblem: reading.problem === 'shortened' ? problem : reading.problem };
  }

  for (const [, text] of await store.list(PREFIX)) {
    const { wire, entries, blocked } = JSON.parse(text) as StoredRelation;
    // Verified when it was written.
    const chain = toChain(entries);
    blocks.set(wire.relation_id, new Set(blocked));
    const state = { wire, chain, ledgerProblem: undefined, blocked: new Set(blocked) };
    const bare: RelationState = {
      ...state,
      trusted: undefined,
      weaker: false,
      agreed: undefined,
      current: { state: 'unloaded' },
      announced: undefined,
    };
    const announced = manifests.announced(wire.agent_id);
    states.set(wire.relation_id, { ...bare, announced });
  }
  show();

  return {
    views: { getSnapshot: views.getSnapshot, subscribe: views.subscribe },
    get: (relationId) => states.get(relationId),
    byConversation: (conversationId) =>
      [...states.values()].find(({ wire }) => wire.conversation_id === conversationId),
    byAgent: (agentId) => [...states.values()].find(({ wire }) => wire.agent_id === agentId && wire.status !== 'ended'),
    async sync() {
      for await (const { relations } of readPages((query) => api.call(listRelations, { query }))) {
        for (const wire of relations) await inTurn(wire.relation_id, () => take(wire));
      }
    },
    update: (relation) =>
      inTurn(typeof relation === 'string' ? relation : relation.relation_id, async () => {
        if (typeof relation !== 'string') return take(relation);
        return take(await api.call(readRelation, { params: { relation_id: relation } }));
      }),
    async block(relationId, scopes) {
      const state = states.get(relationId);
      if (state === undefined) return;
      blocks.set(relationId, new Set([...state.blocked, ...scopes]));
      await put(state);
    },
    async unblock(relationId) {
      const state = states.get(relationId);
      if (state === undefined || state.blocked.size === 0) return;
      const left = [...state.blocked].filter((id) => state.chain.granted.has(id) || id === EVERYTHING);
      blocks.set(relationId, new Set(left));
      await put(state);
    },
    redraw: show,
    async reread(agentId, change) {
      const ids = [...states.values()]
        .filter(({ wire }) => wire.agent_id === agentId)
        .map(({ wire }) => wire.relation_id);
      for (const id of ids) {
        await inTurn(id, async () => put(await complete({ ...states.get(id)!, ...change })));
      }
    },
  };
}
