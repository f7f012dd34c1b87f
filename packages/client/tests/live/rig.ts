import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { type Readable, waitUntil as waitForValue } from '@parley/base';
import type { Json, JsonObject, Manifest } from '@parley/documents';
import {
  type Api,
  createApi,
  createMemoryStore,
  createMessenger,
  type Incoming,
  type Messenger,
  type MessengerOptions,
  type Platform,
  type PlatformEvent,
  type Socket,
  type Store,
} from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { agentRoutes, type Payload, type ToolCall, type ToolResponse } from '@parley/protocol';
import type { TestServer } from '@parley/testkit/live';
import { inTime } from '@parley/testkit/until';
import { type Client, type ClientOptions, createClient } from '../../src/client.ts';
import type { Device } from '../../src/device.ts';
import type { Executor } from '../../src/executors/types.ts';
import { MANIFEST } from '../guard-fixtures.ts';

/** A platform whose clock and lines a test holds in its hands. */
export class Hands {
  readonly platform: Platform;
  private offset = 0;
  private readonly timers = new Set<{ due: number; fire(): void }>();
  private readonly sockets = new Set<Socket>();

  constructor() {
    const real = createNodePlatform();
    const now = () => new Date(Date.now() + this.offset);
    this.platform = {
      ...real,
      now,
      setTimer: (callback, ms) => {
        const stop = () => {
          this.timers.delete(timer);
          stopReal();
        };
        const timer = {
          due: now().getTime() + ms,
          fire: () => {
            stop();
            callback();
          },
        };
        // What waits a second to connect again need not in a test.
        const stopReal = real.setTimer(timer.fire, ms < 2_000 ? Math.min(ms, 20) : ms);
        this.timers.add(timer);
        return stop;
      },
      openSocket: (url) => {
        const socket = real.openSocket(url);
        this.sockets.add(socket);
        socket.addEventListener('close', () => this.sockets.delete(socket));
        return socket;
      },
    };
  }

  advance(ms: number): void {
    this.offset += ms;
    const now = this.platform.now().getTime();
    for (const timer of [...this.timers]) if (timer.due <= now) timer.fire();
  }

  /** As when a machine has slept: the clock has moved, and no timer has rung. */
  oversleep(ms: number): void {
    this.offset += ms;
  }

  /** As when a cable is pulled: nobody says goodbye. */
  cut(): void {
    for (const socket of this.sockets) (socket as unknown as { terminate(): void }).terminate();
  }
}

/** Keeps what was written when it is closed, as a disk does. */
export function createDisk(): { open(): Store; readonly entries: ReadonlyMap<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    open: () => createMemoryStore(entries),
  };
}

/** What was run, and how. */
export interface Ran {
  readonly tool: string;
  readonly args: JsonObject;
}

export function makeExecutors(ran: Ran[], run?: (args: JsonObject, signal: AbortSignal) => Promise<Json>): Executor[] {
  return (['low', 'medium', 'high'] as const).map((level) => ({
    tool: `say_${level}`,
    scope: `note:${level}`,
    run: async (args, { signal }) => {
      ran.push({ tool: `say_${level}`, args });
      return run === undefined ? { said: args.text ?? null } : run(args, signal);
    },
  }));
}

export interface Person {
  readonly client: Client;
  readonly device: Device;
  readonly hands: Hands;
  readonly ran: Ran[];
  readonly credentials: { email: string; account_password: string };
}

type PersonOptions = Partial<ClientOptions> & { readonly hands?: Hands; readonly ran?: Ran[] };

const PASSWORD = 'correct horse battery';

export async function newClient(server: TestServer, options: PersonOptions = {}) {
  const { hands = new Hands(), ran = [], ...rest } = options;
  const client = await createClient({
    baseUrl: server.url,
    store: createMemoryStore(),
    platform: hands.platform,
    executors: makeExecutors(ran),
    deviceName: 'Laptop',
    ...rest,
  });
  return { client, hands, ran };
}

export async function signUp(server: TestServer, options: PersonOptions = {}): Promise<Person> {
  const person = await newClient(server, options);
  const credentials = { email: `${randomUUID()}@example.org`, account_password: PASSWORD };
  await person.client.register({ ...credentials, display_name: 'Ada' });
  return { ...person, credentials, device: deviceOf(person.client) };
}

export function deviceOf(client: Client): Device {
  const session = client.session.getSnapshot();
  if (session.state !== 'ready') throw new Error(`the client is ${session.state}`);
  return session.device;
}

export function waitingOf(client: Client) {
  const session = client.session.getSnapshot();
  if (session.state !== 'waiting') throw new Error(`the client is ${session.state}`);
  return session;
}

/** Lets a second device of the same person in, by its code. */
export async function approve(person: Person, client: Client): Promise<Device> {
  const { deviceId, code } = waitingOf(client);
  await person.device.devices.approve(deviceId, code);
  await client.checkApproval();
  await waitUntil(client.session, ({ state }) => state === 'ready');
  const device = deviceOf(client);
  await waitUntil(device.connection, (status) => status === 'online');
  return device;
}

export interface Bot {
  readonly agentId: string;
  readonly token: string;
  readonly api: Api;
  readonly messenger: Messenger;
  readonly received: Incoming[];
  readonly events: PlatformEvent[];
  /** Sends a tool call and waits for the answer. */
  call(conversationId: string, call: Partial<ToolCall>): Promise<ToolResponse>;
  send(conversationId: string, payload: Payload): Promise<void>;
  /** The next answer to a call; asked for before it is sent. */
  answer(callId: string): Promise<ToolResponse>;
  publish(manifest: Manifest): Promise<void>;
}

export async function startBot(
  server: TestServer,
  owner: Api,
  { manifest = MANIFEST, ...options }: Partial<MessengerOptions> & { manifest?: Manifest } = {},
): Promise<Bot> {
  const { agent_id: agentId, token } = await owner.call(agentRoutes.createAgent, {
    body: { name: 'Bot', visibility: 'public', capability_manifest: manifest },
  });
  return connectBot(server, { agentId, token }, options);
}

export async function connectBot(
  server: TestServer,
  { agentId, token }: Pick<Bot, 'agentId' | 'token'>,
  options: Partial<MessengerOptions> = {},
): Promise<Bot> {
  const platform = createNodePlatform();
  const api = createApi({ baseUrl: server.url, platform, credentials: { kind: 'agent', token } });
  const received: Incoming[] = [];
  const events: PlatformEvent[] = [];
  const waiting = new Map<string, ((response: ToolResponse) => void)[]>();
  const messenger = await createMessenger({
    api,
    identity: { kind: 'agent', agentId },
    mode: 'websocket',
    store: createMemoryStore(),
    platform,
    onEvent: (event) => void events.push(event),
    ...options,
    onMessage(message) {
      received.push(message);
      if (message.payload.type !== 'artifact' || message.payload.artifact.subtype !== 'tool_response') return;
      const response = message.payload.artifact;
      waiting.get(response.call_id)?.shift()?.(response);
    },
  });
  const answer = (callId: string) =>
    new Promise<ToolResponse>((resolve) => waiting.set(callId, [...(waiting.get(callId) ?? []), resolve]));
  return {
    agentId,
    token,
    api,
    messenger,
    received,
    events,
    answer,
    async call(conversationId, call) {
      const callId = call.call_id ?? randomUUID();
      const answered = answer(callId);
      await messenger.send({ conversationId, payload: toolCall({ ...call, call_id: callId }) });
      return answered;
    },
    send: async (conversationId, payload) => void (await messenger.send({ conversationId, payload })),
    publish: async (next) => {
      await api.call(agentRoutes.updateAgent, { params: { agent_id: agentId }, body: { capability_manifest: next } });
    },
  };
}

export function toolCall(call: Partial<ToolCall>): Payload {
  const tool_name = call.tool_name ?? 'say_low';
  return {
    type: 'artifact',
    artifact: {
      subtype: 'tool_call',
      call_id: randomUUID(),
      tool_name,
      arguments: { text: 'hello' },
      permission_scope: tool_name.replace('say_', 'note:'),
      timeout_ms: 10_000,
      ...call,
    },
  };
}

const ALL_SCOPES = MANIFEST.permission_scopes.map(({ id }) => id);

/** Adds the agent as a person does: looks at it, then agrees to what was shown. */
export async function addAgent(device: Device, agentId: string, scopes: readonly string[] = ALL_SCOPES) {
  const details = await device.agents.inspect({ agentId });
  return device.relations.add({ agentId, scopes, manifestHash: details.manifestHash! });
}

/** The first open prompt, once there is one. */
export async function nextPrompt(device: Device) {
  const [prompt] = await waitUntil(device.prompts, (prompts) => prompts.length > 0);
  return prompt!;
}

/** The first value that fits, now or later. */
export const waitUntil = <T>(readable: Readable<T>, fits: (value: T) => boolean): Promise<T> =>
  inTime(waitForValue(readable, fits), () => inspect(readable.getSnapshot(), { depth: 4 }));
