import type { Manifest } from '@parley/documents';
import { type Api, createApi } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { befriend, startTestServer, startWebhookHost, type TestServer, type WebhookHost } from '@parley/testkit/live';
import { type Bot, connectBot, newClient, type Person, signUp, startBot } from './rig.ts';
import { WebhookBot } from './webhook-bot.ts';

/** A server and someone who owns agents; everything that was begun in it ends with it. */
export class World {
  readonly server: TestServer;
  readonly owner: Api;
  private readonly people: string[] = [];
  private readonly ends: (() => Promise<void>)[] = [];
  private host: WebhookHost | undefined;

  private constructor(server: TestServer, owner: Api) {
    this.server = server;
    this.owner = owner;
  }

  static async start(): Promise<World> {
    const server = await startTestServer();
    const { body } = await server.call('POST', '/auth/register', {
      body: { email: 'owner@example.org', account_password: 'correct horse battery', display_name: 'Owner' },
    });
    const credentials = { kind: 'session', accessToken: body.access_token } as const;
    return new World(server, createApi({ baseUrl: server.url, platform: createNodePlatform(), credentials }));
  }

  /** Someone new, and a contact of everyone who is there already. */
  async person(options: Parameters<typeof signUp>[1] = {}): Promise<Person> {
    const person = await this.stranger(options);
    this.people.push(person.device.accountId);
    if (this.people.length > 1) await befriend(this.server, ...this.people);
    return person;
  }

  async stranger(options: Parameters<typeof signUp>[1] = {}): Promise<Person> {
    const person = await signUp(this.server, options);
    this.atEnd(() => person.client.close());
    return person;
  }

  /** Of the same person, waiting to be approved. */
  async secondDevice(person: Person, options: Parameters<typeof newClient>[1] = {}) {
    const other = await newClient(this.server, { deviceName: 'Phone', ...options });
    this.atEnd(() => other.client.close());
    await other.client.login(person.credentials);
    return other;
  }

  async bot(options: Parameters<typeof startBot>[2] = {}): Promise<Bot> {
    const bot = await startBot(this.server, this.owner, options);
    this.atEnd(() => bot.messenger.close());
    return bot;
  }

  /** The same agent from another keystore. */
  async rebuild(bot: Bot, options: Parameters<typeof connectBot>[2]): Promise<Bot> {
    const again = await connectBot(this.server, bot, options);
    this.atEnd(() => again.messenger.close());
    return again;
  }

  /** One without a line: the server comes to it. */
  async webhookBot(manifest?: Manifest): Promise<WebhookBot> {
    if (this.host === undefined) {
      this.host = await startWebhookHost();
      this.atEnd(() => this.host!.close());
    }
    const bot = await WebhookBot.start({ server: this.server, owner: this.owner, host: this.host }, manifest);
    this.atEnd(() => bot.end());
    return bot;
  }

  atEnd(end: () => Promise<void>): void {
    this.ends.push(end);
  }

  async end(): Promise<void> {
    for (const end of this.ends.reverse()) await end();
    await this.server.drop();
  }
}
