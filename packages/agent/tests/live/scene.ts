import { randomUUID } from 'node:crypto';
import { hashManifest, type Manifest } from '@parley/documents';
import { toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import {
  type Api,
  createApi,
  createMemoryStore,
  createMessenger,
  type Incoming,
  loadOrCreateKeys,
  type Messenger,
  type Problem,
} from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import {
  agentRoutes,
  authRoutes,
  changeRelation,
  conversationRoutes,
  deviceRoutes,
  establishRelation,
  isToolCall,
  type LedgerScope,
  type Payload,
  type ToolCall,
  type ToolResponse,
} from '@parley/protocol';
import { knownAccount, SignedAccount, SignedGroup, SignedLedger, type TestDevice } from '@parley/testkit/account';
import type { TestServer } from '@parley/testkit/live';
import { MANIFEST } from '../harness/manifest.ts';

const PASSWORD = 'correct horse battery';

type Answer = Omit<ToolResponse, 'subtype' | 'call_id'>;
/** What the device does with a call; undefined leaves it without an answer. */
export type Script = (call: ToolCall, message: Incoming) => Answer | undefined | Promise<Answer | undefined>;

interface Relation {
  readonly relationId: string;
  readonly conversationId: string;
  readonly agentId: string;
  readonly ledger: SignedLedger;
}

/** A person with one device that does as the test says: no guard, no prompts, those are the client's. */
export class Person {
  readonly received: Incoming[] = [];
  readonly problems: Problem[] = [];
  script: Script = () => ({ status: 'ok', result: null });
  readonly email: string;
  readonly accountId: string;
  readonly device: TestDevice;
  /** All that the person's keepers can sign. */
  readonly account: SignedAccount;
  readonly api: Api;
  messenger!: Messenger;

  private constructor(parts: { email: string; account: SignedAccount; device: TestDevice; api: Api }) {
    this.email = parts.email;
    this.account = parts.account;
    this.accountId = parts.account.accountId;
    this.device = parts.device;
    this.api = parts.api;
  }

  static async join(server: TestServer): Promise<Person> {
    const platform = createNodePlatform();
    const email = `${randomUUID()}@example.org`;
    const anyone = createApi({ baseUrl: server.url, platform, credentials: { kind: 'none' } });
    const { user_id: accountId, access_token: accessToken } = await anyone.call(authRoutes.register, {
      body: { email, account_password: PASSWORD, display_name: 'Ada' },
    });
    const api = createApi({ baseUrl: server.url, platform, credentials: { kind: 'session', accessToken } });
    const store = createMemoryStore();
    const { identity, exchange } = await loadOrCreateKeys(store, nodeCrypto, accountId);
    const account = new SignedAccount(accountId);
    const device = SignedAccount.makeDevice({ identity, exchange });
    const { deviceId } = device;
    await api.call(deviceRoutes.addDevice, {
      body: {
        name: 'laptop',
        identity_key: toBase64Url(identity.publicKey),
        exchange_key: toBase64Url(exchange.publicKey),
        device_id: deviceId,
        statement: account.create(device),
      },
    });
    await store.write(knownAccount(account));
    const person = new Person({ email, account, device, api });
    person.messenger = await createMessenger({
      api,
      identity: { kind: 'human', accountId, deviceId },
      mode: 'websocket',
      store,
      platform,
      onMessage: (message) => person.#take(message),
      onProblem: (problem) => void person.problems.push(problem),
    });
    return person;
  }

  async createAgent(manifest: Manifest = MANIFEST): Promise<{ agentId: string; token: string }> {
    const { agent_id, token } = await this.api.call(agentRoutes.createAgent, {
      body: { name: 'Bot', visibility: 'public', capability_manifest: manifest },
    });
    return { agentId: agent_id, token };
  }

  /**
   * Adds an agent and grants it scopes, signed (RL-10), to the key that it has by now (EE-19). One that has never started
   * has none, so nothing can be signed.
   */
  async add(agentId: string, scopes: LedgerScope[] = [], manifest: Manifest = MANIFEST): Promise<Relation> {
    const { identity_key: key } = await this.api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
    const ledger = new SignedLedger({ accountId: this.accountId, agentId, agentKey: key ?? '' });
    const { relationId, conversationId } = ledger;
    const sign = () => ledger.sign(this.device, scopes, { manifest_hash: hashManifest(manifest) });
    await this.api.call(establishRelation, {
      body: {
        agent_id: agentId,
        relation_id: relationId,
        conversation_id: conversationId,
        granted_scopes: scopes.map(({ id }) => id),
        ...(key === null ? {} : { ledger_entry: sign() }),
      },
    });
    return { relationId, conversationId, agentId, ledger };
  }

  async change({ relationId, ledger }: Relation, scopes: LedgerScope[]): Promise<void> {
    const { manifest_hash } = ledger.entries.at(-1)!;
    const entry = ledger.sign(this.device, scopes, { manifest_hash });
    await this.api.call(changeRelation, {
      params: { relation_id: relationId },
      body: { granted_scopes: scopes.map(({ id }) => id), ledger_entry: entry },
    });
  }

  /** A group with an agent, signed (EE-20). */
  async startGroup(agentId: string): Promise<string> {
    const group = new SignedGroup();
    const by = { kind: 'human' as const, id: this.accountId, device_id: this.device.deviceId };
    const members = [{ kind: 'agent' as const, id: agentId, role: 'member' as const }];
    const signer = { by, identity: this.device.identity };
    const statement = group.sign(signer, { action: 'create', title: 'Us', members });
    const { conversationId: conversation_id } = group;
    await this.api.call(conversationRoutes.startConversation, {
      body: { kind: 'group', title: 'Us', members: [{ kind: 'agent', id: agentId }], conversation_id, statement },
    });
    return conversation_id;
  }

  /** A session of its own, as on another device. */
  async signIn(server: TestServer): Promise<Api> {
    const platform = createNodePlatform();
    const anyone = createApi({ baseUrl: server.url, platform, credentials: { kind: 'none' } });
    const { access_token: accessToken } = await anyone.call(authRoutes.login, {
      body: { email: this.email, account_password: PASSWORD },
    });
    return createApi({ baseUrl: server.url, platform, credentials: { kind: 'session', accessToken } });
  }

  send(conversationId: string, payload: Payload): Promise<unknown> {
    return this.messenger.send({ conversationId, payload });
  }
  say(conversationId: string, text: string): Promise<unknown> {
    return this.send(conversationId, { type: 'text', text });
  }
  answer(conversationId: string, callId: string, answer: Answer): Promise<unknown> {
    return this.send(conversationId, {
      type: 'artifact',
      artifact: { subtype: 'tool_response', call_id: callId, ...answer },
    });
  }

  get texts(): string[] {
    return this.received.flatMap(({ payload }) => (payload.type === 'text' ? [payload.text] : []));
  }
  get calls(): ToolCall[] {
    return this.received.flatMap(({ payload }) => (isToolCall(payload) ? [payload.artifact] : []));
  }

  async #take(message: Incoming): Promise<void> {
    this.received.push(message);
    const { payload, conversationId } = message;
    if (!isToolCall(payload)) return;
    const answer = await this.script(payload.artifact, message);
    // Not awaited: the next call must not wait until the server has this answer.
    if (answer !== undefined) void this.answer(conversationId, payload.artifact.call_id, answer).catch(() => {});
  }
}
