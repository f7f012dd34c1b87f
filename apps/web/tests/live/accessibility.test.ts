import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Bot,
  DEMO_MANIFEST,
  expectForEveryone,
  fill,
  type Person,
  useWorld,
  WEB_SCOPE,
  withAxe,
} from './harness/index.ts';

/** Wider and higher than its place in whatever font. */
const LONG = 'A line that no screen is wide enough for. '.repeat(60);

describe('HS-10 for everyone', () => {
  const world = useWorld();
  let bot: Bot;
  let ada: Person;

  beforeAll(async () => {
    bot = await world.bot({
      manifest: { ...DEMO_MANIFEST, capability_flags: { supports_artifacts: true, supports_voice: true } },
    });
    ada = await world.signUp(withAxe);
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE, 'Read your location']);
  });
  afterAll(() => ada?.close());

  it('HS-10 before signing in, when it is refused, and while a device waits', async () => {
    const eve = await world.arrive({ ...withAxe, email: ada.email });
    const { page, words } = eve;
    await eve.open();
    await eve.button(words.signIn.toCreate).waitFor();
    await expectForEveryone(eve, 'sign in');
    await page.getByLabel(words.signIn.email, { exact: true }).fill(eve.email);
    await page.getByLabel(words.signIn.password, { exact: true }).fill('not the password');
    await eve.button(words.signIn.submit).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(eve, 'wrong password');
    await eve.button(words.signIn.toCreate).click();
    await page.getByLabel(words.signIn.name, { exact: true }).fill('Eve');
    await eve.enterCredentials();
    await eve.button(words.signIn.create).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(eve, 'an address that has an account');

    await eve.signIn();
    await page.getByText(words.signIn.waitingCode, { exact: true }).waitFor();
    await page.getByText(words.signIn.recovery, { exact: true }).click();
    await page.getByLabel(words.signIn.recoverySecret, { exact: true }).fill(LONG);
    await eve.button(words.signIn.recover).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(eve, 'a recovery secret that is none');
    await page.getByLabel(words.signIn.recoverySecret, { exact: true }).fill('{}');
    await page.getByLabel(words.signIn.passphrase, { exact: true }).waitFor();
    await expectForEveryone(eve, 'a recovery file of the version before');

    await eve.reopen();
    await eve.page.getByText(words.signIn.otherTab, { exact: true }).waitFor();
    await expectForEveryone(eve, 'another tab');
  });

  it.each([
    ['', 'conversations'],
    ['agents', 'agents'],
    ['permissions', 'permissions'],
    ['audit', 'audit'],
    ['settings', 'settings'],
    ['developer', 'developer'],
    ['bundles', 'bundles'],
    ['skills', 'skills'],
  ] as const)('HS-10 /%s', async (path, name) => {
    await ada.go(path);
    await ada.page.getByRole('heading', { level: 1, name: ada.words[name].title, exact: true }).waitFor();
    await expectForEveryone(ada, path);
  });

  it('HS-10 addresses of nothing, of nobody, and of an agent that is not there', async () => {
    const { page, words } = ada;
    await ada.go('nowhere');
    await page.getByText(words.shell.notFound, { exact: true }).waitFor();
    await expectForEveryone(ada, 'nowhere');
    await ada.go('people/x');
    await ada.button(words.conversations.begin).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'nobody');
    await ada.go(`agents/${crypto.randomUUID()}`);
    await page.getByText(words.agents.gone.unknown, { exact: true }).waitFor();
    await expectForEveryone(ada, 'no agent');
    await ada.go('agents');
    await page.getByRole('searchbox').fill('nothing is called this');
    await page.getByText(words.agents.none, { exact: true }).waitFor();
    await page.getByLabel(words.agents.link, { exact: true }).fill('not a link');
    await ada.button(words.agents.open).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'no link');
  });

  it('HS-10 the places that a phone keeps under "More"', async () => {
    const { page, words } = ada;
    await page.setViewportSize({ width: 390, height: 844 });
    await ada.button(words.shell.nav.more).click();
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: words.shell.nav.settings, exact: true }).waitFor();
    await expectForEveryone(ada, 'more', ['phone']);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  it('HS-10 a conversation with cards, files and calls, the question, its answer', async () => {
    const { page, words } = ada;
    await ada.go(`agents/${bot.agentId}`);
    await page.getByRole('link', { name: words.agents.talk, exact: true }).click();
    await page.getByRole('textbox', { name: words.conversations.write, exact: true }).waitFor();
    const { conversationId } = ada;
    const row = Array.from({ length: 12 }, (_, index) => `column ${index} ${LONG.slice(0, 60)}`);
    await bot.agent.sendArtifact(conversationId, {
      subtype: 'form',
      title: 'Order',
      blocks: [
        { tag: 'text', text: 'Say **what** you want, [here](https://example.org)' },
        { tag: 'input', id: 'dish', label: 'Dish', placeholder: 'Noodles' },
        { tag: 'select', id: 'size', label: 'Size', options: [{ value: 's', label: 'Small' }] },
        { tag: 'checkbox', id: 'hot', label: 'Hot' },
        { tag: 'status', text: 'Open', tone: 'warning' },
        { tag: 'action', id: 'go', label: 'Go', style: 'danger' },
      ],
    });
    await bot.agent.sendArtifact(conversationId, {
      subtype: 'progress',
      title: 'Cooking',
      progress: 0.4,
      blocks: [
        { tag: 'table', columns: row, rows: [row, row] },
        { tag: 'code', text: LONG + 'and many of them\n'.repeat(60) },
      ],
    });
    const notes = {
      type: 'file',
      name: 'notes.txt',
      mime_type: 'text/plain',
      data: btoa(`${LONG}\n`.repeat(5)),
    } as const;
    await bot.agent.send(conversationId, { ...notes, caption: 'What I wrote down' });
    await ada.thread.getByText('What I wrote down', { exact: true }).waitFor();
    const url = `${world.server.url}/health?${'x'.repeat(400)}`;
    const answered = bot.agent.callTool(conversationId, 'fetch_url', { url });
    await ada.prompt
      .getByText(/\/health\?x/)
      .first()
      .waitFor();
    const also = bot.agent.callTool(conversationId, 'read_location').catch(() => {});
    await ada.place(1, 2).waitFor();
    await expectForEveryone(ada, 'a question, another waits');
    // To look at it from all sides may take longer than there is to answer: its time stands still.
    await page.clock.setFixedTime(new Date());
    await page.evaluate(holdLongTimers);
    await ada.answer('allow');
    await answered;
    await ada.prompt.getByRole('timer').waitFor();
    await page.evaluate(() => (globalThis as unknown as { letTimersGo: () => void }).letTimersGo());
    await expectForEveryone(ada, 'a question for 30 seconds');
    await ada.answer('alwaysDeny');
    await also;
    await page.clock.setSystemTime(new Date());
    await ada.thread.getByText(words.conversations.call.denied, { exact: true }).waitFor();
    await page.getByRole('button', { name: words.conversations.call.result, exact: true }).click();
    await page.getByRole('button', { name: words.conversations.call.arguments, exact: true }).click();
    await expectForEveryone(ada, 'calls that are over');
    await ada.button(words.conversations.cards).click();
    await page.getByRole('complementary', { name: words.conversations.cards, exact: true }).waitFor();
    await expectForEveryone(ada, 'the panel of cards');
  });

  it('HS-10 consent, what changed, the key, the way out', async () => {
    const { page, words } = ada;
    const other = await world.bot({ name: 'Another' });
    await ada.go(`agents/${other.agentId}`);
    await page.getByRole('switch').first().waitFor();
    await page.getByText('1 tool', { exact: true }).first().click();
    await page.getByText(words.agents.qr, { exact: true }).click();
    await page.getByRole('img', { name: words.agents.qr, exact: true }).waitFor();
    await expectForEveryone(ada, 'consent');
    const manifest = structuredClone(DEMO_MANIFEST);
    manifest.tools[0].input_schema.properties.method.enum = ['GET'];
    await bot.publish(manifest);
    await ada.go(`agents/${bot.agentId}`);
    await page.getByRole('heading', { name: words.agents.review, exact: true }).waitFor();
    await page.getByText(words.agents.changes, { exact: true }).waitFor();
    await page.getByText(words.agents.history, { exact: true }).click();
    await expectForEveryone(ada, 'what changed');
    await ada.button(words.agents.compare).click();
    await page.getByRole('img', { name: words.agents.safetyQr, exact: true }).waitFor();
    await expectForEveryone(ada, 'safety number');
    await page.keyboard.press('Escape');
    await ada.button(words.agents.end).click();
    await ada.prompt.waitFor();
    await expectForEveryone(ada, 'removing an agent');
    await page.keyboard.press('Escape');
  });

  it('HS-10 what was granted, remembered and recorded', async () => {
    const { page, words } = ada;
    await ada.go('permissions');
    await page.getByRole('radio', { name: words.permissions.byScope, exact: true }).click();
    // One tool is silent since it was allowed, another is always denied.
    const covers = `requests to ${world.server.url}`;
    await ada.button(fill(words.permissions.askLabel, { tool: 'fetch_url', agent: bot.name, covers })).waitFor();
    await ada.button(fill(words.permissions.allowAgainLabel, { tool: 'read_location', agent: bot.name })).waitFor();
    await expectForEveryone(ada, 'permissions by scope');
    await ada.go('audit');
    await page.locator('summary').first().click();
    await ada.button(words.audit.verify).click();
    await page.getByText(fill(words.audit.verified, { count: 2 }), { exact: true }).waitFor();
    await expectForEveryone(ada, 'the record, verified');
    await page.getByLabel(words.audit.status, { exact: true }).selectOption('error');
    await page.getByText(words.audit.none, { exact: true }).waitFor();
    await expectForEveryone(ada, 'nothing recorded');
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
    await tabTo(eve, WEB_SCOPE, 'switch');
    await keyboard.press('Space');
    await tabTo(eve, fill(words.agents.add, { name: bots.name }));
    await keyboard.press('Enter');
    await page.getByRole('textbox', { name: words.conversations.write, exact: true }).waitFor();
    await tabTo(eve, words.conversations.write);
    await keyboard.type(`what is on ${world.server.url}/health`);
    await keyboard.press('Enter');
    await eve.prompt.waitFor();
    // A key that was meant for the text decides nothing.
    await expect.poll(() => focused(eve)).toMatchObject({ role: 'dialog' });
    await eve.answerable();
    await tabTo(eve, words.conversations.prompt.allowDay);
    await keyboard.press('Enter');
    await eve.prompt.waitFor({ state: 'detached' });
    await expect.poll(() => focused(eve)).toMatchObject({ name: words.conversations.write });
    await eve.thread.getByText(words.conversations.call.ok, { exact: true }).waitFor();
    await keyboard.type('where am I');
    await keyboard.press('Enter');
    await eve.prompt.waitFor();
    await expect.poll(() => focused(eve)).toMatchObject({ role: 'dialog' });
    await eve.answerable();
    await keyboard.press('Escape');
    await eve.thread.getByText('All right, I’ll leave it.', { exact: true }).waitFor();
    await expect.poll(() => focused(eve)).toMatchObject({ name: words.conversations.write });
  });
});

/** Runs in the page: fixed time still lets timers run, and that of a question would end it. */
function holdLongTimers(): void {
  const { setTimeout } = globalThis;
  const [long, longer] = [20_000, 20_000_000];
  const hold = (handler: TimerHandler, ms = 0, ...rest: unknown[]) =>
    setTimeout(handler, ms > long ? longer : ms, ...rest);
  Object.assign(globalThis, { setTimeout: hold, letTimersGo: () => Object.assign(globalThis, { setTimeout }) });
}

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
