import { randomUUID } from 'node:crypto';
import { proveDevice, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import {
  type Api,
  createApi,
  createMemoryStore,
  createMessenger,
  type Incoming,
  loadOrCreateKeys,
  type Messenger,
  type MessengerOptions,
  type Platform,
  type PlatformEvent,
  type Problem,
  type Status,
  type Store,
  type TransientEvent,
} from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { agentRoutes, authRoutes, deviceRoutes, establishRelation } from '@parley/protocol';
import { knownAccount, SignedAccount } from '@parley/testkit/account';
import type { TestServer } from '@parley/testkit/live';

/** A store that survives the process it served: closed by one, opened by the next. */
export class Disk {
  readonly entries: Map<string, string>;
  constructor(entries: Iterable<[string, string]> = []) {
    this.entries = new Map(entries);
  }
  open(): Store {
    return createMemoryStore(this.entries);
  }
}

export interface Party {
  readonly api: Api;
  readonly messenger: Messenger;
  readonly received: Incoming[];
  readonly events: PlatformEvent[];
  readonly live: TransientEvent[];
  readonly problems: Problem[];
  readonly statuses: Status[];
}

export interface Account {
  readonly id: string;
  readonly email: string;
  /** All that its keepers and its recovery secret can sign. */
  readonly signed: SignedAccount;
}
const PASSWORD = 'correct horse battery';

async function begin(
  options: Omit<MessengerOptions, 'onMessage' | 'platform'> & Partial<MessengerOptions>,
): Promise<Party> {
  const party = {
    received: [] as Incoming[],
    events: [] as PlatformEvent[],
    live: [] as TransientEvent[],
    problems: [] as Problem[],
    statuses: [] as Status[],
  };
  const messenger = await createMessenger({
    platform: createNodePlatform(),
    onMessage: (message) => void party.received.push(message),
    onEvent: (event) => void party.events.push(event),
    onTransient: (event) => void party.live.push(event),
    onProblem: (problem) => void party.problems.push(problem),
    onStatus: (status) => void party.statuses.push(status),
    ...options,
  });
  return { api: options.api, messenger, ...party };
}

export async function signUp(server: TestServer): Promise<Account> {
  const api = createApi({ baseUrl: server.url, platform: createNodePlatform(), credentials: { kind: 'none' } });
  const email = `${randomUUID()}@example.org`;
  const { user_id } = await api.call(authRoutes.register, {
    body: { email, account_password: PASSWORD, display_name: 'Ada' },
  });
  return { id: user_id, email, signed: new SignedAccount(user_id) };
}

async function signIn(server: TestServer, { email }: Account, platform: Platform = createNodePlatform()): Promise<Api> {
  const anyone = createApi({ baseUrl: server.url, platform, credentials: { kind: 'none' } });
  const { access_token } = await anyone.call(authRoutes.login, { body: { email, account_password: PASSWORD } });
  return createApi({ baseUrl: server.url, platform, credentials: { kind: 'session', accessToken: access_token } });
}

/** What the client does for real: the first device begins the list, the others are added to it; or it is found again. */
async function registerDevice(
  api: Api,
  { id, signed }: Account,
  { store, isLetIn }: { store: Store; isLetIn: boolean },
): Promise<string> {
  const { identity, exchange } = await loadOrCreateKeys(store, nodeCrypto, id);
  const keys = { identity_key: toBase64Url(identity.publicKey), exchange_key: toBase64Url(exchange.publicKey) };
  const { session_id: sessionId } = await api.call(authRoutes.me);
  const proof = proveDevice(nodeCrypto, identity, { accountId: id, sessionId });
  const isKnown = (await store.get(`list/${id}`)) !== undefined;
  const device = SignedAccount.makeDevice({ identity, exchange });
  const isFirst = signed.statements.length === 0;
  const place = isFirst && isLetIn ? { device_id: device.deviceId, statement: signed.create(device) } : {};
  const { device_id: deviceId } = await api.call(deviceRoutes.addDevice, {
    body: { name: 'laptop', ...keys, ...place, proof },
  });
  if (isKnown) return deviceId;
  if (!isLetIn) signed.create({ ...device, deviceId });
  else if (!isFirst) {
    const statement = signed.add({ ...device, deviceId });
    await api.call(deviceRoutes.appendDeviceStatement, { body: { statement } });
  }
  await store.write(knownAccount(signed));
  return deviceId;
}

export async function startDevice(
  server: TestServer,
  account: Account,
  options: Partial<MessengerOptions> = {},
  /** Not let in: nobody has signed that it is a device of the account, but itself. */
  { isLetIn = true } = {},
): Promise<Party & { deviceId: string }> {
  const store = options.store ?? createMemoryStore();
  const api = await signIn(server, account, options.platform);
  const deviceId = await registerDevice(api, account, { store, isLetIn });
  const party = await begin({
    api,
    identity: { kind: 'human', accountId: account.id, deviceId },
    mode: 'websocket',
    store,
    ...options,
  });
  return { ...party, deviceId };
}

export interface AgentAccount {
  readonly agentId: string;
  readonly token: string;
}

export async function createAgent(api: Api, more: object = {}): Promise<AgentAccount> {
  const { agent_id, token } = await api.call(agentRoutes.createAgent, {
    body: { name: 'Bot', visibility: 'public', ...more },
  });
  return { agentId: agent_id, token };
}

export async function startAgent(
  server: TestServer,
  { agentId, token }: AgentAccount,
  options: Partial<MessengerOptions> = {},
): Promise<Party> {
  const platform = options.platform ?? createNodePlatform();
  const api = createApi({ baseUrl: server.url, platform, credentials: { kind: 'agent', token } });
  return begin({
    api,
    identity: { kind: 'agent', agentId },
    mode: 'websocket',
    store: createMemoryStore(),
    ...options,
  });
}

export async function relate(api: Api, agentId: string): Promise<string> {
  const { conversation_id } = await api.call(establishRelation, { body: { agent_id: agentId, granted_scopes: [] } });
  return conversation_id;
}

export const text = (words: string) => ({ type: 'text' as const, text: words });
export const words = ({ received }: Party) => received.map(({ payload }) => (payload as { text: string }).text);

/** Everyone of a test file, closed together. */
export class Cast {
  private readonly parties: Party[] = [];
  add<P extends Party>(party: P): P {
    this.parties.push(party);
    return party;
  }
  /** Someone with a device, and an agent they have added, which has yet to start. */
  async introduce(server: TestServer, options: Partial<MessengerOptions> = {}) {
    const ada = await signUp(server);
    const device = this.add(await startDevice(server, ada, options));
    const account = await createAgent(device.api);
    const conversationId = await relate(device.api, account.agentId);
    return { ada, device, account, conversationId };
  }
  async close(): Promise<void> {
    await Promise.all(this.parties.map(({ messenger }) => messenger.close()));
  }
}
