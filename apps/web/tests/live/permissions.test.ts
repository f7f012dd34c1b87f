import { HasheeAgent } from '@parley/agent';
import { createDeferred } from '@parley/base';
import { createMemoryStore } from '@parley/messenger';
import { describe, expect, it } from 'vitest';
import {
  type AnyManifest,
  type Bot,
  DEMO_MANIFEST,
  expectForEveryone,
  fill,
  type Person,
  useWorld,
  WEB_SCOPE,
  withAxe,
  withEndlessOffers,
} from './harness/index.ts';

const LOCATION = 'Read your location';
const NOTIFY = 'Send notifications';

const switchOf = (person: Person, name: string) => person.page.getByRole('switch', { name, exact: true });
const undoOf = (person: Person, text: string) => person.button(fill(person.words.parts.undo.label, { what: text }));
const isOn = (person: Person, name: string) => expect.poll(() => switchOf(person, name).getAttribute('aria-checked'));
const fetchUrl = (bot: Bot, conversationId: string, url: string) =>
  bot.agent.callTool(conversationId, 'fetch_url', { url });

describe('WC-50 what is granted and taken back', () => {
  const world = useWorld();

  it('WC-50 a switch takes back at once, says so, and is undone; the agent is told each time', async () => {
    const bot = await world.bot();
    const ada = await world.signUp(withEndlessOffers);
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId, page, words } = ada;
    const url = `${world.server.url}/health`;
    const allowed = fetchUrl(bot, conversationId, url);
    await ada.prompt.waitFor();
    await ada.answer('allow');
    await expect(allowed).resolves.toBeDefined();
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, WEB_SCOPE).click();
    const off = fill(words.agents.switching.off, { scope: WEB_SCOPE, agent: bot.name });
    await page.getByRole('status').filter({ hasText: off }).waitFor();
    await isOn(ada, WEB_SCOPE).toBe('false');
    // There is nothing to save.
    expect(await page.getByRole('main').getByRole('button', { name: words.parts.save, exact: true }).count()).toBe(0);
    await expect(fetchUrl(bot, conversationId, url)).rejects.toMatchObject({ reason: 'permission_revoked' });

    await undoOf(ada, off).click();
    // What was allowed for 24 hours is not, and that is said.
    const back = fill(words.agents.switching.backOn, { agent: bot.name });
    await page.getByRole('status').filter({ hasText: back }).waitFor();
    await isOn(ada, WEB_SCOPE).toBe('true');
    const answered = fetchUrl(bot, conversationId, url);
    await ada.prompt.waitFor();
    await ada.answer('allow');
    await expect(answered).resolves.toBeDefined();
    await ada.reload();
    await switchOf(ada, WEB_SCOPE).waitFor();
    await isOn(ada, WEB_SCOPE).toBe('true');
  });

  it('WC-50 switches turned faster than the server answers: each counts, and a grant is undone by taking it back', async () => {
    const bot = await world.bot();
    const ada = await world.signUp(withEndlessOffers);
    await ada.addAgent(bot.agentId, bot.name);
    const { page, words } = ada;
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, NOTIFY).waitFor();
    const { promise: bothTurned, resolve: release } = createDeferred<void>();
    await page.route('**/h2a/relations/*', async (route) => {
      await bothTurned;
      await route.continue();
    });
    await switchOf(ada, WEB_SCOPE).click();
    await expect.poll(() => switchOf(ada, WEB_SCOPE).getAttribute('aria-busy')).toBe('true');
    await switchOf(ada, NOTIFY).click();
    await expect.poll(() => switchOf(ada, NOTIFY).getAttribute('aria-busy')).toBe('true');
    release();
    const on = fill(words.agents.switching.on, { scope: WEB_SCOPE, agent: bot.name });
    const off = fill(words.agents.switching.off, { scope: NOTIFY, agent: bot.name });
    await ada.sees(undoOf(ada, on));
    await ada.sees(undoOf(ada, off));
    await isOn(ada, WEB_SCOPE).toBe('true');
    await isOn(ada, NOTIFY).toBe('false');
    await undoOf(ada, on).click();
    await isOn(ada, WEB_SCOPE).toBe('false');
    await isOn(ada, NOTIFY).toBe('false');
    await ada.reload();
    await switchOf(ada, WEB_SCOPE).waitFor();
    await isOn(ada, WEB_SCOPE).toBe('false');
    await isOn(ada, NOTIFY).toBe('false');
  });

  it('WC-50 granting something of level high asks once more, and a no changes nothing', async () => {
    const bot = await world.bot();
    const ada = await world.signUp(withEndlessOffers);
    await ada.addAgent(bot.agentId, bot.name);
    const { words } = ada;
    const { switching } = words.agents;
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, LOCATION).click();
    await ada.prompt.getByText(switching.highLead, { exact: true }).waitFor();
    await ada.prompt.getByRole('button', { name: words.parts.cancel, exact: true }).click();
    await ada.prompt.waitFor({ state: 'detached' });
    await isOn(ada, LOCATION).toBe('false');
    // The focus is back on the switch, so that a key goes on from there.
    await expect.poll(() => switchOf(ada, LOCATION).evaluate((one) => one === document.activeElement)).toBe(true);
    await ada.page.keyboard.press('Space');
    await ada.prompt.getByRole('button', { name: switching.highConfirm, exact: true }).click();
    await ada.sees(undoOf(ada, fill(switching.on, { scope: LOCATION, agent: bot.name })));
    await isOn(ada, LOCATION).toBe('true');
  });

  it('WC-50 an offer whose undo failed says so, and goes after its time, too', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { page, words } = ada;
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, WEB_SCOPE).waitFor();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await switchOf(ada, WEB_SCOPE).click();
    const undo = undoOf(ada, fill(words.agents.switching.off, { scope: WEB_SCOPE, agent: bot.name }));
    await undo.waitFor();
    await page.route('**/h2a/relations/*', (route) => route.abort('connectionfailed'));
    // While the pointer is on it, its time does not run.
    await undo.hover();
    await page.clock.resume();
    await undo.click();
    const offers = page.getByRole('region', { name: words.parts.undo.region, exact: true });
    await offers.getByRole('alert').waitFor();
    await page.clock.pauseAt(Date.now() + 600_000);
    await page.mouse.move(5, 5);
    await switchOf(ada, WEB_SCOPE).focus();
    await page.clock.fastForward(4_000);
    expect(await undo.isVisible()).toBe(true);
    await page.clock.fastForward(2_000);
    await undo.waitFor({ state: 'detached' });
    await isOn(ada, WEB_SCOPE).toBe('false');
  });

  it('WC-50 the offer to undo stands still under the pointer and the focus, goes after five seconds, and has a key', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { page, words } = ada;
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, WEB_SCOPE).waitFor();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await switchOf(ada, WEB_SCOPE).focus();
    await page.keyboard.press('Space');
    const off = fill(words.agents.switching.off, { scope: WEB_SCOPE, agent: bot.name });
    const undo = undoOf(ada, off);
    await undo.waitFor();
    await page.keyboard.press('Control+z');
    const back = fill(words.agents.switching.backOn, { agent: bot.name });
    await page.getByRole('status').filter({ hasText: back }).waitFor();
    await isOn(ada, WEB_SCOPE).toBe('true');
    await page.clock.fastForward(6_000);
    await expect.poll(() => page.getByText(back, { exact: true }).count()).toBe(0);

    await page.keyboard.press('Space');
    await undo.waitFor();
    await undo.hover();
    await page.clock.fastForward(20_000);
    expect(await undo.isVisible()).toBe(true);
    await page.mouse.move(5, 5);
    await undo.focus();
    await page.clock.fastForward(20_000);
    expect(await undo.isVisible()).toBe(true);
    await switchOf(ada, WEB_SCOPE).focus();
    await page.clock.fastForward(4_000);
    expect(await undo.isVisible()).toBe(true);
    await page.clock.fastForward(2_000);
    await undo.waitFor({ state: 'detached' });
    await isOn(ada, WEB_SCOPE).toBe('false');
  });

  it('WC-50 what could not be granted is put back and says why; taking back counts without a connection, and can be undone', async () => {
    const bot = await world.bot();
    const ada = await world.signUp(withEndlessOffers);
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { page, words, conversationId } = ada;
    const { switching } = words.agents;
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, WEB_SCOPE).waitFor();
    await ada.context.setOffline(true);
    await switchOf(ada, WEB_SCOPE).click();
    const offHere = fill(switching.offHere, { scope: WEB_SCOPE, agent: bot.name });
    await undoOf(ada, offHere).click();
    await isOn(ada, WEB_SCOPE).toBe('true');
    await switchOf(ada, WEB_SCOPE).click();
    await isOn(ada, WEB_SCOPE).toBe('false');
    await switchOf(ada, LOCATION).click();
    await ada.prompt.getByRole('button', { name: switching.highConfirm, exact: true }).click();
    await page.getByRole('main').getByRole('alert').filter({ hasText: words.shell.unreachable }).waitFor();
    await isOn(ada, LOCATION).toBe('false');

    await ada.context.setOffline(false);
    // What was taken back offline reaches the agent when there is a connection.
    await expect
      .poll(() =>
        fetchUrl(bot, conversationId, 'http://127.0.0.1:9/').catch((error: { reason: string }) => error.reason),
      )
      .toBe('permission_revoked');
  });

  it('WC-50 attack on oneself: a double click on a switch does not answer what asks once more', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const { page, words } = ada;
    const { switching } = words.agents;
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, LOCATION).click();
    const confirm = ada.prompt.getByRole('button', { name: switching.highConfirm, exact: true });
    await confirm.waitFor();
    const { x, y, width, height } = (await confirm.boundingBox())!;
    // The second click, where the question has just appeared.
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    expect(await confirm.isVisible()).toBe(true);
    await confirm.click();
    await isOn(ada, LOCATION).toBe('true');
  });

  it.each(['en', 'zh-CN'] as const)(
    'WC-50 an agent that is removed without a connection is removed here, and it says who does not know yet (%s)',
    async (language) => {
      const bot = await world.bot();
      const ada = await world.signUp({ language, ...withEndlessOffers });
      await ada.addAgent(bot.agentId, bot.name);
      const { page, words, conversationId } = ada;
      // Pages that were never open could not be loaded later.
      await ada.go('permissions');
      await page.getByRole('heading', { name: words.permissions.title, exact: true }).waitFor();
      await ada.go('agents');
      await page.getByRole('heading', { name: words.agents.title, exact: true }).waitFor();
      await ada.go(`agents/${bot.agentId}`);
      await ada.button(words.agents.end).waitFor();
      await ada.context.setOffline(true);
      await ada.button(words.agents.end).click();
      await ada.prompt.getByRole('button', { name: words.agents.end, exact: true }).click();
      const removed = fill(words.agents.gone.removedHere, { name: bot.name });
      await page.getByRole('status').filter({ hasText: removed }).waitFor();
      await ada.go(`c/${conversationId}`);
      await page.getByText(words.conversations.gone.closed, { exact: true }).waitFor();
      await ada.go('permissions');
      await page.getByText(words.permissions.none, { exact: true }).waitFor();

      await ada.context.setOffline(false);
      const { body } = await world.server.call('POST', '/auth/login', { body: ada.credentials });
      const isActive = async () => {
        const { body: list } = await world.server.call('GET', '/h2a/relations', { token: body.access_token });
        return JSON.stringify(list).includes('"status":"active"');
      };
      await expect.poll(isActive).toBe(false);
    },
  );

  it('WC-50 what the server does not take is said as that, and not as a missing connection', async () => {
    const bot = await world.bot();
    const ada = await world.signUp(withEndlessOffers);
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { page, words } = ada;
    const { switching } = words.agents;
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, WEB_SCOPE).waitFor();
    const error = { code: 'RATE_LIMITED', message: 'x', retry_after_ms: 600_000 };
    await page.route('**/h2a/relations/*', (route) => route.fulfill({ status: 429, json: { error } }));
    await switchOf(ada, WEB_SCOPE).click();
    const what = { scope: WEB_SCOPE, agent: bot.name };
    await page
      .getByRole('status')
      .filter({ hasText: fill(switching.offUntold, what) })
      .waitFor();
    expect(await page.getByText(fill(switching.offHere, what), { exact: true }).count()).toBe(0);
    await isOn(ada, WEB_SCOPE).toBe('false');
  });

  it('WC-51 before an agent is added, the switches only select, and the page says so', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.go(`agents/${bot.agentId}`);
    await page.getByText(words.agents.switching.chooseLead, { exact: true }).waitFor();
    await switchOf(ada, WEB_SCOPE).click();
    await isOn(ada, WEB_SCOPE).toBe('true');
    expect(await page.getByRole('button', { name: new RegExp(`^${words.parts.undo.undo}`) }).count()).toBe(0);
  });

  it('WC-55 the permissions page has all of an agent in one place, and each can be taken back and undone', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE, LOCATION]);
    const { page, words, conversationId } = ada;
    const { permissions } = words;
    const url = `${world.server.url}/health`;
    const answered = fetchUrl(bot, conversationId, url);
    await ada.prompt.waitFor();
    await ada.answer('allow');
    await answered;
    const refused = expect(bot.agent.callTool(conversationId, 'read_location', {})).rejects.toMatchObject({
      reason: 'user_refused',
    });
    await ada.prompt.waitFor();
    await ada.answer('alwaysDeny');
    await refused;

    await ada.go('permissions');
    const agent = bot.name;
    const covers = `requests to ${world.server.url}`;
    const ask = ada.button(fill(permissions.askLabel, { tool: 'fetch_url', agent, covers }));
    const lift = ada.button(fill(permissions.allowAgainLabel, { tool: 'read_location', agent }));
    const revoke = ada.button(fill(permissions.revokeLabel, { scope: WEB_SCOPE, agent }));
    await ada.sees(ask);
    expect(await page.getByText(new RegExp(permissions.remembered.hereOnly)).count()).toBe(1);
    expect(await page.getByText(new RegExp(permissions.remembered.everywhere)).count()).toBe(1);
    for (const [button, done] of [
      [ask, fill(permissions.remembered.windowClosed, { tool: 'fetch_url', agent })],
      [lift, fill(permissions.remembered.denialLifted, { tool: 'read_location', agent })],
      [revoke, fill(words.agents.switching.off, { scope: WEB_SCOPE, agent })],
    ] as const) {
      await ada.sees(button);
      await button.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => button.count()).toBe(0);
      // The row is gone, and the focus with it: it is on the way back.
      await expect.poll(() => undoOf(ada, done).evaluate((one) => one === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await ada.sees(button);
    }
  });
});

describe('WC-52 what waits for the person goes by its name', () => {
  const world = useWorld();

  it.each(['en', 'zh-CN'] as const)(
    'WC-52 EE-9 an agent whose key changed is not said to have changed what it can do (%s)',
    async (language) => {
      const bot = await world.bot();
      const ada = await world.signUp({ language });
      await ada.addAgent(bot.agentId, bot.name);
      const { page, words, conversationId } = ada;
      await bot.agent.disconnect();
      const { agentId, token } = bot;
      const other = await HasheeAgent.init({
        agentId,
        token,
        baseUrl: world.server.url,
        keystore: createMemoryStore(),
        connectionMode: 'websocket',
        replaceIdentity: true,
      });
      try {
        await other.send(conversationId, { type: 'text', text: 'It is me' });
        const changed = fill(words.conversations.problem.identity_changed, { name: bot.name });
        await page.getByRole('main').getByRole('status').getByText(changed, { exact: true }).last().waitFor();
        const bar = page.getByRole('region', { name: bot.name, exact: true }).getByRole('status');
        await ada.sees(bar.getByText(changed, { exact: true }));
        const review = fill(words.conversations.review, { name: bot.name });
        expect(await page.getByText(review, { exact: true }).count()).toBe(0);
        await ada.go('agents');
        const card = page.getByRole('link', { name: new RegExp(`^${bot.name}`) }).first();
        await card.getByText(words.agents.problem, { exact: true }).waitFor();
        expect(await card.getByText(words.agents.review, { exact: true }).count()).toBe(0);
        await card.click();
        await page.getByText(words.agents.changedTitle, { exact: true }).waitFor();
        await page.getByRole('heading', { name: words.agents.granted, exact: true }).waitFor();
        expect(await page.getByRole('heading', { name: words.agents.review, exact: true }).count()).toBe(0);
        expect(await page.getByText(words.agents.switching.reviewFirst, { exact: true }).count()).toBe(0);
        // Whoever accepts the key has nothing else to answer.
        await ada.button(words.agents.acceptKey).click();
        await page.getByText(words.agents.changedTitle, { exact: true }).waitFor({ state: 'detached' });
        expect(await page.getByRole('heading', { name: words.agents.review, exact: true }).count()).toBe(0);
      } finally {
        await other.disconnect();
      }
    },
  );
});

describe('WC-53 an agent that is gone', () => {
  const world = useWorld();

  it('WC-53 one that the person removed: said calmly, nothing to answer, nothing to write, and added again', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { page, words, conversationId } = ada;
    const box = page.getByRole('textbox', { name: words.conversations.write, exact: true });
    await box.fill('Half a thought');
    // It changes first, so that something would wait for an answer.
    await bot.publish(breaking());
    await page.getByText(fill(words.conversations.review, { name: bot.name }), { exact: true }).waitFor();
    await ada.go(`agents/${bot.agentId}`);
    await ada.button(words.agents.end).click();
    await ada.prompt.getByRole('button', { name: words.agents.end, exact: true }).click();
    await page.getByRole('heading', { name: words.agents.title, exact: true }).waitFor();

    await ada.go(`c/${conversationId}`);
    const { gone } = words.conversations;
    await page.getByText(fill(gone.removed, { name: bot.name }), { exact: true }).waitFor();
    expect(await page.getByText(fill(words.conversations.review, { name: bot.name }), { exact: true }).count()).toBe(0);
    expect(await box.count()).toBe(0);
    await ada.sees(page.getByText(gone.closed, { exact: true }));
    await ada.sees(page.getByText('Half a thought', { exact: true }));
    await page.getByRole('link', { name: gone.again, exact: true }).click();
    await page
      .getByRole('heading', { name: fill(words.agents.gone.removed, { name: bot.name }), exact: true })
      .waitFor();
    await ada.sees(page.getByText(words.agents.history, { exact: true }));
    expect(await page.getByRole('heading', { name: words.agents.review, exact: true }).count()).toBe(0);
    await ada.button(fill(words.agents.add, { name: bot.name })).click();
    await box.waitFor();
    expect(ada.conversationId).not.toBe(conversationId);
  });

  it('WC-53 one that its maker deleted: no longer there, in the conversation and on its page', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { page, words, conversationId } = ada;
    await bot.publish(breaking());
    await page.getByText(fill(words.conversations.review, { name: bot.name }), { exact: true }).waitFor();
    await bot.remove();
    const { gone } = words.conversations;
    await page.getByText(fill(gone.other, { name: bot.name }), { exact: true }).waitFor();
    await ada.sees(page.getByText(gone.closed, { exact: true }));
    await page.getByRole('link', { name: gone.record, exact: true }).click();
    await page.getByText(fill(words.agents.gone.other, { name: bot.name }), { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: words.agents.gone.conversation, exact: true }).click();
    await page.getByText(fill(gone.other, { name: bot.name }), { exact: true }).waitFor();
    expect(ada.conversationId).toBe(conversationId);
    await ada.reload();
    await page.getByText(fill(gone.other, { name: bot.name }), { exact: true }).waitFor();
  });
});

describe('HS-10 permissions that change, for everyone', () => {
  const world = useWorld();

  it('HS-10, WC-50, WC-53 what can be undone, what asks once more, and what is gone', async () => {
    const bot = await world.bot();
    const ada = await world.signUp({
      prepare: async (context) => {
        await withAxe.prepare(context);
        await withEndlessOffers.prepare(context);
      },
    });
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { page, words, conversationId } = ada;
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, WEB_SCOPE).click();
    const undo = undoOf(ada, fill(words.agents.switching.off, { scope: WEB_SCOPE, agent: bot.name }));
    await undo.waitFor();
    await undo.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await expectForEveryone(ada, 'an offer to undo');
    expect(await undo.isVisible()).toBe(true);
    await switchOf(ada, LOCATION).click();
    await ada.prompt.waitFor();
    await expectForEveryone(ada, 'granting something high');
    await page.keyboard.press('Escape');
    await ada.button(words.agents.end).click();
    await ada.prompt.getByRole('button', { name: words.agents.end, exact: true }).click();
    await page.getByRole('heading', { name: words.agents.title, exact: true }).waitFor();
    await ada.go(`agents/${bot.agentId}`);
    await page.getByText(words.agents.gone.removedLead, { exact: true }).waitFor();
    await expectForEveryone(ada, 'an agent that was removed');
    await ada.go(`c/${conversationId}`);
    await page.getByText(words.conversations.gone.closed, { exact: true }).waitFor();
    await expectForEveryone(ada, 'a conversation with nobody there');
    await bot.remove();
    await ada.go(`agents/${bot.agentId}`);
    await page.getByText(words.agents.gone.otherLead, { exact: true }).waitFor();
    await expectForEveryone(ada, 'an agent that is no longer there');
  });
});

describe('WC-56 adding an agent that fails', () => {
  const world = useWorld();

  it('WC-56 without a connection: said, kept, and tried again', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, WEB_SCOPE).click();
    await ada.context.setOffline(true);
    await ada.button(fill(words.agents.add, { name: bot.name })).click();
    await page.getByText(fill(words.agents.adding.offline, { name: bot.name }), { exact: true }).waitFor();
    await isOn(ada, WEB_SCOPE).toBe('true');
    await ada.context.setOffline(false);
    await ada.button(fill(words.agents.add, { name: bot.name })).click();
    await page.getByRole('textbox', { name: words.conversations.write, exact: true }).waitFor();
  });

  it('WC-56 deleted, or changed, since the page was opened: said, and nothing is added', async () => {
    const [bot, other] = [await world.bot(), await world.bot({ name: 'Other' })];
    const ada = await world.signUp();
    const { page, words } = ada;
    const { adding, add } = words.agents;
    await ada.go(`agents/${bot.agentId}`);
    await ada.button(fill(add, { name: bot.name })).waitFor();
    await bot.remove();
    await ada.button(fill(add, { name: bot.name })).click();
    await page.getByText(fill(adding.gone, { name: bot.name }), { exact: true }).waitFor();

    await ada.go(`agents/${other.agentId}`);
    await ada.button(fill(add, { name: 'Other' })).waitFor();
    await other.publish(breaking());
    await ada.button(fill(add, { name: 'Other' })).click();
    await page.getByText(fill(adding.changed, { name: 'Other' }), { exact: true }).waitFor();
    await ada.button(adding.reread).click();
    await page.getByText(fill(adding.changed, { name: 'Other' }), { exact: true }).waitFor({ state: 'detached' });
    await ada.button(fill(add, { name: 'Other' })).click();
    await page.getByRole('textbox', { name: words.conversations.write, exact: true }).waitFor();
  });
});

/** The agent takes an argument that nobody agreed to. */
function breaking(): AnyManifest {
  const manifest = structuredClone(DEMO_MANIFEST);
  manifest.agent_version = '2.0.0';
  manifest.tools[0].input_schema.properties.method.enum = ['GET'];
  return manifest;
}
