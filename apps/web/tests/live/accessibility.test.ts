import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE } from '../../src/screens/skills/example.ts';
import { type Bot, DEMO_MANIFEST, fill, type Person, useWorld } from './harness/index.ts';

const PASSWORD = 'correct horse battery';
const BUNDLE = new URL('../../../../examples/bundles/review-board/manifest.json', import.meta.url);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const SIZES = { desktop: { width: 1200, height: 800 }, phone: { width: 390, height: 844 } } as const;

interface Axe {
  run(
    context: Document,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>;
}

/** In light and dark, on a desktop and a phone. */
async function findViolations({ page }: Person): Promise<string[]> {
  const found: string[] = [];
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const theme of ['light', 'dark']) {
      const violations = await page.evaluate(
        async ([name, tags]) => {
          document.documentElement.dataset.theme = name as string;
          // What fades would be measured half way.
          for (const animation of document.getAnimations())
            if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
          const { axe } = globalThis as unknown as { axe: Axe };
          const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
          return violations.flatMap(({ id, nodes }) =>
            nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary ?? ''}`),
          );
        },
        [theme, TAGS] as const,
      );
      found.push(...violations.map((text) => `${size} ${theme}: ${text}`));
    }
  }
  await page.setViewportSize(SIZES.desktop);
  return found;
}

const withAxe = {
  prepare: async (context: Person['context']) => {
    await context.addInitScript({ content: AXE });
  },
};

describe('HS-10 for everyone', () => {
  const world = useWorld();
  let bot: Bot;
  let ada: Person;

  beforeAll(async () => {
    bot = await world.bot({
      manifest: { ...DEMO_MANIFEST, capability_flags: { supports_artifacts: true, supports_voice: true } },
    });
    ada = await world.signUp(withAxe);
    await ada.addAgent(bot.agentId, bot.name);
  });
  afterAll(() => ada?.close());

  it('HS-10 before signing in, and while a device waits', async () => {
    const eve = await world.arrive({ ...withAxe, email: ada.email });
    await eve.open();
    await eve.button(eve.words.signIn.toCreate).waitFor();
    expect(await findViolations(eve)).toEqual([]);
    await eve.button(eve.words.signIn.toCreate).click();
    expect(await findViolations(eve)).toEqual([]);
    await eve.signIn();
    await eve.page.getByText(eve.words.signIn.waitingCode).waitFor();
    await eve.page.getByText(eve.words.signIn.recovery, { exact: true }).click();
    expect(await findViolations(eve)).toEqual([]);
  });

  it('HS-10 a conversation with cards and calls, the question, its answer', async () => {
    const { page, words, conversationId } = ada;
    await bot.agent.sendArtifact(conversationId, {
      subtype: 'form',
      title: 'Order',
      blocks: [
        { tag: 'text', text: 'Say **what** you want, [here](https://example.org)' },
        { tag: 'input', id: 'dish', label: 'Dish', placeholder: 'Noodles' },
        { tag: 'select', id: 'size', label: 'Size', options: [{ value: 's', label: 'Small' }] },
        { tag: 'checkbox', id: 'hot', label: 'Hot' },
        { tag: 'status', text: 'Open', tone: 'warning' },
        { tag: 'table', columns: ['a', 'b'], rows: [['1', '2']] },
        { tag: 'code', text: 'x = 1' },
        { tag: 'action', id: 'go', label: 'Go', style: 'danger' },
      ],
    });
    await bot.agent.sendArtifact(conversationId, { subtype: 'progress', title: 'Cooking', progress: 0.4, blocks: [] });
    const answered = bot.agent.callTool(conversationId, 'fetch_url', { url: `${world.server.url}/health` });
    await ada.prompt.waitFor();
    expect(await findViolations(ada)).toEqual([]);
    await ada.answer('allow');
    await answered;
    await page.getByRole('button', { name: words.conversations.call.result }).click();
    await ada.button(words.conversations.cards).click();
    expect(await findViolations(ada)).toEqual([]);
    await ada.button(words.conversations.start).click();
    await page.getByRole('tab', { name: words.conversations.newGroup }).click();
    expect(await findViolations(ada)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it.each([
    '',
    'agents',
    'permissions',
    'audit',
    'settings',
    'device?user_code=ABCDEFGH',
    'people/x',
    'developer',
    'bundles',
    'skills',
    'nowhere',
  ])('HS-10 /%s', async (path) => {
    await ada.go(path);
    await ada.page.getByRole('main').getByText(/\w/).first().waitFor();
    expect(await findViolations(ada)).toEqual([]);
  });

  it('HS-10 the inner pages of developers, bundles and skills', async () => {
    const { server } = world;
    const signedIn = await server.call('POST', '/auth/login', {
      body: { email: ada.email, account_password: PASSWORD },
    });
    const token = signedIn.body.access_token as string;
    const own = await server.call('POST', '/agents', {
      token,
      body: { name: 'Mine', capability_manifest: DEMO_MANIFEST },
    });
    const manifest: unknown = JSON.parse(readFileSync(BUNDLE, 'utf8'));
    const bundle = await server.call('POST', '/bundles', { token, body: { manifest } });
    await server.call('POST', '/skill-namespaces', { token, body: { namespace: 'org.axe' } });
    const skill = await server.call('POST', '/skills', { token, body: { ...EXAMPLE, id: 'org.axe.x' } });
    expect([own, bundle, skill].map(({ status }) => status)).toEqual([201, 201, 201]);
    const agent = `developer/${own.body.agent_id}`;
    const pages = [
      ...['overview', 'manifest', 'history', 'tokens', 'webhook'].map((tab) => [`${agent}#${tab}`, 'Mine'] as const),
      [`bundles/${bundle.body.id}`, (manifest as { name: string }).name] as const,
      ['skills/org.axe.x', EXAMPLE.name] as const,
    ];
    for (const [path, title] of pages) {
      await ada.go(path);
      await ada.page.getByRole('heading', { level: 1, name: title }).waitFor();
      const [, tab] = path.split('#');
      if (tab !== undefined) await ada.page.locator(`[role=tab][aria-selected=true]`).waitFor();
      await ada.page.waitForLoadState('networkidle');
      expect([path, await findViolations(ada)]).toEqual([path, []]);
    }
  });

  it('HS-10 consent, permissions, what changed', async () => {
    const { page, words } = ada;
    const other = await world.bot({ name: 'Another' });
    await ada.go(`agents/${other.agentId}`);
    await page.getByRole('switch').first().waitFor();
    await page.getByText('1 tool').first().click();
    expect(await findViolations(ada)).toEqual([]);
    const manifest = structuredClone(DEMO_MANIFEST);
    manifest.tools[0].input_schema.properties.method.enum = ['GET'];
    await bot.publish(manifest);
    await ada.go(`agents/${bot.agentId}`);
    await page.getByRole('heading', { name: words.agents.review }).waitFor();
    await page.getByText(words.agents.changes).waitFor();
    expect(await findViolations(ada)).toEqual([]);
    await ada.button(words.agents.compare).click();
    await page.getByRole('img', { name: words.agents.safetyQr }).waitFor();
    expect(await findViolations(ada)).toEqual([]);
  });

  it('HS-10 the film by keyboard alone; the focus comes back after each question', async () => {
    const eve = await world.arrive({ name: 'Eve' });
    const { page, words } = eve;
    const { keyboard } = page;
    const bots = await world.demoBot({ name: 'Keys' });
    await eve.open();
    await eve.button(words.signIn.toCreate).waitFor();
    await tabTo(eve, words.signIn.toCreate);
    await keyboard.press('Enter');
    for (const [label, text] of [
      [words.signIn.name, eve.name],
      [words.signIn.email, eve.email],
      [words.signIn.password, eve.credentials.account_password],
    ] as const) {
      await tabTo(eve, label);
      await keyboard.type(text);
    }
    await keyboard.press('Enter');
    await eve.atHome();
    await tabTo(eve, words.shell.nav.agents);
    await keyboard.press('Enter');
    await page.getByRole('searchbox').waitFor();
    await tabTo(eve, words.agents.searchLabel);
    await keyboard.type(bots.name);
    await page.getByRole('link', { name: /^Keys/ }).waitFor();
    await tabTo(eve, /^Keys/);
    await keyboard.press('Enter');
    await page.getByRole('switch').first().waitFor();
    await tabTo(eve, /.+/, 'switch');
    await keyboard.press('Space');
    await tabTo(eve, fill(words.agents.add, { name: bots.name }));
    await keyboard.press('Enter');
    await page.getByRole('textbox', { name: words.conversations.write }).waitFor();
    await tabTo(eve, words.conversations.write);
    await keyboard.type(`what is on ${world.server.url}/health`);
    await keyboard.press('Enter');
    await eve.prompt.waitFor();
    // A key that was meant for the text decides nothing.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('dialog');
    await tabTo(eve, words.conversations.prompt.allow);
    await keyboard.press('Enter');
    await eve.prompt.waitFor({ state: 'detached' });
    await expect.poll(() => focused(eve)).toMatchObject({ name: words.conversations.write });
    await eve.thread.getByText(words.conversations.call.ok, { exact: true }).waitFor();
    await keyboard.type('where am I');
    await keyboard.press('Enter');
    await eve.prompt.waitFor();
    await keyboard.press('Escape');
    await eve.thread.getByText('Fine, I leave it.').waitFor();
    await expect.poll(() => focused(eve)).toMatchObject({ name: words.conversations.write });
  });
});

function focused({ page }: Person): Promise<{ name: string; role: string | null }> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const label = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent;
    return { name: (label ?? element.textContent ?? '').trim(), role: element.getAttribute('role') };
  });
}

const MAX_STOPS = 80;

async function tabTo(person: Person, name: string | RegExp, role?: string): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    const at = await focused(person);
    const fits = typeof name === 'string' ? at.name === name : name.test(at.name);
    if (fits && (role === undefined || at.role === role)) return;
    await person.page.keyboard.press('Tab');
  }
  throw new Error(`${name} cannot be reached by keyboard`);
}
