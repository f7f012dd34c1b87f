import { randomUUID } from 'node:crypto';
import { toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import {
  type Api,
  ApiError,
  createMemoryStore,
  createMessenger,
  createServerClock,
  type Incoming,
  loadOrCreateKeys,
  type Messenger,
  type MessengerOptions,
  type Platform,
  type Problem,
  type Socket,
  type Status,
} from '@parley/messenger';
import {
  agentRoutes,
  authRoutes,
  type BodyOf,
  type ClientFrame,
  conversationRoutes,
  deviceRoutes,
  type Envelope,
  type GroupStatement,
  keyRoutes,
  type RouteContract,
} from '@parley/protocol';
import { knownAccount, SignedAccount, type TestDevice } from '@parley/testkit/account';

type Upload = BodyOf<typeof keyRoutes.putKeys>;
type Body = Record<string, unknown>;

/** A clock and timers that a test moves by hand. */
export class Clock {
  private time = Date.parse('2026-01-01T00:00:00.000Z');
  private timers = new Map<number, { at: number; ms: number; run: () => void }>();
  private last = 0;
  now = (): Date => new Date(this.time);
  setTimer = (run: () => void, ms: number): (() => void) => {
    const id = ++this.last;
    this.timers.set(id, { at: this.time + ms, ms, run });
    return () => this.timers.delete(id);
  };
  /** What the timers that are set wait for. */
  waits(): number[] {
    return [...this.timers.values()].map(({ ms }) => ms);
  }
  /** As when a machine sleeps: the time has passed, the timers are late. */
  leap(ms: number): void {
    this.time += ms;
  }
  /** Runs what is due, in order, and what follows from it. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settle();
      const due = [...this.timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (due === undefined) break;
      this.timers.delete(due[0]);
      this.time = Math.max(this.time, due[1].at);
      due[1].run();
    }
    this.time = end;
    await settle();
  }
}

/** Until nothing more happens by itself. Many turns, because on a slow machine each message may take one of its own. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
}

/** One end of a wire whose other end is the test. */
export class Wire implements Socket {
  readyState = 0;
  bufferedAmount = 0;
  readonly url: string;
  readonly sent: ClientFrame[] = [];
  onSend: (frame: ClientFrame) => void = () => {};
  private readonly listeners = new Map<string, ((event: { data: unknown }) => void)[]>();

  constructor(url: string) {
    this.url = url;
  }
  addEventListener(type: string, listener: (event: { data: unknown }) => void): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }
  emit(type: string, data?: unknown, more: object = {}): void {
    for (const listener of this.listeners.get(type) ?? []) listener({ data, ...more });
  }
  open(): void {
    this.readyState = 1;
    this.emit('open');
  }
  give(frame: object): void {
    this.emit('message', JSON.stringify(frame));
  }
  send(text: string): void {
    const frame = JSON.parse(text) as ClientFrame;
    this.sent.push(frame);
    this.onSend(frame);
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.emit('close');
  }
}

interface Owner {
  identityKey: string;
  exchangeKey: string;
  signed: Upload['signed_prekey'] | null;
  oneTime: Upload['one_time_prekeys'];
  nextId: number;
}

interface Input {
  readonly body?: unknown;
  readonly query?: { readonly after?: string };
  readonly params?: { readonly account_id?: string; readonly conversation_id?: string };
}

/** The part of a server that a messenger needs, in memory, as trustworthy as a test makes it. */
export class LinkedServer {
  readonly conversationId = randomUUID();
  readonly agentId = randomUUID();
  readonly account = new SignedAccount();
  readonly accountId = this.account.accountId;
  /** What it says about the conversation. */
  conversation: object = {
    kind: 'h2a',
    members: [
      { kind: 'human', id: this.accountId },
      { kind: 'agent', id: this.agentId },
    ],
  };
  statements: readonly GroupStatement[] = [];
  readonly others = new Map<string, SignedAccount>();
  /** Devices of others that it lets in. */
  readonly guests: TestDevice[] = [];
  readonly calls: string[] = [];
  /** The server's clock; by default it is the caller's. */
  now: (() => Date) | undefined;
  /** Throws to refuse a call. */
  onCall: (contract: RouteContract) => void = () => {};
  /** Whether sockets open and authenticate by themselves. */
  isUp = true;
  readonly wires: Wire[] = [];
  readonly owners = new Map<string, Owner>();
  private readonly devices = new Map<string, TestDevice>();
  private agent: Body = {};
  private readonly stored: object[] = [];
  private readonly seqs = new Map<string, number>();
  private readonly connected = new Map<string, Wire>();

  connect(address: string): (url: string) => Wire {
    return (url) => {
      const wire = new Wire(url);
      this.wires.push(wire);
      wire.onSend = (frame) => queueMicrotask(() => this.hear(address, wire, frame));
      if (this.isUp) queueMicrotask(() => wire.open());
      return wire;
    };
  }

  api(address: string, now: () => Date = () => new Date()): Api {
    const clock = createServerClock(now);
    const call = async (contract: RouteContract, input: Input = {}) => {
      this.calls.push(`${contract.method} ${contract.path}`);
      this.onCall(contract);
      clock.hear(this.now?.() ?? now());
      return this.answer(address, contract, input);
    };
    return { baseUrl: 'http://linked', token: async () => 'token', call: call as Api['call'], clock };
  }

  private answer(address: string, contract: RouteContract, { query, params, ...input }: Input): unknown {
    const body = input.body as never;
    switch (contract) {
      case agentRoutes.readAgent:
        return {
          identity_key: null,
          exchange_key: null,
          connection_mode: 'websocket',
          connection_mode_signature: null,
          ...this.agent,
        };
      case agentRoutes.setIdentity: {
        this.agent = body as Body;
        const { identity_key, exchange_key } = body as Record<string, string>;
        return this.add(this.agentId, identity_key!, exchange_key!);
      }
      case authRoutes.me:
        return {};
      case keyRoutes.keyStatus:
        return this.stock(address);
      case keyRoutes.putKeys:
        return this.put(address, body);
      case keyRoutes.takeBundles:
        return {
          bundles: Object.values(body as Record<string, string[]>)
            .flat()
            .map((id) => this.bundle(id)),
        };
      case conversationRoutes.readConversation:
        return { conversation_id: params!.conversation_id!, ...this.conversation };
      case conversationRoutes.readGroup:
        return {
          statements: this.statements.slice(Number(query?.after ?? 0)),
          length: this.statements.length,
          head: null,
        };
      case deviceRoutes.accountDevices:
        if (params?.account_id !== this.accountId) return this.others.get(params!.account_id!)!.listing(this.guests);
        return this.account.listing([...this.devices.values()], Number(query?.after ?? 0));
      default:
        throw new ApiError({ status: 404, code: 'NOT_FOUND', message: contract.path });
    }
  }

  private add(id: string, identityKey: string, exchangeKey: string): Owner {
    const owner = this.owners.get(id) ?? { identityKey, exchangeKey, signed: null, oneTime: [], nextId: 1 };
    this.owners.set(id, owner);
    return owner;
  }
  private stock(id: string) {
    const { oneTime, nextId, signed } = this.owners.get(id)!;
    return { one_time_prekeys: oneTime.length, next_key_id: nextId, signed_prekey_id: signed?.key_id ?? null };
  }
  private put(id: string, { signed_prekey, one_time_prekeys }: Upload) {
    const owner = this.owners.get(id)!;
    owner.signed = signed_prekey;
    owner.oneTime.push(...one_time_prekeys);
    owner.nextId = Math.max(owner.nextId, ...one_time_prekeys.map(({ key_id }) => key_id + 1));
    return this.stock(id);
  }
  private bundle(id: string) {
    const owner = this.owners.get(id)!;
    const isAgent = id === this.agentId;
    return {
      kind: isAgent ? 'agent' : 'device',
      id,
      account_id: isAgent ? null : this.accountId,
      identity_key: owner.identityKey,
      exchange_key: owner.exchangeKey,
      signed_prekey: owner.signed,
      one_time_prekey: owner.oneTime.shift() ?? null,
    };
  }

  private hear(address: string, wire: Wire, frame: ClientFrame): void {
    if (wire.readyState !== 1) return;
    if (frame.type === 'auth') wire.give({ type: 'auth.ok', expires_at: null });
    else if (frame.type === 'ping') wire.give({ type: 'pong' });
    else if (frame.type === 'resume') {
      this.connected.set(address, wire);
      const after = frame.conversations?.[this.conversationId] ?? 0;
      for (const stored of this.stored.slice(after)) this.push(address, wire, stored);
    } else if (frame.type === 'send') this.store(wire, frame.envelope);
  }
  private store(wire: Wire, envelope: Envelope): void {
    const { header } = envelope;
    const known = this.seqs.get(header.client_message_id);
    const seq = known ?? this.stored.length + 1;
    const message_id = `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`;
    const { client_message_id, conversation_id, sender, content_type, msg_subtype, created_at } = header;
    if (known === undefined) {
      const about = { client_message_id, conversation_id, sender, content_type, msg_subtype, created_at };
      const message = {
        type: 'message.new',
        message_id,
        conversation_seq: seq,
        received_at: created_at,
        ...about,
        envelope,
      };
      this.stored.push(message);
      this.seqs.set(client_message_id, seq);
      for (const [address, other] of this.connected) this.push(address, other, message);
    }
    wire.give({ type: 'message.ack', client_message_id, message_id, conversation_seq: seq });
  }
  private push(address: string, wire: Wire, frame: object): void {
    const { sender } = frame as { sender: { id: string; device_id?: string } };
    if ((sender.device_id ?? sender.id) !== address && wire.readyState === 1) wire.give(frame);
  }

  /** Pushes a message of the server's own making, under a number of its choice. */
  forge(address: string, envelope: Envelope, seq: number): void {
    const { client_message_id, conversation_id, sender, content_type, msg_subtype, created_at } = envelope.header;
    const about = { client_message_id, conversation_id, sender, content_type, msg_subtype, created_at };
    const message_id = `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`;
    const frame = {
      type: 'message.new',
      message_id,
      conversation_seq: seq,
      received_at: created_at,
      ...about,
      envelope,
    };
    this.connected.get(address)!.give(frame);
  }
  /** The envelopes that it has, in order. */
  envelopes(): readonly Envelope[] {
    return this.stored.map((message) => (message as { envelope: Envelope }).envelope);
  }

  async registerDevice(store: MessengerOptions['store']): Promise<string> {
    const { identity, exchange } = await loadOrCreateKeys(store, nodeCrypto, this.accountId);
    const identityKey = toBase64Url(identity.publicKey);
    const known = [...this.owners].find(([, owner]) => owner.identityKey === identityKey)?.[0];
    if (known !== undefined) return known;
    const device = SignedAccount.makeDevice({ identity, exchange });
    if (this.account.statements.length === 0) this.account.create(device);
    else this.account.add(device);
    this.devices.set(device.deviceId, device);
    this.add(device.deviceId, identityKey, toBase64Url(exchange.publicKey));
    await store.write(knownAccount(this.account));
    return device.deviceId;
  }
}

export interface Linked {
  readonly messenger: Messenger;
  readonly received: Incoming[];
  readonly problems: Problem[];
  readonly statuses: Status[];
}

export async function startLinked(
  server: LinkedServer,
  kind: 'agent' | 'human',
  {
    clock = new Clock(),
    crypto = nodeCrypto,
    ...options
  }: Partial<MessengerOptions> &
    Partial<Pick<Platform, 'crypto'>> & { clock?: Pick<Platform, 'now' | 'setTimer'> } = {},
): Promise<Linked> {
  const store = options.store ?? createMemoryStore();
  const deviceId = kind === 'human' ? await server.registerDevice(store) : '';
  const address = kind === 'human' ? deviceId : server.agentId;
  const heard = { received: [] as Incoming[], problems: [] as Problem[], statuses: [] as Status[] };
  const platform: Platform = {
    crypto,
    fetch: () => Promise.reject(new TypeError('no network')),
    openSocket: server.connect(address),
    now: clock.now,
    setTimer: clock.setTimer,
  };
  const messenger = await createMessenger({
    api: server.api(address, clock.now),
    identity: kind === 'human' ? { kind, accountId: server.accountId, deviceId } : { kind, agentId: server.agentId },
    mode: 'websocket',
    platform,
    onMessage: (message) => void heard.received.push(message),
    onProblem: (problem) => void heard.problems.push(problem),
    onStatus: (status) => void heard.statuses.push(status),
    ...options,
    store,
  });
  return { messenger, ...heard };
}

export const text = (words: string) => ({ type: 'text' as const, text: words });
export const words = ({ received }: { received: readonly Incoming[] }) =>
  received.map(({ payload }) => (payload as { text: string }).text);
