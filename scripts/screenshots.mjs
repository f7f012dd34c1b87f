// Every screen of the web client, on a desktop and a phone, light and dark, in both languages: to be looked at.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createSite } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { ensureBrowser } from './browser.mjs';
import { ROOT } from './files.mjs';
import { ensureReady } from './setup.mjs';

const HELP = `Usage: npm run screenshots

Takes a picture of every screen of the web client, on a desktop and a phone, light and dark, in both languages, and
prints the folder that holds them. Takes some minutes.

  --help  this text`;
let options;
try {
  options = parseArgs({ options: { help: { type: 'boolean' } } }).values;
} catch (error) {
  console.error(`${error.message}\n\n${HELP}`);
  process.exit(2);
}
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const OUT = join(ROOT, '.parley', 'screenshots');
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const PASSWORD = 'correct horse battery';
const PAUSE_MS = 700;

const given = process.env.PARLEY_TEST_SITE;
if (!given) await ensureReady();
const { createServer, startEmbeddedPostgres } = await import('@parley/server');
const { HasheeAgent } = await import('@parley/agent');
const { createMemoryStore } = await import('@parley/messenger');

const folder = mkdtempSync(join(tmpdir(), 'parley-screenshots-'));
const postgres = await startEmbeddedPostgres(folder);
const site = createSite((_, response) => response.end('<p>Open from nine to five, closed on Mondays.</p>'));
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
  webRoot: given ?? join(ROOT, 'apps/cli/dist/site'),
});
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
});
try {
  await takeAll();
} finally {
  await browser.close();
  await server.close();
  site.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(OUT);

async function call(method, path, { token, body }) {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function startBot(name, change = () => {}) {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'examples/demo-bot/manifest.json'), 'utf8'));
  change(manifest);
  const account = { email: `${randomUUID()}@example.org`, account_password: PASSWORD, display_name: 'Parley Labs' };
  const { access_token: owner } = await call('POST', '/auth/register', { body: account });
  const description = 'Reads web pages for you, and tells you what is on them.';
  const body = { name, description, visibility: 'public', capability_manifest: manifest };
  const { agent_id: agentId, token } = await call('POST', '/agents', { token: owner, body });
  const agent = await HasheeAgent.init({
    agentId,
    token,
    baseUrl: server.url,
    connectionMode: 'websocket',
    keystore: createMemoryStore(),
  });
  const publish = (next) => call('PATCH', `/agents/${agentId}`, { token, body: next });
  return { agent, agentId, manifest, publish };
}

/** What is off until someone says yes: all but the least sensitive scope. */
async function allowAll(page) {
  const off = page.getByRole('switch', { checked: false });
  await off.first().waitFor();
  while (await off.count()) await off.first().click();
}

async function shootPage(page, name, full = false) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const theme of ['light', 'dark']) {
      await page.evaluate((value) => {
        document.documentElement.dataset.theme = value;
        // What fades from one theme to the other would be caught half way.
        for (const animation of document.getAnimations())
          if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
      }, theme);
      await page.waitForTimeout(200);
      const locale = await page.evaluate(() => document.documentElement.lang);
      const where = join(OUT, `${locale}-${size}-${theme}`);
      mkdirSync(where, { recursive: true });
      await page.screenshot({ path: join(where, `${name}.png`), fullPage: full, animations: 'disabled' });
    }
  }
  await page.setViewportSize(SIZES.desktop);
}

async function takeAll() {
  rmSync(OUT, { recursive: true, force: true });
  const page = await browser.newPage({ viewport: SIZES.desktop, locale: 'en', serviceWorkers: 'block' });
  const shoot = (name, full = false) => shootPage(page, name, full);
  const go = async (path) => {
    await page.evaluate((to) => history.pushState({}, '', to), `/app/${path}`);
    await page.waitForTimeout(PAUSE_MS);
  };
  const speak = async (locale) => {
    await page.evaluate((value) => localStorage.setItem('parley.locale', value), locale);
    await page.reload();
    await page.waitForTimeout(2 * PAUSE_MS);
  };

  const email = `${randomUUID()}@example.org`;
  await page.goto(`${server.url}/app/`);
  await page.getByRole('textbox').first().waitFor();
  for (const locale of ['zh-CN', 'en']) {
    await speak(locale);
    await page.getByRole('textbox').first().waitFor();
    await shoot('01-sign-in');
    for (const [name, path] of [
      ['02-operator', new URL(server.operatorLink).pathname + new URL(server.operatorLink).hash],
      ['02-invitation-over', `/app/sign-up#${randomBytes(32).toString('base64url')}`],
      ['02-reset-password', `/app/reset-password#${randomBytes(32).toString('base64url')}`],
      ['02-reset-without-link', '/app/reset-password'],
    ]) {
      await page.goto('about:blank');
      await page.goto(server.url + path);
      await page.waitForTimeout(2 * PAUSE_MS);
      await shoot(name);
      await page.evaluate(() => sessionStorage.clear());
    }
    await page.goto(`${server.url}/app/`);
    await page.locator('input[name=password]').waitFor();
    await page.getByRole('button').nth(-2).click();
    await page.locator('input[name=password]').waitFor({ state: 'detached' });
    await shoot('02-forgotten');
    await page.goto(`${server.url}/app/`);
    await page.locator('input[name=password]').waitFor();
  }
  await page
    .getByRole('button', { name: 'No account yet', exact: false })
    .or(page.locator('form ~ button'))
    .last()
    .click();
  await page.locator('input[name=name]').fill('Ada Lovelace');
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await shoot('02-sign-up');
  await page.locator('button[type=submit]').click();
  await page.locator('main#content').waitFor();
  await page.waitForTimeout(PAUSE_MS);
  await shoot('03-empty');

  const flags = { supports_artifacts: true, supports_streaming: true, supports_group_chat: true, supports_voice: true };
  const bot = await startBot('DemoBot', (manifest) => {
    manifest.capability_flags = flags;
  });
  const other = await startBot('Travel desk');
  await go(`agents/${bot.agentId}`);
  await allowAll(page);
  await page.getByRole('button', { name: 'Add DemoBot' }).click();
  await page.locator('textarea').waitFor();
  const conversationId = page.url().split('/').at(-1);
  await fillConversation(page, bot.agent, conversationId);
  // Where nothing was allowed yet, everything is asked.
  const asking = await startBot('Research');
  await go(`agents/${asking.agentId}`);
  await allowAll(page);
  await page.getByRole('button', { name: 'Add Research' }).click();
  await page.locator('textarea').waitFor();
  const asked = page.url().split('/').at(-1);

  const made = await makeThings();
  const people = await makePeople();
  for (const locale of ['en', 'zh-CN']) {
    await speak(locale);
    await go(`c/${conversationId}`);
    await shoot('04-conversation');
    for (const [name, tool, args] of [
      ['05-prompt', 'fetch_url', { url: 'https://www.example.org/opening-hours', method: 'POST' }],
      ['06-prompt-high', 'read_location', {}],
    ]) {
      await go(`c/${asked}`);
      asking.agent.callTool(asked, tool, args).catch(() => {});
      await page.getByRole('dialog').waitFor();
      await shoot(name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    for (const [name, path] of [
      ['07-agents', 'agents'],
      ['08-consent', `agents/${other.agentId}`],
      ['09-agent', `agents/${bot.agentId}`],
      ['10-permissions', 'permissions'],
      ['11-audit', 'audit'],
      ['12-settings', 'settings'],
      ['13-device', 'device?user_code=ABCDEFGH'],
      ['14-developer', 'developer'],
      ['15-bundles', 'bundles'],
      ['16-skills', 'skills'],
      ['17-nowhere', 'nowhere'],
      ['50-contacts', 'contacts'],
      ['51-contact-link', `contact/${people.code}`],
    ]) {
      await go(path);
      await shoot(name, true);
    }
    await go('');
    await page.locator('header button').first().click();
    await page.getByRole('dialog').waitFor();
    await shoot('18-new-conversation');
    await page.getByRole('tab').last().click();
    await shoot('20-new-group');
    await page.keyboard.press('Escape');
    await takeInside(made);
  }
  const next = structuredClone(bot.manifest);
  next.tools[0].input_schema.properties.method.enum = ['GET'];
  await bot.publish(next);
  for (const locale of ['en', 'zh-CN']) {
    await speak(locale);
    await go(`agents/${bot.agentId}`);
    await page.waitForTimeout(PAUSE_MS);
    await shoot('19-changed', true);
  }
  await takeWaiting();
  await bot.agent.disconnect();
  await other.agent.disconnect();
  await asking.agent.disconnect();

  /** What a person sees of others: one who asks, one who is known, one who is blocked, and one who was asked. */
  async function makePeople() {
    const { access_token: token } = await call('POST', '/auth/login', { body: { email, account_password: PASSWORD } });
    const { code } = await call('GET', '/contacts/code', { token });
    const meet = async (name) => {
      const account = { email: `${randomUUID()}@example.org`, account_password: PASSWORD, display_name: name };
      const { access_token } = await call('POST', '/auth/register', { body: account });
      return { token: access_token, code: (await call('GET', '/contacts/code', { token: access_token })).code };
    };
    const acceptNewest = async () => {
      const { incoming } = await call('GET', '/contacts/requests', { token });
      return call('POST', `/contacts/requests/${incoming[0].request_id}/accept`, { token, body: {} });
    };
    for (const name of ['Grace Hopper', 'Charles Babbage']) {
      const known = await meet(name);
      await call('POST', '/contacts/requests', { token: known.token, body: { code } });
      const { user_id } = await acceptNewest();
      if (name.startsWith('Charles')) await call('POST', '/contacts/blocked', { token, body: { user_id } });
    }
    const asking = await meet('Mary Somerville');
    await call('POST', '/contacts/requests', { token: asking.token, body: { code } });
    const asked = await meet('Michael Faraday');
    await call('POST', '/contacts/requests', { token, body: { code: asked.code } });
    return { code: (await meet('Annabella Byron')).code };
  }

  /** One's own agent, a bundle and a skill: what their inner pages show. */
  async function makeThings() {
    const { access_token: token } = await call('POST', '/auth/login', { body: { email, account_password: PASSWORD } });
    const own = await call('POST', '/agents', { token, body: { name: 'Weather', capability_manifest: bot.manifest } });
    const path = join(ROOT, 'examples/bundles/review-board/manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    const bundle = await call('POST', '/bundles', { token, body: { manifest } });
    await call('POST', '/skill-namespaces', { token, body: { namespace: 'org.example' } });
    const skill = JSON.parse(readFileSync(join(ROOT, 'examples/skills/translate.json'), 'utf8'));
    for (const version of ['1.0.0', '2.0.0']) {
      const inputs = version === '2.0.0' ? skill.inputs.slice(0, 1) : skill.inputs;
      await call('POST', '/skills', { token, body: { ...skill, id: 'org.example.translate', version, inputs } });
    }
    return { agent: own.agent_id, bundle: bundle.id, skill: 'org.example.translate' };
  }

  async function takeInside({ agent, bundle, skill }) {
    for (const [name, path] of [
      ...['overview', 'manifest', 'history', 'tokens', 'webhook', 'events'].map((tab) => [
        `21-own-${tab}`,
        `developer/${agent}#${tab}`,
      ]),
      ['22-bundle', `bundles/${bundle}`],
      ['23-bundle-check', 'bundles#check'],
      ...['about', 'try', 'call', 'versions', 'people'].map((tab) => [`24-skill-${tab}`, `skills/${skill}#${tab}`]),
      ['25-skill-publish', 'skills#publish'],
      ['26-namespaces', 'skills#namespaces'],
    ]) {
      await go(path);
      await shoot(name, true);
    }
    await go(`bundles/${bundle}`);
    for (let index = 1; index < (await page.getByRole('tab').count()); index++) {
      await page.getByRole('tab').nth(index).click();
      await page.waitForTimeout(PAUSE_MS);
      await shoot(`22-bundle-${index}`, true);
    }
    const inDialog = async (name, path, open) => {
      await go(path);
      await open();
      await page.getByRole('dialog').waitFor();
      await page.waitForTimeout(PAUSE_MS);
      await shoot(name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const main = page.locator('main');
    await inDialog('30-create-agent', 'developer', () => main.getByRole('button').first().click());
    await inDialog('31-delete-agent', `developer/${agent}#overview`, () => main.getByRole('button').last().click());
    await inDialog('32-new-token', `developer/${agent}#tokens`, () => main.getByRole('button').first().click());
    await inDialog('33-delete-account', 'settings', () => main.getByRole('button').last().click());
    await inDialog('34-end-agent', `agents/${bot.agentId}`, () => main.locator('details ~ div button').last().click());
    await inDialog('35-compare', `agents/${bot.agentId}`, () =>
      main.locator('aside button:has(+ button)').first().click(),
    );
    await page.setViewportSize(SIZES.phone);
    await page.locator('nav:visible button').click();
    await page.getByRole('menu').waitFor();
    await shoot('36-more');
    await page.keyboard.press('Escape');
  }

  /** A second device, which waits for the first. */
  async function takeWaiting() {
    const second = await browser.newPage({ viewport: SIZES.desktop, locale: 'en', serviceWorkers: 'block' });
    await second.goto(`${server.url}/app/`);
    await second.locator('input[name=email]').fill(email);
    await second.locator('input[name=password]').fill('not the password');
    await second.locator('button[type=submit]').click();
    await second.getByRole('alert').waitFor();
    await shootPage(second, '40-refused');
    await second.locator('input[name=password]').fill(PASSWORD);
    await second.locator('button[type=submit]').click();
    await second.locator('summary').click();
    await shootPage(second, '41-waiting');
    await second.close();
  }
}

async function fillConversation(page, agent, conversationId) {
  const say = async (text) => {
    await page.locator('textarea').fill(text);
    await page.locator('textarea').press('Enter');
  };
  await say('When are you open?');
  const url = `http://127.0.0.1:${site.address().port}/hours`;
  const answered = agent.callTool(conversationId, 'fetch_url', { url });
  await page.getByRole('dialog').waitFor();
  await page.getByRole('dialog').getByRole('button').last().click();
  await answered;
  await agent.send(conversationId, {
    type: 'text',
    text: 'We are open **from nine to five**:\n\n- closed on Mondays\n- [the page](https://example.org/hours) says so',
  });
  const refused = agent.callTool(conversationId, 'read_location').catch(() => {});
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await refused;
  await agent.sendArtifact(conversationId, {
    subtype: 'approval',
    title: 'Book a table for Tuesday?',
    blocks: [
      { tag: 'text', text: 'Two people, seven o’clock, by the window.' },
      {
        tag: 'table',
        columns: ['Course', 'Price'],
        rows: [
          ['Noodles', '12'],
          ['Tea', '3'],
        ],
      },
      { tag: 'action', id: 'yes', label: 'Approve', style: 'primary' },
      { tag: 'action', id: 'no', label: 'Reject' },
    ],
  });
  await page.waitForTimeout(PAUSE_MS);
}
