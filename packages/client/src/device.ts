import { createDeferred, createObservable, type Locale, type Readable } from '@parley/base';
import {
  type Api,
  ApiError,
  createMessenger,
  loadList,
  type Messenger,
  type OwnKeysRecord,
  type Platform,
  type Status,
  type Store,
} from '@parley/messenger';
import { authRoutes, type ToolCall } from '@parley/protocol';
import { readChainHeads } from './account/chain-heads.ts';
import { createDevices, type Devices } from './account/devices.ts';
import { findListing } from './account/find-listing.ts';
import { type LoginSession, reasonOf, type SignedOutReason } from './account/login-session.ts';
import type { OtherDevice } from './account/other-device.ts';
import type { OwnDevice } from './account/register-device.ts';
import { type Consents, createConsents } from './agents/consents.ts';
import { type AgentDirectory, createAgentDirectory } from './agents/directory.ts';
import { loadManifests } from './agents/manifests.ts';
import { loadRelationRegistry } from './agents/relation-registry.ts';
import type { RelationState, RelationView } from './agents/relation-state.ts';
import type { ExecutorFloor } from './agents/scope-level.ts';
import { createSystemAgent } from './agents/system-agent.ts';
import { type AgentWatch, watchAgent } from './agents/watch-agent.ts';
import { openAuditLog } from './audit/log.ts';
import type { AuditLog } from './audit/types.ts';
import { type Contacts, loadContacts } from './contacts/contacts.ts';
import { type Conversations, loadConversations } from './conversations/conversations.ts';
import { createDispatcher, type Dispatcher } from './dispatch.ts';
import { cardDraftKey, type Drafts, loadDrafts, OTHER_DRAFTS } from './drafts.ts';
import { describeCall } from './executors/describe.ts';
import type { CallDescription, Executor } from './executors/types.ts';
import { createGossip, type Gossip } from './gossip/gossip.ts';
import { loadHeardHeads } from './gossip/heard-heads.ts';
import { judgeRelation } from './gossip/judge-relation.ts';
import { loadPermissions } from './guard/permissions.ts';
import { createPrompts, type Prompt } from './guard/prompts.ts';
import { createRunner, type Runner } from './guard/runner.ts';
import { createGuardContextSource } from './guard-context.ts';
import { newId } from './new-id.ts';
import { createProblems, type Problems } from './problems.ts';
import { createRememberedAnswers, type RememberedAnswers } from './remembered-answers.ts';

type Party = { readonly kind: 'account' | 'agent'; readonly id: string };

export interface Relations
  extends Readable<readonly RelationView[]>,
    Omit<Consents, 'flush' | 'signOld' | 'signForNewKey'> {
  sync(): Promise<void>;
}

/** Comparing and confirming the keys of others (EE-9). */
export interface Identities {
  /** Sixty digits that both sides can compare. */
  safetyNumber(party: Party): Promise<string>;
  /** The person has compared the safety number. */
  markVerified(party: Party): Promise<void>;
  /** The person has looked at the new key and accepts it; silent windows of the agent end. */
  confirm(party: Party, key: string): Promise<void>;
}

/** A device of someone who is signed in, approved and at work. */
type DescribedCall = Pick<ToolCall, 'tool_name' | 'permission_scope' | 'arguments'>;

export interface Device {
  readonly accountId: string;
  readonly deviceId: string;
  readonly deviceName: string;
  /** The routes of the server, called as this person. */
  readonly api: Api;
  readonly connection: Readable<Status>;
  readonly prompts: Readable<readonly Prompt[]>;
  /** Can this device run the tool for the agent? With `other_scope`, only under another scope or for another agent. */
  findTool(wanted: Pick<Executor, 'tool' | 'scope' | 'agentId'>): 'ready' | 'other_scope' | 'missing';
  /** Says what a call does as the question about it does (WC-12); undefined where only its agent describes the tool. */
  describeCall(call: DescribedCall, about: { agentId: string; locale: Locale }): CallDescription | undefined;
  /** Stops a call that this device is running. */
  cancelCall: Runner['cancel'];
  readonly problems: Problems;
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  readonly contacts: Contacts;
  readonly agents: AgentDirectory;
  readonly relations: Relations;
  readonly remembered: RememberedAnswers;
  readonly identities: Identities;
  readonly devices: Devices & {
    /** Other devices that have not confirmed yet that they know of the newest revocation (EE-23). */
    readonly unaware: Readable<readonly OtherDevice[]>;
  };
  readonly audit: AuditLog;
  /** Follows what happens around an agent of the person's own (HS-12), until it is stopped. */
  watchAgent(agentId: string): AgentWatch;
}

export interface DeviceOptions {
  readonly session: LoginSession;
  readonly own: OwnDevice;
  readonly keys: OwnKeysRecord;
  readonly store: Store;
  readonly platform: Platform;
  readonly executors: readonly Executor[];
  readonly audit: AuditLog | undefined;
  locale(): Locale;
  /** The device was revoked or its login session has ended: nobody is signed in here any more. */
  onRevoked(reason: SignedOutReason): void;
}

/** The device, with what only the client may do. */
export interface OpenDevice extends Device {
  /** The language has changed: the texts of the relations are made again. */
  redraw(): void;
  close(): Promise<void>;
  /** Another tab has taken the store: stops at once. What was read and typed stays in memory. */
  abandon(): Promise<void>;
}

const CATCH_UP_MS = 60 * 60_000;

export async function openDevice(options: DeviceOptions): Promise<OpenDevice> {
  const { session, own, keys, platform, executors, locale } = options;
  const { api, userId: accountId } = session;
  const { deviceId } = own;
  // The messenger closes its store, but this one is used until the client closes.
  const store: Store = { ...options.store, close: async () => {} };
  const problems = createProblems(platform.now);
  const report = (error: unknown) => problems.note({ kind: 'error', error });
  const endProblems = (kind: 'manifest' | 'relation', id: string) =>
    problems.end((problem) => {
      if (kind === 'manifest') return problem.kind === 'manifest' && problem.agentId === id;
      if (problem.kind === 'ledger') return problem.relationId === id;
      return problem.kind === 'row' && problem.subject === 'relation' && problem.id === id;
    });
  const background = (work: Promise<unknown>) => void work.catch(report);

  const audit = options.audit ?? (await openAuditLog({ store, crypto: platform.crypto, identity: keys.identity }));
  const connection = createObservable<Status>('connecting');
  // The messenger calls back as soon as it exists, which is before everything that listens does.
  const { promise: ready, resolve: makeReady } = createDeferred<Dispatcher>();
  let recheck = (_agentId: string): void => {};
  let agreedTo: Parameters<typeof loadManifests>[0]['agreed'] = () => undefined;
  const prompts = createPrompts(platform);
  const heard = await loadHeardHeads({ store, crypto: platform.crypto, accountId, deviceId });
  const permissions = await loadPermissions(store, {
    deviceId,
    newId: () => newId(platform),
    isListed: (id) => heard.others().some((other) => other.deviceId === id),
  });
  const drafts = await loadDrafts(store);
  const manifests = await loadManifests({
    api,
    store,
    agreed: (agentId) => agreedTo(agentId),
    onProblem: (agentId, problem) => {
      problems.note({ kind: 'manifest', agentId, problem });
      if (problem === 'dropped') endProblems('manifest', agentId);
    },
    onAgreement: (agentId) => endProblems('manifest', agentId),
  });
  // Of the gossip, which needs the messenger and is made further down.
  let headsFor: Gossip['headsFor'] = () => undefined;
  let settled: Gossip['settled'] = async () => {};
  const messenger: Messenger = await createMessenger({
    api,
    identity: { kind: 'human', accountId, deviceId },
    mode: 'websocket',
    store,
    platform,
    headsFor: (conversationId) => headsFor(conversationId),
    heard: {
      list: (id) => heard.about({ kind: 'devices', id }).flatMap(({ head }) => (head.kind === 'devices' ? [head] : [])),
      group: (id) => heard.about({ kind: 'group', id }).flatMap(({ head }) => (head.kind === 'group' ? [head] : [])),
    },
    onMessage: async (message) => (await ready).onMessage(message),
    onEvent: async (event) => (await ready).onEvent(event),
    onStatus(status) {
      connection.set(status);
      if (status === 'online') background(ready.then(catchUp));
    },
    onTransient: (event) => void ready.then((dispatcher) => dispatcher.onTransient(event)),
    onProblem: (problem) => void ready.then((dispatcher) => dispatcher.onProblem(problem)),
  });
  const { trust } = messenger;

  const findExecutor = (tool: string, scope: string) =>
    executors.find((executor) => executor.tool === tool && executor.scope === scope);
  const floor: ExecutorFloor = ({ agentId, tool, scope }) => {
    const executor = findExecutor(tool, scope);
    return executor?.agentId === undefined || executor.agentId === agentId ? executor?.sensitivity : undefined;
  };

  const registryDeps = {
    api,
    store,
    crypto: platform.crypto,
    accountId,
    deviceId,
    identity: keys.identity,
    trust,
    messenger,
    manifests,
    locale,
    floor,
    gossipAbout: (state: Omit<RelationState, 'gossip'>) => judgeRelation(heard, accountId, state),
    onChange: (agentId: string) => recheck(agentId),
    onProblem: ({ relationId, ledger }: { relationId: string; ledger: string }) =>
      problems.note({ kind: 'ledger', relationId, problem: ledger }),
    onRefused: (relationId: string) => void problems.note({ kind: 'row', subject: 'relation', id: relationId }),
    onAgreement: (relationId: string) => endProblems('relation', relationId),
  };
  const registry = await loadRelationRegistry(registryDeps);
  agreedTo = (agentId) => {
    // Whatever the server says of a relation, such as that it has ended, what was signed in it was signed.
    const mine = registry.views.getSnapshot().filter((view) => view.agentId === agentId);
    const chains = mine.flatMap(({ relationId }) => registry.get(relationId)?.chain ?? []);
    const [last] = chains.sort((a, b) => b.manifestVersion - a.manifestVersion);
    return last && { version: last.manifestVersion, hash: last.manifestHash };
  };
  const consents = createConsents({ ...registryDeps, platform, registry, closeWindows: permissions.closeWindows });
  const agents = createAgentDirectory({ api, trust, manifests, registry, floor, locale });
  const systemAgent = createSystemAgent({ store, platform, accountId, agents, registry, consents });
  const conversations = await loadConversations({
    api,
    store,
    platform,
    messenger,
    self: { kind: 'human', id: accountId, device_id: deviceId },
    identity: keys.identity,
    agentOf(conversationId) {
      const state = registry.byConversation(conversationId);
      return state && { agentId: state.wire.agent_id, name: state.wire.agent_name };
    },
    onUnkept: (conversationId, text) => drafts.giveBack(`message/${conversationId}`, text),
    onErase: (conversationId, card) => {
      if (card === undefined) drafts.remove(`message/${conversationId}`);
      const key = card && cardDraftKey(conversationId, card.sender, card.artifactId);
      for (const prefix of ['', OTHER_DRAFTS]) {
        if (key === undefined) drafts.remove(`${prefix}card/${conversationId}/`);
        else drafts.set(prefix + key, '');
      }
    },
    onProblem: report,
  });
  const contacts = await loadContacts({
    api,
    store,
    startWithPerson: conversations.startWithPerson,
    syncConversations: conversations.sync,
  });
  const runner = createRunner({
    messenger,
    platform,
    store,
    audit,
    prompts,
    permissions,
    source: createGuardContextSource({
      registry,
      manifests,
      platform,
      settled: () => settled(),
      report,
    }),
    findExecutor,
    locale,
    onCall: conversations.showCall,
    onProblem: report,
  });
  const devices = createDevices({
    api,
    store,
    platform,
    userId: accountId,
    own,
    keys,
    sync: async () => {
      messenger.refresh({ kind: 'account', id: accountId });
      await trust.account(accountId);
      await messenger.flush();
    },
    changed: () => listChanged(),
    heads: async (list) => {
      await registry.sync();
      await messenger.flush();
      return readChainHeads(store, { accountId, list });
    },
    hold: messenger.holdDeviceList,
    onRevoked: () => options.onRevoked('revoked'),
  });

  /** What a device signed that was revoked since may be void, and what it said counts no more (EE-18, EE-23). */
  async function listChanged(): Promise<void> {
    await gossip.listChanged();
    remembered.redraw();
    await registry.rebind();
  }
  async function readOwnList(): Promise<void> {
    await devices.refresh();
    await listChanged();
  }
  async function refreshDevices(): Promise<void> {
    const before = heard.list()?.list.head;
    await devices.refresh();
    await gossip.listChanged();
    remembered.redraw();
    if (heard.list()?.list.head !== before) await registry.rebind();
  }
  const gossip = createGossip({
    accountId,
    deviceId,
    store,
    platform,
    messenger,
    trust,
    registry,
    manifests,
    heard,
    problems,
    denials: permissions.accountDenials,
    recheck: (agentId) => recheck(agentId),
    readOwnList,
    background,
  });
  ({ headsFor, settled } = gossip);
  permissions.accountDenials.subscribe(gossip.changed);

  const dispatcher = createDispatcher({
    accountId,
    deviceId,
    runner,
    conversations,
    contacts,
    registry,
    manifests,
    permissions,
    problems,
    gossip,
    wasWithBlocked,
    listedAt,
    devicesChanged: readOwnList,
    isSessionOver,
    background,
  });
  recheck = (agentId) => {
    runner.recheck(agentId);
    conversations.refreshTitles();
    gossip.changed();
  };
  makeReady(dispatcher);

  /** Is it a conversation with someone whom the person blocks, or did while messages went missing (AC-6)? */
  async function wasWithBlocked(conversationId: string): Promise<boolean> {
    const { kind, members } = await messenger.conversation(conversationId);
    return kind === 'h2h' && contacts.wasBlocked(members.map(({ id }) => id));
  }

  let knownListedAt: string | undefined;
  /** As the statement says that put this device into the list. */
  async function listedAt(): Promise<string | undefined> {
    knownListedAt ??= findListing((await loadList(store, platform.crypto, accountId))?.statements ?? [], deviceId);
    return knownListedAt;
  }

  /** Was the login session ended elsewhere, revoked, or has it expired? Then the server refuses a renewed token, too. */
  async function isSessionOver(): Promise<boolean> {
    try {
      await api.call(authRoutes.me);
      return false;
    } catch (error) {
      const isOver = error instanceof ApiError && error.status === 401;
      if (isOver) options.onRevoked(reasonOf(error));
      return isOver;
    }
  }

  async function catchUp(): Promise<void> {
    await refreshDevices();
    await prune();
    background(contacts.sync().then(conversations.admitInvited));
    await Promise.all([registry.sync(), conversations.sync()]);
    gossip.caughtUp();
    await consents.flush();
    await consents.signOld();
    await systemAgent.add();
  }

  /** EE-25: only while the server's clock and this device's agree. */
  async function prune(): Promise<void> {
    const time = api.clock.pruningTime();
    if (time === undefined) return;
    await audit.prune(time);
    await runner.prune(time);
    await permissions.prune(time);
  }

  let stopTimer = () => {};
  /** EE-24: what the server says is read again, also while a connection lasts: nobody announces the end of a lie. */
  function catchUpLater(): void {
    stopTimer = platform.setTimer(() => {
      if (connection.getSnapshot() === 'online') background(catchUp());
      catchUpLater();
    }, CATCH_UP_MS);
  }

  const now = () => platform.now().getTime();
  const remembered = createRememberedAnswers({
    permissions,
    relations: registry.views,
    others: heard.others,
    locale,
    now,
  });

  background(runner.resume());
  background(conversations.resume());
  catchUpLater();

  return {
    accountId,
    deviceId,
    deviceName: own.name,
    api,
    connection,
    prompts,
    findTool({ tool, scope, agentId }) {
      const found = executors.filter((executor) => executor.tool === tool);
      const isFor = (one: Executor) => one.scope === scope && (one.agentId ?? agentId) === agentId;
      if (found.some(isFor)) return 'ready';
      return found.length === 0 ? 'missing' : 'other_scope';
    },
    describeCall({ tool_name, permission_scope, arguments: args }, about) {
      const executor = findExecutor(tool_name, permission_scope);
      const isFor = executor !== undefined && (executor.agentId ?? about.agentId) === about.agentId;
      return isFor ? describeCall(executor, args, about.locale) : undefined;
    },
    cancelCall: runner.cancel,
    problems,
    conversations,
    drafts,
    contacts,
    agents,
    relations: { ...registry.views, ...consents, sync: registry.sync },
    remembered,
    identities: {
      safetyNumber: trust.safetyNumber,
      markVerified: async (party) => {
        await trust.markVerified(party);
        if (party.kind === 'agent') await registry.reread(party.id);
      },
      async confirm(party, key) {
        if (party.kind === 'agent') await permissions.closeWindows(party.id);
        await trust.accept(party, key);
        problems.clear((one) => one.kind === 'identity_changed' && one.party.id === party.id);
        if (party.kind !== 'agent') return;
        await registry.reread(party.id);
        await consents.signForNewKey(party.id);
      },
    },
    devices: { ...devices, refresh: refreshDevices, unaware: gossip.unaware },
    audit,
    watchAgent: (agentId) => watchAgent({ api, platform, agentId }),
    redraw() {
      registry.redraw();
      remembered.redraw();
    },
    async close() {
      stopTimer();
      await drafts.flush();
      systemAgent.stop();
      await runner.close();
      await gossip.close();
      await messenger.close();
    },
    async abandon() {
      stopTimer();
      systemAgent.stop();
      // First of all: the ratchets are another tab's now.
      const closing = messenger.abandon();
      await Promise.allSettled([closing, runner.close(), gossip.close()]);
    },
  };
}
