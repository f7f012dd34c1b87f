import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { explainReason } from '@parley/client';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_MANIFEST, expectForEveryone, fill, type Person, useWorld, WEB_SCOPE, withAxe } from './harness/index.ts';

const LOCATION_SCOPE = 'Read your location';
const BODY = `<html><head><title>Fish &amp; chips</title></head><body>${'a\u200bb '.repeat(300)}The end</body></html>`;

/** The title of a call is the name of its card. */
const cardOf = ({ page }: Person, title: string) =>
  page.getByRole('log').getByRole('region', { name: title, exact: true });
/** The sentence on it for people. */
const sentence = (card: Locator, text: string) => card.getByRole('paragraph').filter({ hasText: text }).first();
const composer = ({ page, words }: Person) =>
  page.getByRole('textbox', { name: words.conversations.write, exact: true });
/** A call whose answer is looked at on the screen. */
const quietly = (call: Promise<unknown>) => void call.catch(() => {});

/** A browser without a screen has no notifications: the page meets a stand-in that the person can answer. */
const withNotifications = (given: PermissionState) => ({
  prepare: async (context: Person['context']) => {
    await context.addInitScript((initial) => {
      const status = Object.assign(new EventTarget(), { state: initial });
      function Notification() {}
      Object.defineProperty(Notification, 'permission', {
        get: () => (status.state === 'prompt' ? 'default' : status.state),
      });
      Notification.requestPermission = async () => {
        status.state = 'granted';
        status.dispatchEvent(new Event('change'));
      };
      const query = navigator.permissions.query.bind(navigator.permissions);
      navigator.permissions.query = (wanted) =>
        wanted.name === 'notifications' ? Promise.resolve(status as unknown as PermissionStatus) : query(wanted);
      Object.assign(globalThis, { Notification });
    }, given);
  },
});

/** As the questions say it (WC-12). */
const LOCATION_TITLE = 'Read your location';
const pageTitle = (url: string) => `Open a page on ${new URL(url).origin}`;

describe('WC-20, WC-21, WC-22 the cards of calls', () => {
  const world = useWorld();
  let site: Server;
  let url: string;

  beforeAll(async () => {
    site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(BODY));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    site.close();
    site.closeAllConnections();
  });

  it('WC-20 what was not granted is given from its card; then the agent is asked again, in words the person sees first', async () => {
    const bot = await world.bot();
    const ada = await world.signUp(withAxe);
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId, page, words } = ada;
    const { mend, say } = words.calls;
    const title = pageTitle(url);
    await composer(ada).fill('Half a thought');
    quietly(bot.agent.callTool(conversationId, 'fetch_url', { url }));
    const card = cardOf(ada, title);
    await sentence(card, explainReason('scope_not_granted', 'en')).waitFor();
    // For people there is no code in it; for developers there is.
    const code = card.getByText('scope_not_granted', { exact: true });
    expect(await code.isVisible()).toBe(false);
    await card.getByText(words.calls.details, { exact: true }).click();
    await expect.poll(() => code.isVisible()).toBe(true);
    await expectForEveryone(ada, 'a call that was refused');

    await card.getByRole('button', { name: mend.grant, exact: true }).click();
    await ada.prompt.getByText(WEB_SCOPE, { exact: true }).waitFor();
    await ada.prompt.getByText(words.parts.level.medium, { exact: true }).waitFor();
    // WC-17
    await ada.prompt.getByText(words.parts.fetchedByServer, { exact: true }).waitFor();
    await ada.prompt.getByRole('button', { name: mend.grant, exact: true }).click();
    const again = card.getByRole('button', { name: fill(mend.again, { name: bot.name }), exact: true });
    await again.waitFor();
    expect(await card.getByRole('button', { name: mend.grant, exact: true }).count()).toBe(0);
    await again.click();
    await expect.poll(() => composer(ada).inputValue()).toBe(`Half a thought\n${fill(say.again, { title })}`);
    expect(await composer(ada).evaluate((box) => box === document.activeElement)).toBe(true);
    // It is not said twice.
    await again.click();
    await expect.poll(() => composer(ada).inputValue()).toBe(`Half a thought\n${fill(say.again, { title })}`);
    await page.keyboard.press('Enter');
    await ada.thread.getByText(/^Half a thought/).waitFor();
    quietly(bot.agent.callTool(conversationId, 'fetch_url', { url }));
    await ada.prompt.waitFor();
    await ada.answer('deny');
    await sentence(card, explainReason('user_refused', 'en')).waitFor();
  });

  it('WC-20 a lasting no is lifted on the card of a call that it refused', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [LOCATION_SCOPE]);
    const { conversationId, words } = ada;
    quietly(bot.agent.callTool(conversationId, 'read_location'));
    await ada.prompt.waitFor();
    await ada.answer('alwaysDeny');
    const card = cardOf(ada, LOCATION_TITLE);
    await card.getByRole('button', { name: words.calls.mend.lift, exact: true }).click();
    await card.getByRole('button', { name: fill(words.calls.mend.again, { name: bot.name }), exact: true }).waitFor();
    quietly(bot.agent.callTool(conversationId, 'read_location'));
    await ada.prompt.waitFor();
    await ada.answer('deny');
  });

  it('WC-20 what the browser has to allow is asked for with a click; what it has forbidden is explained', async () => {
    const bot = await world.bot();
    const [ada, bob] = [
      await world.signUp(withNotifications('prompt')),
      await world.signUp(withNotifications('denied')),
    ];
    const { calls } = ada.words;
    for (const person of [ada, bob]) {
      await person.addAgent(bot.agentId, bot.name);
      quietly(bot.agent.callTool(person.conversationId, 'send_notification', { title: 'Tea' }));
    }
    const title = 'Show you the notification “Tea”';
    const card = cardOf(ada, title);
    await card.getByText(calls.mend.allowLead, { exact: true }).waitFor();
    await card.getByRole('button', { name: calls.mend.allowIn.notifications, exact: true }).click();
    await card.getByRole('button', { name: fill(calls.mend.again, { name: bot.name }), exact: true }).waitFor();
    await expect(bot.agent.callTool(ada.conversationId, 'send_notification', { title: 'Tea' })).resolves.toEqual({
      shown: true,
    });

    const blocked = cardOf(bob, title);
    await blocked.getByText(calls.mend.blockedIn.notifications, { exact: true }).waitFor();
    await blocked.getByRole('button', { name: calls.mend.howTo, exact: true }).click();
    await blocked.getByText(calls.mend.howToSteps.notifications, { exact: true }).waitFor();
  });

  it('WC-20 what is in the way now is what the button mends: turned off since, removed since, added again since', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [LOCATION_SCOPE]);
    const { conversationId, page, words } = ada;
    const { mend } = words.calls;
    const name = { name: bot.name };
    quietly(bot.agent.callTool(conversationId, 'read_location'));
    await ada.prompt.waitFor();
    await ada.answer('deny');
    const card = cardOf(ada, LOCATION_TITLE);
    const again = card.getByRole('button', { name: fill(mend.again, name), exact: true });
    await again.waitFor();
    await ada.go(`agents/${bot.agentId}`);
    await page.getByRole('switch', { name: LOCATION_SCOPE, exact: true }).click();
    await ada.go(`c/${conversationId}`);
    await card.getByRole('button', { name: mend.grant, exact: true }).waitFor();
    expect(await again.count()).toBe(0);

    await ada.go(`agents/${bot.agentId}`);
    await ada.button(words.agents.end).click();
    await ada.prompt.getByRole('button', { name: words.agents.end, exact: true }).click();
    await page.getByRole('heading', { name: words.agents.title, exact: true }).waitFor();
    await ada.go(`c/${conversationId}`);
    await card.getByRole('link', { name: fill(mend.add, name), exact: true }).click();
    await ada.button(fill(words.agents.add, name)).click();
    await composer(ada).waitFor();
    const now = ada.conversationId;
    await ada.go(`c/${conversationId}`);
    await card.getByRole('link', { name: fill(mend.alone, name), exact: true }).click();
    await expect.poll(() => ada.conversationId).toBe(now);
    expect(now).not.toBe(conversationId);
  });

  it('WC-20 a call of a tool that nobody declared is the agent’s mistake, and it can be told', async () => {
    const bot = await world.bot();
    const ada = await world.signUp({ language: 'zh-CN' });
    await ada.addAgent(bot.agentId, bot.name);
    const { calls } = ada.words;
    await bot.agent
      .sendArtifact(ada.conversationId, {
        subtype: 'tool_call',
        call_id: crypto.randomUUID(),
        tool_name: 'make_coffee',
        arguments: {},
        permission_scope: 'kitchen:use',
        timeout_ms: 1_000,
      })
      .catch(() => {});
    const card = cardOf(ada, 'make_coffee');
    await card.getByRole('button', { name: fill(calls.mend.report, { name: bot.name }), exact: true }).click();
    const reason = explainReason('tool_not_declared', 'zh-CN');
    await expect.poll(() => composer(ada).inputValue()).toBe(fill(calls.say.report, { title: 'make_coffee', reason }));
  });

  it('WC-21 in a group each member sees that tools do not run there, and nobody sees another device', async () => {
    const flags = { supports_group_chat: true };
    const bot = await world.bot({ name: 'Scribe', manifest: { ...DEMO_MANIFEST, capability_flags: flags } });
    const [ada, bob] = [await world.signUp({ name: 'Ada' }), await world.signUp({ name: 'Bob' })];
    const { calls, conversations } = ada.words;
    await ada.addAgent(bot.agentId, bot.name);
    const alone = ada.conversationId;
    await ada.button(conversations.start).click();
    await ada.page.getByRole('tab', { name: conversations.newGroup, exact: true }).click();
    await ada.page.getByLabel(conversations.groupName, { exact: true }).fill('Lunch');
    await ada.page.getByRole('checkbox', { name: 'Bob', exact: true }).check();
    await ada.page.getByRole('checkbox', { name: 'Scribe', exact: true }).check();
    await ada.button(conversations.create).click();
    await ada.page.getByRole('heading', { name: 'Lunch', exact: true }).waitFor();
    const group = ada.conversationId;
    await ada.say('where shall we eat?');
    await bob.page.getByRole('link', { name: /Lunch/ }).click();
    await bob.thread.getByText('where shall we eat?', { exact: true }).waitFor();

    await expect(bot.agent.callTool(group, 'send_notification', { title: 'x' })).rejects.toMatchObject({
      reason: 'tool_not_supported_in_group',
    });
    const title = 'Show you the notification “x”';
    for (const person of [ada, bob]) {
      const card = cardOf(person, title);
      await person.sees(sentence(card, explainReason('tool_not_supported_in_group', 'en')));
      expect(await card.getByText(conversations.call.elsewhere, { exact: true }).count()).toBe(0);
    }
    const add = cardOf(bob, title).getByRole('link', {
      name: fill(calls.mend.addAlone, { name: conversations.problem.someAgent }),
      exact: true,
    });
    await bob.sees(add);
    await cardOf(ada, title)
      .getByRole('link', { name: fill(calls.mend.alone, { name: 'Scribe' }), exact: true })
      .click();
    await expect.poll(() => ada.conversationId).toBe(alone);
  });

  it('WC-22 a result is shown for people, cut if it is long, its hidden characters visible, its JSON one click away', async () => {
    const bot = await world.bot();
    const ada = await world.signUp({
      ...withAxe,
      permissions: ['geolocation', 'clipboard-read', 'clipboard-write'],
      geolocation: { latitude: 52.52, longitude: 13.405, accuracy: 40 },
    });
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE, LOCATION_SCOPE]);
    const { conversationId, page, words } = ada;
    const { calls, conversations } = words;
    const located = bot.agent.callTool(conversationId, 'read_location');
    await ada.answer('allow');
    await located;
    const place = cardOf(ada, LOCATION_TITLE);
    await place.getByRole('button', { name: conversations.call.result, exact: true }).click();
    await place
      .getByText(new RegExp(`^${fill(calls.result.place, { latitude: '52.52', longitude: '13.405' })}`))
      .waitFor();
    await place
      .getByText(new RegExp(`${fill(calls.result.within, { metres: 40 })}$`))
      .first()
      .waitFor();
    await place.getByRole('button', { name: calls.showRaw, exact: true }).click();
    await place
      .getByText(/^latitude/)
      .first()
      .waitFor();
    await place.getByRole('button', { name: words.parts.copy, exact: true }).click();
    await place.getByText(words.parts.copied, { exact: true }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(copied)).toEqual({ latitude: 52.52, longitude: 13.405, accuracy: 40 });

    const fetched = bot.agent.callTool(conversationId, 'fetch_url', { url });
    await ada.answer('allow');
    await fetched;
    const card = cardOf(ada, pageTitle(url));
    await card.getByRole('button', { name: conversations.call.result, exact: true }).click();
    await card.getByText('Fish & chips', { exact: true }).waitFor();
    await card.getByText(fill(calls.result.page, { status: 200 }), { exact: true }).waitFor();
    await card
      .getByText(/\[U\+200B\]/)
      .first()
      .waitFor();
    const end = card.getByText(/The end/);
    expect(await end.count()).toBe(0);
    await card.getByRole('button', { name: new RegExp(`^${calls.showAll.split('（')[0]!.split(' (')[0]}`) }).click();
    await end.first().waitFor();
    await expectForEveryone(ada, 'results of calls');
  });
});
