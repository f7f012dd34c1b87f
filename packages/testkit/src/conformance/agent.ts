import { randomUUID } from 'node:crypto';
import type { Manifest } from '@parley/documents';
import { createPeer, fromBase64Url, type OwnKeys, seal, verifyPrekeyBundle } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { createApi, createMemoryStore, createMessenger, loadOwnKeys, type Messenger } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import {
  agentRoutes,
  authRoutes,
  conversationRoutes,
  deviceRoutes,
  isToolResponse,
  keyRoutes,
  type MsgSubtype,
  type ToolCall,
  type ToolResponse,
} from '@parley/protocol';
import { toolCall } from './manifest.ts';

/** An agent without checks of its own: it sends exactly what a test tells it to. */
export interface TestAgent {
  readonly agentId: string;
  /** Sends a call and waits for its response. */
  call(conversationId: string, call: Partial<ToolCall>): Promise<ToolResponse>;
  /** Sends a call without waiting. */
  send(conversationId: string, call: Partial<ToolCall>): Promise<void>;
  /** How often a call was answered. */
  answers(callId: string): number;
  publish(manifest: Manifest): Promise<void>;
  close(): Promise<void>;
}

/** `keyed` is an agent in webhook mode whose keys the test holds too. */
export async function startAgent(url: string, manifest: Manifest): Promise<TestAgent & { readonly keyed: KeyedAgent }> {
  const platform = createNodePlatform();
  const anyone = createApi({ baseUrl: url, platform, credentials: { kind: 'none' } });
  const account_password = randomUUID();
  const { access_token: accessToken } = await anyone.call(authRoutes.register, {
    body: { email: `${account_password}@example.org`, account_password, display_name: 'Owner' },
  });
  const owner = createApi({ baseUrl: url, platform, credentials: { kind: 'session', accessToken } });
  const create = () =>
    owner.call(agentRoutes.createAgent, {
      body: { name: 'Agent', visibility: 'public', capability_manifest: manifest },
    });
  const { agent_id: agentId, token } = await create();
  const api = createApi({ baseUrl: url, platform, credentials: { kind: 'agent', token } });
  const received: ToolResponse[] = [];
  const waiting = new Set<() => void>();
  const messenger = await createMessenger({
    api,
    identity: { kind: 'agent', agentId },
    mode: 'websocket',
    store: createMemoryStore(),
    platform,
    onMessage: ({ payload }) => {
      if (!isToolResponse(payload)) return;
      received.push(payload.artifact);
      for (const look of [...waiting]) look();
    },
  });
  const countOf = (callId: string) => received.filter(({ call_id }) => call_id === callId).length;
  const send = async (conversationId: string, call: Partial<ToolCall>) =>
    void (await messenger.send({ conversationId, payload: toolCall(call) }));
  const keyed = await startKeyed(url, await create());
  return {
    agentId,
    keyed,
    send,
    answers: countOf,
    call: async (conversationId, call) => {
      const call_id = call.call_id ?? randomUUID();
      const before = countOf(call_id);
      const answered = new Promise<ToolResponse>((resolve) => {
        const look = () => {
          if (countOf(call_id) === before) return;
          waiting.delete(look);
          resolve(received.findLast((one) => one.call_id === call_id)!);
        };
        waiting.add(look);
      });
      await send(conversationId, { ...call, call_id });
      return answered;
    },
    publish: async (next) => {
      await api.call(agentRoutes.updateAgent, { params: { agent_id: agentId }, body: { capability_manifest: next } });
    },
    close: async () => {
      await messenger.close();
      await keyed.close();
    },
  };
}

/** Seals messages by itself, including those that no messenger would send. */
export interface KeyedAgent {
  readonly agentId: string;
  /** Sends a tool call under this label, whether or not the label fits. */
  send(conversationId: string, call: Partial<ToolCall>, label: MsgSubtype): Promise<void>;
  close(): Promise<void>;
}

async function startKeyed(url: string, account: { agent_id: string; token: string }): Promise<KeyedAgent> {
  const { agent_id: agentId, token } = account;
  const platform = createNodePlatform();
  const api = createApi({ baseUrl: url, platform, credentials: { kind: 'agent', token } });
  const store = createMemoryStore();
  const identity = { kind: 'agent', agentId } as const;
  const messenger: Messenger = await createMessenger({
    api,
    identity,
    mode: 'webhook',
    store,
    platform,
    onMessage: () => {},
  });
  const keys = (await loadOwnKeys(store))!;
  const sender = { kind: 'agent', id: agentId } as const;
  const own: OwnKeys = { ...keys, sender, signedPrekeys: new Map(), oneTimePrekeys: new Map() };
  return {
    agentId,
    send: async (conversationId, call, label) => {
      const params = { conversation_id: conversationId };
      const { members } = await api.call(conversationRoutes.readConversation, { params });
      const person = members.find(({ kind }) => kind === 'human')!.id;
      const { devices } = await api.call(deviceRoutes.accountDevices, { params: { account_id: person } });
      const device = devices[0]!;
      const { bundles } = await api.call(keyRoutes.takeBundles, { body: { devices: [device.device_id] } });
      const pin = {
        kind: 'device',
        id: device.device_id,
        identityKey: device.identity_key,
        exchangeKey: device.exchange_key,
      } as const;
      const verified = verifyPrekeyBundle(nodeCrypto, bundles[0]!, pin);
      if (!verified.ok) throw new Error(`the device’s bundle: ${verified.problem}`);
      const peer = createPeer(
        { kind: 'human', id: person, device_id: device.device_id },
        { identityKey: fromBase64Url(device.identity_key)!, exchangeKey: fromBase64Url(device.exchange_key)! },
      );
      const header = {
        version: 1,
        conversation_id: conversationId,
        sender,
        client_message_id: randomUUID(),
        content_type: 'artifact',
        msg_subtype: label,
        created_at: new Date().toISOString(),
      } as const;
      const plaintext = new TextEncoder().encode(JSON.stringify(toolCall(call)));
      const recipients = [{ mode: 'webhook', peer, prekey: verified.bundle.signedPrekey } as const];
      const sealed = seal(nodeCrypto, own, { header, plaintext, recipients });
      if (!sealed.ok) throw new Error(`sealing: ${sealed.problem}`);
      await api.call(conversationRoutes.sendMessage, { params, body: sealed.envelope });
    },
    close: () => messenger.close(),
  };
}
