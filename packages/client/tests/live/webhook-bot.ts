import { randomBytes } from 'node:crypto';
import { createWebhookHandler, WebhookAgent } from '@parley/agent/webhook';
import type { Manifest } from '@parley/documents';
import type { Api } from '@parley/messenger';
import { agentRoutes, type ToolResponse, webhookRoutes } from '@parley/protocol';
import type { Delivery, Endpoint, TestServer, WebhookHost } from '@parley/testkit/live';
import { MANIFEST } from '../guard-fixtures.ts';
import { createDisk } from './rig.ts';

type Event = Parameters<Parameters<WebhookAgent['addEventHandler']>[0]>[0];

interface Place {
  readonly server: TestServer;
  readonly owner: Api;
  readonly host: WebhookHost;
}

/** A real agent behind a real endpoint. Its process may end and begin again; what it keeps is on its disk. */
export class WebhookBot {
  readonly agentId: string;
  readonly secret: string;
  readonly endpoint: Endpoint;
  /** What the handlers of all its processes were told. */
  readonly events: Event[] = [];
  token: string;
  /** The process of now. */
  agent!: WebhookAgent;
  private readonly place: Place;
  private readonly disk = createDisk();
  private readonly processes: WebhookAgent[] = [];

  private constructor(place: Place, parts: Pick<WebhookBot, 'agentId' | 'token' | 'secret' | 'endpoint'>) {
    this.place = place;
    this.agentId = parts.agentId;
    this.token = parts.token;
    this.secret = parts.secret;
    this.endpoint = parts.endpoint;
  }

  static async start(place: Place, manifest: Manifest = MANIFEST): Promise<WebhookBot> {
    const { agent_id: agentId, token } = await place.owner.call(agentRoutes.createAgent, {
      body: { name: 'Bot', visibility: 'public', capability_manifest: manifest },
    });
    const endpoint = place.host.endpoint(agentId);
    const secret = randomBytes(32).toString('hex');
    const bot = new WebhookBot(place, { agentId, token, secret, endpoint });
    await bot.boot();
    await place.owner.call(webhookRoutes.putWebhook, {
      params: { agent_id: agentId },
      body: { url: endpoint.url, secret },
    });
    return bot;
  }

  /** A process of its own: whatever an earlier one held in memory is gone. */
  async boot(): Promise<void> {
    this.endpoint.handler = undefined;
    this.agent = await WebhookAgent.init({
      agentId: this.agentId,
      token: this.token,
      baseUrl: this.place.server.url,
      webhookSecret: this.secret,
      keystore: this.disk.open(),
    });
    this.processes.push(this.agent);
    this.agent.addEventHandler((event) => this.events.push(event));
    this.answerDeliveries();
  }

  answerDeliveries(): void {
    this.endpoint.handler = createWebhookHandler(this.agent, { now: this.place.server.clock.now });
  }

  /** From now on nothing gets through to it. */
  fail(status = 500): void {
    this.endpoint.handler = async () => new Response(null, { status });
  }

  /** The answers to tool calls that handlers were told of. */
  get answers(): ToolResponse[] {
    return this.events.flatMap((event) =>
      event.type === 'artifact_response' && event.artifact.subtype === 'tool_response' ? [event.artifact] : [],
    );
  }

  deliveriesOf(type: string): Delivery[] {
    return this.endpoint.deliveries.filter(({ body }) => (JSON.parse(body) as { type: string }).type === type);
  }

  async publish(manifest: Manifest): Promise<void> {
    await this.place.owner.call(agentRoutes.updateAgent, {
      params: { agent_id: this.agentId },
      body: { capability_manifest: manifest },
    });
  }

  async end(): Promise<void> {
    for (const agent of this.processes) await agent.disconnect();
  }
}
