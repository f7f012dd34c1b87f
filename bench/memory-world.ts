import {
  createPeer,
  fromBase64Url,
  generateEd25519,
  generateX25519,
  seal,
  signDeviceList,
  startRatchetSession,
  toBase64Url,
} from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { type Api, ApiError, createServerClock, type Socket } from '@parley/messenger';
import {
  agentRoutes,
  type BodyOf,
  type ClientFrame,
  conversationRoutes,
  deviceRoutes,
  deviceStatementHash,
  type Envelope,
  type Header,
  keyRoutes,
  type RouteContract,
} from '@parley/protocol';

type Upload = BodyOf<typeof keyRoutes.putKeys>;

interface Input {
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: { readonly after?: string };
}

const CREATED_AT = '2026-01-01T00:00:00.000Z';
const idOf = (kind: string, n: number) => `01900000-0000-7000-8${kind}-${String(n).padStart(12, '0')}`;
export const AGENT_ID = idOf('000', 0);
export const conversationOf = (n: number) => idOf('00c', n);

/**
 * A server and any number of people, none of whom is in memory: all of them have the same keys, and what is signed for one
 * of them is made when it is asked for. So the memory of this process is that of its agent.
 */
export class MemoryWorld {
  /** Called when the agent's answer to this person is at the server. */
  onAnswer: (person: number) => void = () => {};
  readonly #account = generateEd25519(nodeCrypto);
  readonly #recovery = generateEd25519(nodeCrypto);
  readonly #identity = generateEd25519(nodeCrypto);
  readonly #exchange = generateX25519(nodeCrypto);
  #agent: Record<string, string> = {};
  #prekey: Upload['signed_prekey'] | null = null;
  #socket: AgentSocket | undefined;
  #isOpen = () => {};
  /** Resolves when the agent is connected. */
  readonly opened = new Promise<void>((resolve) => {
    this.#isOpen = resolve;
  });

  readonly openSocket = (): Socket => {
    this.#socket = new AgentSocket((frame) => queueMicrotask(() => this.#hear(frame)));
    queueMicrotask(() => this.#socket!.emit('open'));
    return this.#socket;
  };

  readonly api: Api = {
    baseUrl: 'http://bench',
    token: async () => 'token',
    call: (async (contract: RouteContract, input: Input = {}) => this.#answer(contract, input)) as Api['call'],
    clock: createServerClock(() => new Date()),
  };

  /** A first message of this person, as the server pushes it. */
  write(person: number): void {
    const sender = { kind: 'human' as const, id: idOf('001', person), device_id: idOf('002', person) };
    const own = {
      sender,
      identity: this.#identity,
      exchange: this.#exchange,
      signedPrekeys: new Map(),
      oneTimePrekeys: new Map(),
    };
    const [identityKey, exchangeKey] = [this.#agent.identity_key!, this.#agent.exchange_key!].map(fromBase64Url);
    const { key_id: keyId, public_key: publicKey } = this.#prekey!;
    const bundle = {
      identityKey: identityKey!,
      exchangeKey: exchangeKey!,
      signedPrekey: { keyId, publicKey: fromBase64Url(publicKey)! },
    };
    const agent = createPeer({ kind: 'agent', id: AGENT_ID }, { identityKey: identityKey! });
    const peer = startRatchetSession(nodeCrypto, own, { peer: agent, bundle })!;
    const header: Header = {
      version: 1,
      conversation_id: conversationOf(person),
      sender,
      client_message_id: `hello-${person}`,
      content_type: 'text',
      msg_subtype: 'text',
      created_at: new Date().toISOString(),
    };
    const plaintext = new TextEncoder().encode(JSON.stringify({ type: 'text', text: 'Hello' }));
    const sealed = seal(nodeCrypto, own, { header, plaintext, recipients: [{ mode: 'websocket', peer }] });
    if (!sealed.ok) throw new Error(sealed.problem);
    const { version: _, ...about } = header;
    this.#socket!.give({
      type: 'message.new',
      message_id: idOf('003', person),
      conversation_seq: 1,
      received_at: header.created_at,
      ...about,
      envelope: sealed.envelope,
    });
  }

  #hear(frame: ClientFrame): void {
    if (frame.type === 'auth') {
      this.#socket!.give({ type: 'auth.ok', expires_at: null });
      this.#isOpen();
    } else if (frame.type === 'ping') this.#socket!.give({ type: 'pong' });
    else if (frame.type === 'send') this.#accept(frame.envelope as Envelope);
  }

  #accept({ header: { client_message_id, conversation_id } }: Envelope): void {
    const person = Number(conversation_id.slice(-12));
    this.#socket!.give({
      type: 'message.ack',
      client_message_id,
      message_id: idOf('004', person),
      conversation_seq: 2,
    });
    this.onAnswer(person);
  }

  #answer(contract: RouteContract, { params = {}, query, ...input }: Input): unknown {
    const body = input.body as never;
    switch (contract) {
      case agentRoutes.readAgent:
        return {
          identity_key: null,
          exchange_key: null,
          connection_mode: 'websocket',
          connection_mode_signature: null,
          ...this.#agent,
        };
      case agentRoutes.setIdentity:
        this.#agent = body;
        return {};
      case keyRoutes.keyStatus:
        return { one_time_prekeys: 100, next_key_id: 1_000, signed_prekey_id: this.#prekey?.key_id ?? null };
      case keyRoutes.putKeys:
        this.#prekey = (body as Upload).signed_prekey;
        return { one_time_prekeys: 100, next_key_id: 1_000, signed_prekey_id: this.#prekey.key_id };
      case conversationRoutes.readConversation:
        return this.#conversation(params.conversation_id!);
      case deviceRoutes.accountDevices:
        return this.#listing(Number(params.account_id!.slice(-12)), Number(query?.after ?? 0));
      default:
        throw new ApiError({ status: 404, code: 'NOT_FOUND', message: contract.path });
    }
  }

  #conversation(id: string) {
    const members = [
      { kind: 'human', id: idOf('001', Number(id.slice(-12))) },
      { kind: 'agent', id: AGENT_ID },
    ];
    return { conversation_id: id, kind: 'h2a', relation_id: id.replace('-800c-', '-8005-'), members };
  }

  #listing(person: number, after: number) {
    const keys = {
      device_id: idOf('002', person),
      identity_key: toBase64Url(this.#identity.publicKey),
      exchange_key: toBase64Url(this.#exchange.publicKey),
    };
    const first = signDeviceList(
      nodeCrypto,
      {
        version: 1,
        account_id: idOf('001', person),
        seq: 1,
        prev: null,
        action: 'create',
        devices: [{ ...keys, keeper: true }],
        created_at: CREATED_AT,
      },
      { accountKey: this.#account, recoveryKey: this.#recovery },
    );
    return {
      account_key: null,
      devices: [{ ...keys, certificate: null }],
      revoked_devices: [],
      statements: after === 0 ? [first] : [],
      length: 1,
      head: deviceStatementHash(first),
    };
  }
}

class AgentSocket implements Socket {
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  readonly #listeners = new Map<string, ((event: { data: unknown }) => void)[]>();
  readonly #onSend: (frame: ClientFrame) => void;
  constructor(onSend: (frame: ClientFrame) => void) {
    this.#onSend = onSend;
  }
  addEventListener(type: string, listener: (event: { data: unknown }) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }
  emit(type: string, data?: unknown): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ data });
  }
  give(frame: object): void {
    this.emit('message', JSON.stringify(frame));
  }
  send(text: string): void {
    this.#onSend(JSON.parse(text));
  }
  close(): void {}
}
