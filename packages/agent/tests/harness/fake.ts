import { ParleyError } from '@parley/base';
import { nodeCrypto } from '@parley/e2ee/node';
import {
  type Ack,
  type Api,
  ApiError,
  type Conversation,
  createMemoryStore,
  createServerClock,
  type Incoming,
  MESSENGER_ERRORS,
  type Messenger,
  type Outgoing,
  type PlatformEvent,
  type Status,
} from '@parley/messenger';
import {
  encodePayload,
  isToolCall,
  labelOf,
  type Payload,
  type Signer,
  type ToolCall,
  type ToolResponse,
} from '@parley/protocol';
import { Agent, type MessengerHandlers } from '../../src/agent.ts';
import { MANIFEST } from './manifest.ts';

export const AGENT = '0192f3a4-0000-7000-8000-000000000001';
export const AGENT_KEY = 'A'.repeat(43);
export const PERSON = '0192f3a4-0000-7000-8000-000000000002';
export const DEVICE = '0192f3a4-0000-7000-8000-000000000003';
export const OTHER_PERSON = '0192f3a4-0000-7000-8000-000000000004';
export const RELATION = '0192f3a4-0000-7000-8000-000000000005';
export const CONVERSATION = '0192f3a4-0000-7000-8000-00000000000a';
export const OTHER_CONVERSATION = '0192f3a4-0000-7000-8000-00000000000b';
export const GROUP = '0192f3a4-0000-7000-8000-00000000000c';

/** Timers that run when told to. */
class Clock {
  at = Date.parse('2026-05-15T10:00:00.000Z');
  #timers = new Map<number, { due: number; run: () => void }>();
  #next = 0;

  now = (): Date => new Date(this.at);
  setTimer = (run: () => void, ms: number): (() => void) => {
    const id = this.#next++;
    this.#timers.set(id, { due: this.at + ms, run });
    return () => void this.#timers.delete(id);
  };
  get waiting(): number {
    return this.#timers.size;
  }
  advance(ms: number): void {
    this.at += ms;
    for (const [id, { due, run }] of [...this.#timers]) {
      if (due > this.at || !this.#timers.delete(id)) continue;
      run();
    }
  }
}

type Detail = Omit<Conversation, 'relationId'> & { readonly relation_id?: string };
type Answer = (input: { params?: unknown; query?: unknown }) => unknown;

/** A messenger without a server: the test is the other side. */
export class Fake {
  readonly clock = new Clock();
  readonly serverClock = createServerClock(() => this.clock.now());
  readonly store = createMemoryStore();
  readonly sent: Outgoing[] = [];
  readonly errors: unknown[] = [];
  readonly routes = new Map<string, Answer>();
  readonly calls: string[] = [];
  agent!: Agent;
  handlers!: MessengerHandlers;
  closed = false;
  /** What the server makes of a message. */
  onSend: (message: Outgoing) => void | Promise<void> = () => {};
  readonly signers = new Map<string, Signer>();
  #seq = 0;

  static async start(options: { webhookSecrets?: readonly string[] } = {}): Promise<Fake> {
    const fake = new Fake();
    fake.serve('/agents/:agent_id', () => ({ capability_manifest: MANIFEST }));
    fake.serve('/conversations/:conversation_id', ({ params }) => {
      const { conversation_id } = params as { conversation_id: string };
      const member = (kind: string, id: string) => ({ kind, id, role: 'member' });
      if (conversation_id === GROUP) {
        return {
          kind: 'group',
          members: [member('human', PERSON), member('human', OTHER_PERSON), member('agent', AGENT)],
        };
      }
      const person = conversation_id === CONVERSATION ? PERSON : OTHER_PERSON;
      return { kind: 'h2a', relation_id: RELATION, members: [member('human', person), member('agent', AGENT)] };
    });
    class TestAgent extends Agent {
      static async start(): Promise<Agent> {
        const agent = new TestAgent({
          agentId: AGENT,
          api: fake.#api,
          store: fake.store,
          platform: { crypto: nodeCrypto, now: fake.clock.now, setTimer: fake.clock.setTimer },
          webhookSecrets: options.webhookSecrets ?? [],
          onError: (error) => fake.errors.push(error),
        });
        await agent.attach(async (handlers) => {
          fake.handlers = handlers;
          return fake.#messenger;
        });
        return agent;
      }
    }
    fake.agent = await TestAgent.start();
    return fake;
  }

  serve(path: string, answer: Answer): void {
    this.routes.set(path, answer);
  }

  #api: Api = {
    baseUrl: 'http://parley.test',
    token: async () => 'hsk_test',
    clock: this.serverClock,
    call: (async (contract: { path: string }, input: { params?: unknown } = {}) => {
      this.calls.push(contract.path);
      const answer = this.routes.get(contract.path);
      if (answer === undefined) throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'No such thing.' });
      return answer(input);
    }) as Api['call'],
  };

  #messenger: Messenger = {
    identity: { kind: 'agent', agentId: AGENT },
    identityKey: AGENT_KEY,
    status: () => 'online',
    send: async (message): Promise<Ack> => {
      if (this.closed) throw new ParleyError('CLOSED', MESSENGER_ERRORS.CLOSED);
      encodePayload(message.payload);
      this.sent.push(message);
      await this.onSend(message);
      this.#seq += 1;
      return { messageId: `message-${this.#seq}`, seq: this.#seq, clientMessageId: message.clientMessageId ?? 'made' };
    },
    outcome: () => undefined,
    receive: async (message) => {
      if (message.client_message_id === 'unreadable') return 'refused';
      await this.handlers.onMessage(this.incoming({ type: 'text', text: `by webhook: ${message.client_message_id}` }));
      return 'handled';
    },
    receiveEvent: () => {},
    typing: () => {},
    stream: async () => ({
      streamId: 'stream',
      write: async () => {},
      done: async () => ({ messageId: 'm', seq: 1, clientMessageId: 'c' }),
      abort: () => {},
    }),
    claim: async () => true,
    pass: async () => true,
    conversation: async (id) => {
      const path = '/conversations/:conversation_id';
      const { kind, members, relation_id } = this.routes.get(path)!({ params: { conversation_id: id } }) as Detail;
      return { kind, members, ...(relation_id === undefined ? {} : { relationId: relation_id }) };
    },
    describeConversation: async () => {
      throw new TypeError('describeConversation is for people');
    },
    bindConversation: async () => false,
    holdStatement: async () => {},
    holdDeviceList: async () => {},
    bindRelations: () => {
      throw new TypeError('bindRelations is for a person');
    },
    flush: async () => {},
    refresh: () => {},
    trust: {
      agent: async () => ({ ok: false, problem: 'no_keys' }),
      account: async () => ({ ok: false, problem: 'no_keys' }),
      accept: async () => {},
      safetyNumber: async () => '',
      markVerified: async () => {},
      signer: async (account, device) => this.signers.get(`${account}/${device}`),
    },
    abandon: async () => {},
    close: async () => {
      this.closed = true;
      await this.store.close();
    },
  };

  incoming(payload: Payload, from: { conversationId?: string; person?: string } = {}): Incoming {
    this.#seq += 1;
    const { conversationId = CONVERSATION, person = PERSON } = from;
    const label = labelOf(payload);
    return {
      conversationId,
      conversationKind: conversationId === GROUP ? 'group' : 'h2a',
      messageId: `message-${this.#seq}`,
      seq: this.#seq,
      clientMessageId: `client-${this.#seq}`,
      sender: { kind: 'human', id: person, device_id: DEVICE },
      contentType: label.content_type,
      msgSubtype: label.msg_subtype,
      createdAt: '2026-05-15T10:00:00.000Z',
      receivedAt: '2026-05-15T10:00:00.000Z',
      isForUsAlone: true,
      payload,
    };
  }

  async deliver(payload: Payload, from: { conversationId?: string; person?: string } = {}): Promise<void> {
    await this.handlers.onMessage(this.incoming(payload, from));
  }

  answer(
    response: Omit<ToolResponse, 'subtype'>,
    from: { conversationId?: string; person?: string } = {},
  ): Promise<void> {
    return this.deliver({ type: 'artifact', artifact: { subtype: 'tool_response', ...response } }, from);
  }

  async tell(event: PlatformEvent): Promise<void> {
    await this.handlers.onEvent(event);
  }

  say(status: Status): void {
    this.handlers.onStatus(status);
  }

  /** The device does this with each call, at once. */
  asDevice(run: (call: ToolCall) => Omit<ToolResponse, 'subtype' | 'call_id'>): void {
    this.onSend = ({ payload, conversationId }) => {
      if (!isToolCall(payload)) return;
      const call = payload.artifact;
      return this.answer({ call_id: call.call_id, ...run(call) }, { conversationId });
    };
  }

  get toolCalls(): ToolCall[] {
    return this.sent.flatMap(({ payload }) => (isToolCall(payload) ? [payload.artifact] : []));
  }
}
