// What the pictures are taken of: a server with the pages, a browser, agents, and people who use it.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createSite } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HasheeAgent } from '@parley/agent';
import { startDemoBot } from '@parley/demo-bot';
import { createMemoryStore } from '@parley/messenger';
import { createServer, ensureLocalAgent, startEmbeddedPostgres } from '@parley/server';
import { chromium } from 'playwright-core';
import { runnerImport } from 'vite';
import { ensureBrowser } from '../browser.mjs';
import { ROOT } from '../files.mjs';
import { Person } from './person.mjs';

const PASSWORD = 'correct horse battery';
const PAGE =
  '<html><head><title>Opening hours</title></head><body><p>Open from nine to five, closed on Mondays.</p></body></html>';

export const readExample = (path) => JSON.parse(readFileSync(join(ROOT, 'examples', path), 'utf8'));
export const MANIFEST = readExample('demo-bot/manifest.json');

/** Ends with `close`. */
export async function openStage(out) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-screenshots-'));
  const workspaces = { desk: join(folder, 'desk'), studio: join(folder, 'studio') };
  for (const workspace of Object.values(workspaces)) {
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'AGENTS.md'), '# The rules of this folder\n');
  }
  const postgres = await startEmbeddedPostgres(folder);
  let hookStatus = 500;
  const site = createSite((request, response) => {
    if (request.url === '/hook') response.statusCode = hookStatus;
    else response.setHeader('content-type', 'text/html');
    request.resume().on('end', () => response.end(PAGE));
  });
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
  const server = await createServer({
    databaseUrl: postgres.url,
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost:8484',
    development: true,
    tokenSecret: randomBytes(32),
    storageSecret: randomBytes(32),
    trustedProxies: [],
    mailFrom: 'parley@localhost',
    allowPrivateAddresses: true,
    retention: { envelopeDays: 30, eventDays: 30, deliveryDays: 30 },
    poolSize: 8,
    logLevel: 'silent',
    webRoot: process.env.PARLEY_TEST_SITE ?? join(ROOT, 'apps/cli/dist/site'),
    workspaces,
  });
  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
  });
  const tables = await readTexts();
  const bots = [];

  async function call(method, path, { token, body } = {}) {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async function register(name) {
    const email = `${randomUUID()}@example.org`;
    const body = { email, account_password: PASSWORD, display_name: name };
    const { access_token: token, user_id: id } = await call('POST', '/auth/register', { body });
    return { token, id };
  }

  return {
    server,
    call,
    register,
    pageUrl: `http://127.0.0.1:${site.address().port}`,
    heal: (heals) => {
      hookStatus = heals ? 200 : 500;
    },
    makeOperator: (id) =>
      server.platform.db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', id).execute(),

    async arrive(locale, options = {}) {
      const words = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table[locale]]));
      return Person.arrive(browser, { url: server.url, out, locale, words, call, password: PASSWORD, ...options });
    },

    /** An agent of a maker of its own. */
    async bot(name, change = () => {}) {
      const manifest = structuredClone(MANIFEST);
      change(manifest);
      const maker = await register('Parley Labs');
      const description = 'Reads web pages for you, and tells you what is on them.';
      const body = { name, description, visibility: 'public', capability_manifest: manifest };
      const { agent_id: agentId, token } = await call('POST', '/agents', { token: maker.token, body });
      const agent = await HasheeAgent.init({
        agentId,
        token,
        baseUrl: server.url,
        connectionMode: 'websocket',
        keystore: createMemoryStore(),
      });
      bots.push(agent);
      return {
        name,
        agent,
        agentId,
        manifest,
        publish: (next) => call('PATCH', `/agents/${agentId}`, { token, body: next }),
        remove: () => call('DELETE', `/agents/${agentId}`, { token: maker.token }),
      };
    },

    /** The one that comes with the server. */
    async builtInBot() {
      const made = await ensureLocalAgent(server.platform, {
        name: 'DemoBot',
        manifest: MANIFEST,
        tokenFile: join(folder, 'demo-bot.token'),
      });
      bots.push(await startDemoBot({ ...made, baseUrl: server.url, keystore: createMemoryStore() }));
      return { name: 'DemoBot', agentId: made.agentId, agent: bots.at(-1) };
    },

    async close() {
      await browser.close();
      await Promise.all(bots.map((agent) => agent.disconnect()));
      await server.close();
      site.close();
      site.closeAllConnections();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the page says: buttons are found by the words on them. */
async function readTexts() {
  const { module } = await runnerImport(join(ROOT, 'apps/web/src/all-texts.ts'), {
    configFile: false,
    root: join(ROOT, 'apps/web'),
    logLevel: 'silent',
  });
  return module.ALL_TEXTS;
}
