import { createDeferred, createKeyedQueue } from '@parley/base';
import type { Json, Manifest } from '@parley/documents';
import type {
  Ack,
  Api,
  Incoming,
  Messenger,
  MessengerOptions,
  OutgoingStream,
  Platform,
  PlatformEvent,
  Status,
  Store,
  Trust,
} from '@parley/messenger';
import type { Grants, Payload } from '@parley/protocol';
import { fillCall } from './calls/fill-call.ts';
import { OwnManifest } from './calls/own-manifest.ts';
import { type CallToolOptions, ToolCalls } from './calls/tool-calls.ts';
import { HandledDeliveries } from './deliveries/handled-deliveries.ts';
import type { WebhookPayload } from './deliveries/payload.ts';
import { agentError } from './errors.ts';
import { readGrants } from './grants.ts';
import { Handlers, type StartWork } from './handlers.ts';
import { type ArtifactInput, readArtifact } from './messages/artifact.ts';
import { type CardChanges, Cards } from './messages/cards.ts';
import {
  type AgentEvent,
  type AgentMessage,
  toAgentEvent,
  toAgentMessage,
  toResponseEvent,
} from './messages/incoming.ts';
import { type OutgoingPayload, toPayload } from './messages/outgoing.ts';

export interface AgentParts {
  readonly agentId: string;
  readonly api: Api;
  readonly store: Store;
  readonly platform: Pick<Platform, 'crypto' | 'now' | 'setTimer'>;
  readonly webhookSecrets: readonly string[];
  readonly onError: (error: unknown) => void;
}

export type MessengerHandlers = Required<Pick<MessengerOptions, 'onMessage' | 'onEvent' | 'onStatus'>>;

/** The server's acknowledgement of a message that it has on disk. */
export interface Sent {
  readonly message_id: string;
  readonly conversation_seq: number;
  readonly client_message_id: string;
}
export interface SendOptions {
  /** A second send with the same id is the same message (TR-3). */
  readonly clientMessageId?: string | undefined;
}

const DRAIN_MS = 5_000;
const MANIFEST_EVENTS = new Set<string>(['agent.capability_changed', 'h2a.manifest_updated', 'h2a.reauth_required']);
const newId = () => crypto.randomUUID();
/** A conversation with more messages waiting than this is not read until the handlers have caught up. */
const MAX_WAITING = 256;

/** An agent on a messenger; knows nothing of the platform. */
export class Agent {
  readonly agentId: string;
  readonly #parts: AgentParts;
  readonly #messages: Handlers<AgentMessage>;
  readonly #events: Handlers<AgentEvent>;
  readonly #statuses: Handlers<Status>;
  readonly #queue = createKeyedQueue();
  /** One at a time: of two, the one whose answer is held back would undo how far the other has read. */
  readonly #ledgers = createKeyedQueue();
  readonly #running = new Set<Promise<void>>();
  readonly #manifest: OwnManifest;
  readonly #cards = new Cards();
  readonly #deliveries: HandledDeliveries;
  #messenger!: Messenger;
  #calls!: ToolCalls;
  #closing: Promise<void> | undefined;
  /**
   * A message that arrives while the agent closes waits for this: it is not acknowledged, and the server sends it
   * again.
   */
  readonly #closed = createDeferred();

  protected constructor(parts: AgentParts) {
    const { agentId, api, store, platform, onError } = parts;
    this.agentId = agentId;
    this.#parts = parts;
    // A message waits for its turn in the conversation; events and statuses are handled as they come.
    const start: StartWork = (_, work) => this.#start(work());
    const inTurn: StartWork<AgentMessage> = async ({ conversation_id: id }, work) => {
      const done = this.#queue.run(id, work);
      if (this.#queue.count(id) >= MAX_WAITING) await done;
    };
    this.#messages = new Handlers({ onError, start: inTurn });
    this.#events = new Handlers<AgentEvent>({ onError, start });
    this.#statuses = new Handlers<Status>({ onError, start });
    this.#manifest = new OwnManifest({ api, agentId, now: platform.now });
    this.#deliveries = new HandledDeliveries(store, api.clock);
  }

  /** Called once, by the factory: the messenger needs the agent's handlers, and the agent needs the messenger. */
  protected async attach(connect: (handlers: MessengerHandlers) => Promise<Messenger>): Promise<void> {
    this.#messenger = await connect({
      onMessage: (message) => this.#onMessage(message),
      onEvent: (event) => this.#onEvent(event),
      onStatus: (status) => void this.#statuses.offer(status),
    });
    const { platform } = this.#parts;
    this.#calls = new ToolCalls({ manifest: this.#manifest, messenger: this.#messenger, platform, newId });
  }

  get status(): Status {
    return this.#messenger.status();
  }

  /** The pinned keys of the people it talks to (EE-9). */
  get trust(): Trust {
    return this.#messenger.trust;
  }

  /** Resolves when the server has the message on disk. */
  async send(conversationId: string, payload: OutgoingPayload, options: SendOptions = {}): Promise<Sent> {
    return this.#send(conversationId, toPayload(payload), options);
  }

  /** Sends a card, or a tool call whose answer goes to the event handlers. To wait for the answer, use `callTool`. */
  async sendArtifact(
    conversationId: string,
    input: ArtifactInput,
    options: SendOptions = {},
  ): Promise<Sent & { readonly artifact_id: string }> {
    const artifact = readArtifact(input, newId);
    if (artifact.subtype === 'tool_call') {
      const call = await fillCall(this.#manifest, artifact);
      const sent = await this.#send(conversationId, { type: 'artifact', artifact: call }, options);
      return { ...sent, artifact_id: call.call_id };
    }
    const sent = await this.#send(conversationId, { type: 'artifact', artifact }, options);
    this.#cards.remember(conversationId, artifact);
    return { ...sent, artifact_id: artifact.artifact_id };
  }

  /** Replaces a card by its next revision; what is left out stays as it was. */
  async updateArtifact(conversationId: string, artifactId: string, changes: CardChanges): Promise<Sent> {
    const card = this.#cards.revise(conversationId, artifactId, changes);
    const sent = this.#send(conversationId, { type: 'artifact', artifact: card });
    // It is remembered at once: the next update, sent before this one is stored, must have a higher revision.
    const undo = this.#cards.remember(conversationId, card);
    return sent.catch((error: unknown) => {
      if (error instanceof TypeError) undo();
      throw error;
    });
  }

  /** Streams text that people see while it is written; in the end it becomes a message. */
  stream(conversationId: string): Promise<OutgoingStream> {
    return this.#messenger.stream(conversationId);
  }

  typing(conversationId: string): void {
    this.#messenger.typing(conversationId);
  }

  /** Asks the person's device to run a tool, and waits (SK-3). Rejects with `ToolError`. */
  callTool<Result = Json>(
    conversationId: string,
    toolName: string,
    args: object = {},
    options: CallToolOptions = {},
  ): Promise<Result> {
    return this.#calls.call({ conversationId, toolName, args, options }) as Promise<Result>;
  }

  /** Returns what the person of a conversation has granted, read from the chain that their devices signed (RL-10). */
  async grants(conversationId: string): Promise<Grants> {
    const { agentId, api, store, platform } = this.#parts;
    const { identityKey, trust } = this.#messenger;
    const deps = { agentId, identityKey, api, store, crypto: platform.crypto, trust };
    return this.#ledgers.run(conversationId, async () => {
      const conversation = await this.#messenger.conversation(conversationId);
      return readGrants(deps, { ...conversation, conversationId });
    });
  }

  /** Returns the agent's own manifest, as it is published. */
  manifest(): Promise<Manifest> {
    return this.#manifest.read();
  }

  /** Handlers run in order within a conversation: the next message waits until all of them are done. */
  addMessageHandler(handler: (message: AgentMessage) => unknown): () => void {
    return this.#messages.add(handler);
  }

  /**
   * Handles answers to artifacts and tool calls, and changes of relations. An event does not wait for the one before.
   */
  addEventHandler(handler: (event: AgentEvent) => unknown): () => void {
    return this.#events.add(handler);
  }

  addStatusHandler(handler: (status: Status) => unknown): () => void {
    return this.#statuses.add(handler);
  }

  get webhookSecrets(): readonly string[] {
    return this.#parts.webhookSecrets;
  }

  /**
   * Handles a delivery whose signature was verified. `repeated` was handled before, `refused` cannot be opened: answer
   * 200 to both.
   */
  async receive(delivery: WebhookPayload): Promise<'handled' | 'repeated' | 'refused'> {
    if (delivery.agent_id !== this.agentId) throw new TypeError('delivery: is for another agent');
    if (this.#closing !== undefined) throw agentError('DISCONNECTED');
    return (await this.#deliveries.once(delivery.delivery_id, () => this.#open(delivery))) ?? 'repeated';
  }

  /** Resolves when no handler is running and nothing waits to be stored. */
  async idle(): Promise<void> {
    await this.#queue.idle();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /**
   * Gives up calls that wait for a person. Running handlers have five seconds to finish and send; then everything
   * stops.
   */
  disconnect(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#calls.close();
    let stopTimer = () => {};
    const enough = new Promise<void>((resolve) => {
      stopTimer = this.#parts.platform.setTimer(resolve, DRAIN_MS);
    });
    await Promise.race([this.idle(), enough]);
    stopTimer();
    this.#messages.dismiss();
    this.#events.dismiss();
    await this.#messenger.close();
    this.#closed.resolve();
    this.#statuses.dismiss();
  }

  async #onMessage(message: Incoming): Promise<void> {
    if (this.#closing !== undefined) return this.#closed.promise;
    const answer = toResponseEvent(message);
    if (answer !== undefined) {
      if (answer.artifact.subtype === 'tool_response') this.#calls.answer(answer.artifact, message);
      void this.#events.offer(answer);
      return;
    }
    const agentMessage = toAgentMessage(message);
    if (agentMessage !== undefined) await this.#messages.offer(agentMessage);
  }

  #onEvent(platformEvent: PlatformEvent): void | Promise<void> {
    if (this.#closing !== undefined) return this.#closed.promise;
    if (MANIFEST_EVENTS.has(platformEvent.type)) this.#manifest.forget();
    const event = toAgentEvent(platformEvent);
    if (event !== undefined) void this.#events.offer(event);
  }

  async #open(delivery: WebhookPayload): Promise<'handled' | 'repeated' | 'refused'> {
    if (delivery.type === 'ping') return 'handled';
    if (delivery.type === 'message.new' || delivery.type === 'artifact_response') {
      return this.#messenger.receive(delivery.data);
    }
    const event = { type: delivery.type, eventId: 0, ...delivery.data } as PlatformEvent;
    this.#messenger.receiveEvent(event);
    await this.#onEvent(event);
    return 'handled';
  }

  /** Deliveries do not wait for this work: a handler may itself wait for a later delivery. */
  #start(work: Promise<void>): void {
    this.#running.add(work);
    void work.then(() => this.#running.delete(work));
  }

  async #send(conversationId: string, payload: Payload, { clientMessageId }: SendOptions = {}): Promise<Sent> {
    const named = clientMessageId === undefined ? {} : { clientMessageId };
    return toSent(await this.#messenger.send({ conversationId, payload, ...named }));
  }
}

const toSent = ({ messageId, seq, clientMessageId }: Ack): Sent => ({
  message_id: messageId,
  conversation_seq: seq,
  client_message_id: clientMessageId,
});
