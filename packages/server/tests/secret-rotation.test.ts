import { randomBytes } from 'node:crypto';
import type { ServerConfig } from '@parley/server';
import { signedHeaders, startWebhookHost, type WebhookHost } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendPing } from '../src/webhooks/settings.ts';
import { createDatabase, startTestServer, type TestServer } from './harness/server.ts';
import { addBot, addTalker, type Bot, type Talker } from './harness/talk.ts';

const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const SIGNATURE = 'x-hashee-signature';
const old = { tokenSecret: randomBytes(32), storageSecret: randomBytes(32) };
const fresh = { tokenSecret: randomBytes(32), storageSecret: randomBytes(32) };

let database: Awaited<ReturnType<typeof createDatabase>>;
let host: WebhookHost;
let owner: Talker;
let bot: Bot;

beforeAll(async () => {
  database = await createDatabase();
  host = await startWebhookHost();
});
afterAll(async () => {
  await host.close();
  await database.drop();
});

/** The same server after a restart with these secrets. */
async function withSecrets(secrets: Partial<ServerConfig>, work: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startTestServer({ databaseUrl: database.url, ...secrets });
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

const meStatus = async (server: TestServer, token: string) => (await server.call('GET', '/auth/me', { token })).status;

async function pingIsSigned(server: TestServer): Promise<void> {
  const endpoint = host.endpoint('bot', async () => new Response(null, { status: 204 }));
  const { status, body } = await server.call('POST', `/agents/${bot.id}/webhook/test`, { token: owner.token });
  expect(status).toBe(202);
  const delivery = await until(() => {
    const found = endpoint.deliveries.find(({ headers }) => headers.get('x-hashee-delivery-id') === body.delivery_id);
    expect(found).toBeDefined();
    return found!;
  });
  const at = new Date(Number(delivery.headers.get('x-hashee-timestamp')) * 1_000);
  const expected = signedHeaders(WEBHOOK_SECRET, { deliveryId: body.delivery_id, at, body: delivery.body });
  expect(delivery.headers.get(SIGNATURE)).toContain(Object.values(expected)[0]);
}

describe('OP-16 other secrets', () => {
  it('OP-16 sessions go on and webhooks are signed as before; what was sealed is sealed anew', async () => {
    const { url } = host.endpoint('bot', async () => new Response(null, { status: 204 }));
    await withSecrets(old, async (server) => {
      owner = await addTalker(server);
      bot = await addBot(server, owner, { mode: 'webhook' });
      const body = { url, secret: WEBHOOK_SECRET };
      expect((await server.call('PUT', `/agents/${bot.id}/webhook`, { token: owner.token, body })).status).toBe(200);
      await pingIsSigned(server);
    });
    const accepted = { acceptedTokenSecrets: [old.tokenSecret], acceptedStorageSecrets: [old.storageSecret] };
    let signedNow = '';
    await withSecrets({ ...fresh, ...accepted }, async (server) => {
      expect(await meStatus(server, owner.token)).toBe(200);
      await pingIsSigned(server);
      signedNow = (await signIn(server)).access_token;
    });
    await withSecrets(fresh, async (server) => expect(await meStatus(server, signedNow)).toBe(200));
    await withSecrets(old, async (server) => expect(await meStatus(server, signedNow)).toBe(401));
  });

  it('OP-16 attack: a token signed with a secret that was retired opens nothing; webhooks go on', async () => {
    await withSecrets(fresh, async (server) => {
      expect(await meStatus(server, owner.token)).toBe(401);
      const { db } = server.platform;
      // Its owner has no token of this server, so the test asks for the delivery directly.
      const id = await sendPing(server.platform, bot.id);
      await until(async () => {
        const { status } = await db
          .selectFrom('webhook_deliveries')
          .select('status')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        expect(status).toBe('delivered');
      });
    });
  });
});

async function signIn(server: TestServer): Promise<{ access_token: string }> {
  const body = { email: 'ada@example.org', account_password: 'correct horse battery', display_name: 'Ada' };
  const reply = await server.call('POST', '/auth/register', { body });
  expect(reply.status).toBe(201);
  return reply.body;
}
