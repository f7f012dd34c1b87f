import { generateEd25519, generateX25519, signMode, signPrekey, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { type Anything, type HostileServer, startHostileServer } from '@parley/testkit/hostile';
import type { ClientProblem } from '../../../src/problems.ts';
import { type Bot, connectBot, type Person, waitUntil } from '../rig.ts';
import { World } from '../world.ts';

/** A world whose server lies to whoever connects through `evil`. */
export class Scene {
  readonly world: World;
  readonly evil: HostileServer;

  private constructor(world: World, evil: HostileServer) {
    this.world = world;
    this.evil = evil;
  }

  static async start(): Promise<Scene> {
    const world = await World.start();
    return new Scene(world, await startHostileServer(world.server.url));
  }

  /** The envelopes that went through `evil`, except what a person's own devices tell each other (EE-23). */
  get sent(): Anything[] {
    const envelopes = this.evil.taken.filter(({ type }) => type === 'send').map(({ envelope }) => envelope);
    return envelopes.filter(({ header }) => header.conversation_id !== header.sender.id);
  }

  /** Someone who knows no other server. */
  victim(options: Parameters<World['person']>[0] = {}): Promise<Person> {
    return this.world.person({ baseUrl: this.evil.url, ...options });
  }

  /** An agent that knows no other server. */
  async deceivedBot(options: Parameters<typeof connectBot>[2] = {}): Promise<Bot> {
    const honest = await this.world.bot();
    await honest.messenger.close();
    const server = { ...this.world.server, url: this.evil.url };
    const bot = await connectBot(server, honest, { replaceIdentity: true, ...options });
    this.world.atEnd(() => bot.messenger.close());
    return bot;
  }

  async end(): Promise<void> {
    await this.world.end();
    await this.evil.close();
  }
}

/** Keys that the server has made up. */
export class Mallory {
  readonly identity = generateEd25519(nodeCrypto);
  readonly exchange = generateX25519(nodeCrypto);
  readonly identityKey = toBase64Url(this.identity.publicKey);
  readonly exchangeKey = toBase64Url(this.exchange.publicKey);

  /** What `GET /agents/:id` shows of an agent, all of it in order but someone else's. */
  agentKeys(agentId: string) {
    const mode = 'websocket' as const;
    return {
      identity_key: this.identityKey,
      exchange_key: this.exchangeKey,
      connection_mode: mode,
      connection_mode_signature: signMode(nodeCrypto, this.identity, {
        agentId,
        mode,
        exchangeKey: this.exchangeKey,
      }),
    };
  }

  signedPrekey() {
    return signPrekey(nodeCrypto, this.identity, { keyId: 1, publicKey: generateX25519(nodeCrypto).publicKey });
  }
}

/** What the person is shown. */
export const problem = (person: Person, kind: ClientProblem['kind']) =>
  waitUntil(person.device.problems, (all) => all.some((one) => one.problem.kind === kind)).then(
    (all) => all.find((one) => one.problem.kind === kind)!.problem,
  );
