import { createKeyedQueue, createObservable, type Locale, type Readable } from '@parley/base';
import type { Crypto, KeyPair } from '@parley/e2ee';
import {
  type Api,
  type BoundRelation,
  type Messenger,
  messengerError,
  type Store,
  type Trust,
  type UnboundRelation,
} from '@parley/messenger';
import { readPages } from '../pages.ts';
import { toChain } from './ledger.ts';
import type { Manifests } from './manifests.ts';
import { NO_GOSSIP, type RelationGossip } from './relation-gossip.ts';
import {
  EVERYTHING,
  type RelationState,
  type RelationView,
  type StoredRelation,
  viewRelation,
} from './relation-state.ts';
import type { ExecutorFloor } from './scope-level.ts';

export interface RegistryDeps {
  readonly api: Api;
  readonly store: Store;
  readonly crypto: Crypto;
  readonly accountId: string;
  readonly deviceId: string;
  readonly identity: KeyPair;
  readonly trust: Trust;
  readonly messenger: Pick<Messenger, 'bindConversation' | 'bindRelations' | 'refresh'>;
  readonly manifests: Manifests;
  locale(): Locale;
  readonly floor: ExecutorFloor;
  /** What the account's other devices say about a relation (EE-23). */
  gossipAbout(state: Omit<RelationState, 'gossip'>): RelationGossip;
  /** What was granted to the agent may have changed: whatever depends on it has to be checked again. */
  onChange(agentId: string): void;
  onProblem(problem: { readonly relationId: string; readonly ledger: string }): void;
  /** A row contradicts what was signed, and was refused (EE-15). */
  onRefused(relationId: string): void;
  /** Row and ledger agree with what was signed; what was told about them is over (EE-24). */
  onAgreement(relationId: string): void;
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
  update(relation: string | UnboundRelation): Promise<RelationState>;
  /** Revokes scopes on this device, before the server is told. */
  block(relationId: string, scopes: readonly string[]): Promise<void>;
  /** The server has been told: what its ledger no longer grants needs no block. */
  unblock(relationId: string): Promise<void>;
  /** The person takes a revocation back that the server was not told of. */
  release(relationId: string, scope: string): Promise<void>;
  /** Reads the agent's key, mode and manifest again. */
  reread(agentId: string): Promise<void>;
  /** Asks the server again for everything that it says about the agent and its relations (EE-24). */
  recheck(agentId: string): Promise<void>;
  /** Compares all relations once more: what a device signed that was revoked since may be void (EE-18). */
  rebind(): Promise<void>;
  /** Another device of the account has said something about them (EE-23). */
  reconsider(): void;
  /** Makes the views again, in the language chosen by now. */
  redraw(): void;
}

const PREFIX = 'client/relation/';

export async function loadRelationRegistry(deps: RegistryDeps): Promise<RelationRegistry> {
  const { store, trust, manifests } = deps;
  /** Relations of which the last read brought a problem. */
  const troubled = new Set<string>();
  const binder = deps.messenger.bindRelations({
    refused: (relationId) => {
      troubled.add(relationId);
      deps.onRefused(relationId);
    },
    broken: (relationId, ledger) => {
      troubled.add(relationId);
      deps.onProblem({ relationId, ledger });
    },
  });
  const states = new Map<string, RelationState>();
  // What was revoked here stays revoked, whatever is being read from the server meanwhile.
  const blocks = new Map<string, ReadonlySet<string>>();
  // Updates of one relation happen in order: a slow read must not undo a newer one.
  const { run: inTurn } = createKeyedQueue();
  /** By relation, the request that its row came with: pages are read out of turn, and a late one must not undo it. */
  const takenFrom = new Map<string, number>();
  let requests = 0;
  const views = createObservable<readonly RelationView[]>([]);

  const show = () =>
    views.set(
      [...states.values()].map((state) =>
        viewRelation(withManifest(state), { locale: deps.locale(), floor: deps.floor }),
      ),
    );

  /**
   * The manifest is known before the relation was read again. A call is judged by the one that is known, and so is what
   * waits for the person: compared with the one before, the scope of a changed tool would still count as granted (RL-9).
   */
  function withManifest(state: RelationState): RelationState {
    const agentId = state.wire.agent_id;
    const current = manifests.current(agentId);
    const announced = manifests.announced(agentId);
    if (isSameManifest(state, { current, announced })) return state;
    const next = { ...state, current, announced };
    states.set(state.wire.relation_id, next);
    return next;
  }

  const find = (fits: (state: RelationState) => boolean): RelationState | undefined => {
    const found = [...states.values()].find(fits);
    return found && withManifest(found);
  };
  const get = (relationId: string) => find(({ wire }) => wire.relation_id === relationId);

  const withGossip = (state: RelationState): RelationState => ({ ...state, gossip: deps.gossipAbout(state) });

  async function put(next: RelationState): Promise<void> {
    const { wire, chain } = next;
    const blocked = blocks.get(wire.relation_id) ?? new Set();
    states.set(wire.relation_id, withGossip({ ...next, blocked }));
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
    const weaker = trusted?.ok === true && trusted.weaker === true;
    return {
      ...state,
      trusted,
      weaker,
      agreed,
      current: manifests.current(agentId),
      announced: manifests.announced(agentId),
    };
  }

  /** Undefined if the row was refused: what was known of the relation stays as it is. */
  async function take(row: UnboundRelation): Promise<RelationState | undefined> {
    const before = states.get(row.relation_id);
    troubled.delete(row.relation_id);
    const bound = await binder.bind(row, before?.bound);
    if (bound === undefined) {
      if (before !== undefined) await put({ ...before, isRefused: true });
      return get(row.relation_id);
    }
    const {
      status,
      agent_id,
      current_manifest_version: version,
      current_manifest_hash: hash,
      agent_name: name,
    } = bound.row;
    if (status !== 'ended') await manifests.announce(agent_id, { version, hash, ...(name && { name }) });
    const state = await complete({
      ...fromBound(bound),
      knownHead: before?.knownHead ?? null,
      trusted: before?.trusted,
      agreed: before?.agreed,
      // Compared once more, but not asked of the server.
      isRefused: row === before?.wire && before.isRefused,
    });
    await put(state);
    if (row !== before?.wire && !troubled.has(row.relation_id)) deps.onAgreement(row.relation_id);
    return get(row.relation_id);
  }

  /** Takes the row, unless one that was asked for later is here already. */
  async function takeNewest(row: UnboundRelation, request: number): Promise<RelationState | undefined> {
    if ((takenFrom.get(row.relation_id) ?? 0) > request) return get(row.relation_id);
    const taken = await take(row);
    takenFrom.set(row.relation_id, request);
    return taken;
  }

  async function read(relationId: string): Promise<RelationState | undefined> {
    const request = ++requests;
    return takeNewest(await binder.read(relationId), request);
  }

  const inTurnOf = (row: UnboundRelation, request: number) => inTurn(row.relation_id, () => takeNewest(row, request));

  const idsOf = (agentId: string) =>
    [...states.values()].filter(({ wire }) => wire.agent_id === agentId).map(({ wire }) => wire.relation_id);

  for (const [, text] of await store.list(PREFIX)) {
    const { wire, entries, blocked } = JSON.parse(text) as StoredRelation;
    const bound = await binder.restore({ row: wire, entries });
    blocks.set(wire.relation_id, new Set(blocked));
    const announced = manifests.announced(wire.agent_id);
    const state = { ...fromBound(bound), blocked: new Set(blocked), announced, knownHead: bound.ledger.head };
    states.set(wire.relation_id, withGossip(state));
  }
  show();

  return {
    views: { getSnapshot: views.getSnapshot, subscribe: views.subscribe },
    get,
    byConversation: (conversationId) => find(({ wire }) => wire.conversation_id === conversationId),
    byAgent: (agentId) => find(({ wire }) => wire.agent_id === agentId && wire.status !== 'ended'),
    async sync() {
      let request = 0;
      const pages = readPages((position) => {
        request = ++requests;
        return binder.readPage(position);
      });
      for await (const { rows } of pages) {
        for (const row of rows) await inTurnOf(row, request);
      }
    },
    async update(relation) {
      const taken = await (typeof relation === 'string'
        ? inTurn(relation, () => read(relation))
        : inTurnOf(relation, ++requests));
      if (taken === undefined) throw messengerError('CONVERSATION_CHANGED');
      return taken;
    },
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
    async release(relationId, scope) {
      const state = states.get(relationId);
      if (state === undefined) return;
      blocks.set(relationId, new Set([...state.blocked].filter((id) => id !== scope)));
      await put(state);
    },
    async rebind() {
      for (const [id, { wire }] of [...states]) await inTurn(id, () => take(states.get(id)?.wire ?? wire));
    },
    redraw: show,
    reconsider() {
      const changed = [...states.values()].map(withGossip).filter((next) => {
        const { gossip } = states.get(next.wire.relation_id)!;
        return JSON.stringify(gossip) !== JSON.stringify(next.gossip);
      });
      if (changed.length === 0) return;
      for (const next of changed) states.set(next.wire.relation_id, next);
      show();
      for (const { wire } of changed) deps.onChange(wire.agent_id);
    },
    async reread(agentId) {
      for (const id of idsOf(agentId)) await inTurn(id, async () => put(await complete(states.get(id)!)));
    },
    async recheck(agentId) {
      deps.messenger.refresh({ kind: 'agent', id: agentId });
      for (const id of idsOf(agentId)) await inTurn(id, () => read(id));
    },
  };
}

function fromBound(bound: BoundRelation): RelationState {
  return {
    bound,
    wire: bound.row,
    chain: toChain(bound.ledger),
    ledgerProblem: bound.problem,
    isRefused: false,
    knownHead: null,
    blocked: new Set(),
    gossip: NO_GOSSIP,
    trusted: undefined,
    weaker: false,
    agreed: undefined,
    current: { state: 'unloaded' },
    announced: undefined,
  };
}

type KnownManifest = Pick<RelationState, 'current' | 'announced'>;

function isSameManifest(a: KnownManifest, b: KnownManifest): boolean {
  const textOf = ({ current }: KnownManifest) => (current.state === 'agrees' ? current.verified : current.state);
  return (
    textOf(a) === textOf(b) && a.announced?.hash === b.announced?.hash && a.announced?.version === b.announced?.version
  );
}
