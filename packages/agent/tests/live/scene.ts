import { randomUUID } from 'node:crypto';
import { hashManifest, type Manifest } from '@parley/documents';
import { certifyDevice, generateEd25519, type KeyPair, proveDevice, signEntry, toBase64Url } from '@parley/e2ee';
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
  saveOwnKeys,
} from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import {
  agentRoutes,
  authRoutes,
  changeRelation,
  deviceRoutes,
  entryHash,
  establishRelation,
  isToolCall,
  type LedgerEntry,
  type LedgerScope,
  type Payload,
  type ToolCall,
  type ToolResponse,
} from '@parley/protocol';
import type { TestServer } from '@parley/testkit/live';
import { MANIFEST } from '../harness/manifest.ts';

type Answer = Omit<ToolResponse, 'subtype' | 'call_id'>;
/** What the device does with a call; undefined leaves it without an answer. */
export type Script = (call: ToolCall, message: Incoming) => Answer | undefined | Promise<Answer | undefined>;

interface Relation {
  readonly relationId: string;
  readonly conversationId: string;
  readonly agentId: string;
  last: LedgerEntry;
}

/** A person with one device that does as the test says: no guard, no prompts, those are the client's. */
export class Person {
  readonly received: Incoming[] = [];
  readonly problems: Problem[] = [];
  script: Script = () => ({ status: 'ok', result: null });
  readonly accountId: string;
  readonly deviceId: string;
  readonly api: Api;
  readonly #identity: KeyPair;
  messenger!: Messenger;

  private constructor(parts: { accountId: string; deviceId: string; identity: KeyPair; api: Api }) {
    this.accountId = parts.accountId;
    this.deviceId = parts.deviceId;
    this.#identity = parts.identity;
    this.api = parts.api;
  }

  static async join(server: TestServer): Promise<Person> {
    const platform = createNodePlatform();
    const anyone = createApi({ baseUrl: server.url, platform, credentials: { kind: 'none' } });
    const { user_id: accountId, access_token: accessToken } = await anyone.call(authRoutes.register, {
      body: { email: `${randomUUID()}@example.org`, account_password: 'correct horse battery', display_name: 'Ada' },
    });
    const api = createApi({ baseUrl: server.url, platform, credentials: { kind: 'session', accessToken } });
    const store = createMemoryStore();
    const keys = await loadOrCreateKeys(store, nodeCrypto, accountId);
    const account = generateEd25519(nodeCrypto);
    const accountKey = toBase64Url(account.publicKey);
    const subject = { accountId, identityKey: keys.identity.publicKey, exchangeKey: keys.exchange.publicKey };
    const certificate = certifyDevice(nodeCrypto, account, { subject, createdAt: new Date().toISOString() });
    const { session_id: sessionId } = await api.call(authRoutes.me);
    const { device_id: deviceId } = await api.call(deviceRoutes.addDevice, {
      body: {
        name: 'laptop',
        identity_key: certificate.identity_key,
        exchange_key: certificate.exchange_key,
        account_key: accountKey,
        certificate,
        proof: proveDevice(nodeCrypto, keys.identity, { accountId, sessionId }),
      },
    });
    await saveOwnKeys(store, { ...keys, accountKey });
    const person = new Person({ accountId, deviceId, identity: keys.identity, api });
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

  /** Adds an agent and grants it scopes, signed (RL-10). */
  async add(agentId: string, scopes: LedgerScope[] = [], manifest: Manifest = MANIFEST): Promise<Relation> {
    const relationId = uuid7();
    const entry = this.#sign({
      relation_id: relationId,
      agent_id: agentId,
      scopes,
      manifest_hash: hashManifest(manifest),
    });
    const { conversation_id } = await this.api.call(establishRelation, {
      body: {
        agent_id: agentId,
        relation_id: relationId,
        granted_scopes: scopes.map(({ id }) => id),
        ledger_entry: entry,
      },
    });
    return { relationId, conversationId: conversation_id, agentId, last: entry };
  }

  async change(relation: Relation, scopes: LedgerScope[]): Promise<void> {
    const { last } = relation;
    const entry = this.#sign({ ...last, action: 'change', seq: last.seq + 1, prev: entryHash(last), scopes });
    await this.api.call(changeRelation, {
      params: { relation_id: relation.relationId },
      body: { granted_scopes: scopes.map(({ id }) => id), ledger_entry: entry },
    });
    relation.last = entry;
  }

  #sign(fields: Pick<LedgerEntry, 'relation_id' | 'agent_id' | 'scopes' | 'manifest_hash'> & Partial<LedgerEntry>) {
    const { signature: _, ...entry } = { signature: '', ...fields };
    return signEntry(
      nodeCrypto,
      {
        version: 1,
        seq: 1,
        prev: null,
        action: 'grant',
        account_id: this.accountId,
        device_id: this.deviceId,
        manifest_version: 1,
        ...entry,
        created_at: new Date().toISOString(),
      },
      this.#identity,
    );
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

function uuid7(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
