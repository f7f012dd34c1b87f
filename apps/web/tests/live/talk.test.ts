import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_MANIFEST, fill, useWorld, WEB_SCOPE } from './harness/index.ts';

const withFlags = (...flags: string[]) => ({
  ...DEMO_MANIFEST,
  capability_flags: Object.fromEntries(flags.map((flag) => [flag, true])),
});

describe('TC-9, TC-10, EE-12 conversations', () => {
  const world = useWorld();
  let slow: Server;
  let url: string;

  beforeAll(async () => {
    // Never answers.
    slow = createServer(() => {});
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    slow.close();
    slow.closeAllConnections();
  });

  it('TC-10, CM-1 cards: a vote that changes by revision, an approval; flags decide what is offered', async () => {
    const bot = await world.bot({
      manifest: withFlags('supports_artifacts', 'supports_streaming', 'supports_voice'),
    });
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId, page, words } = ada;
    expect(await ada.button(words.conversations.voice).isDisabled()).toBe(true);

    const { artifact_id } = await bot.agent.sendArtifact(conversationId, {
      subtype: 'app',
      title: 'Lunch?',
      blocks: [
        { tag: 'table', columns: ['', 'votes'], rows: [['Noodles', '0']] },
        { tag: 'action', id: 'noodles', label: 'Noodles', style: 'primary' },
        { tag: 'action', id: 'rice', label: 'Rice' },
      ],
    });
    await ada.button('Noodles').click();
    await ada.thread.getByText(fill(words.conversations.answeredWith, { label: 'Noodles' }), { exact: true }).waitFor();
    await bot.agent.updateArtifact(conversationId, artifact_id, {
      blocks: [{ tag: 'table', columns: ['', 'votes'], rows: [['Noodles', '1']] }],
    });
    await ada.thread.getByText(fill(words.conversations.revision, { count: 2 }), { exact: true }).waitFor();
    await ada.thread.getByRole('cell', { name: '1', exact: true }).waitFor();

    await bot.agent.sendArtifact(conversationId, {
      subtype: 'approval',
      title: 'Order for 12 people',
      blocks: [
        { tag: 'action', id: 'approve', label: 'Approve', style: 'primary' },
        { tag: 'action', id: 'reject', label: 'Reject', style: 'danger' },
      ],
    });
    await ada.button('Reject').click();
    await ada.thread.getByText(fill(words.conversations.answeredWith, { label: 'Reject' }), { exact: true }).waitFor();
    await ada.button(words.conversations.cards).click();
    const panel = page.getByRole('complementary', { name: words.conversations.cards, exact: true });
    await expect.poll(() => panel.getByRole('listitem').count()).toBe(2);

    const stream = await bot.agent.stream(conversationId);
    await stream.write('Once upon');
    await ada.thread.getByText('Once upon', { exact: true }).waitFor();
    await ada.thread.getByText(words.conversations.streaming, { exact: true }).waitFor();
    await stream.done();
    await ada.thread.getByText(words.conversations.streaming, { exact: true }).waitFor({ state: 'detached' });
    bot.agent.typing(conversationId);
    await page.getByText(fill(words.conversations.typing, { name: bot.name }), { exact: true }).waitFor();
  });

  it('CG-8 a call that runs shows for how long, and can be stopped', async () => {
    // Longer than the server waits for a page, so that a slow machine can stop all three.
    const tools = DEMO_MANIFEST.tools.map((tool: object) => ({ ...tool, timeout_ms: 60_000 }));
    const bot = await world.bot({ manifest: { ...DEMO_MANIFEST, tools } });
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId, words } = ada;
    expect(await ada.button(words.conversations.cards).count()).toBe(0);
    const calls = [url, `${url}2`, `${url}3`].map((one) => {
      const answered = bot.agent.callTool(conversationId, 'fetch_url', { url: one });
      return expect(answered).rejects.toMatchObject({ status: 'error', reason: 'TOOL_PLATFORM_ERROR' });
    });
    await ada.place(1, 3).waitFor();
    // One yes opens a window for the tool: the other two run as well.
    await ada.answer('allow');
    const stop = ada.button(words.conversations.call.cancel);
    await expect.poll(() => stop.count()).toBe(3);
    const running = ada.thread.getByRole('status').filter({ hasText: words.conversations.call.running });
    await expect.poll(() => running.count()).toBe(3);
    for (let left = 3; left > 0; left--) {
      await stop.first().click();
      await expect.poll(() => stop.count()).toBe(left - 1);
    }
    await Promise.all(calls);
  });

  it('EE-12 people find each other by link, make a group, bring an agent that takes part, and leave', async () => {
    const bot = await world.bot({ name: 'Scribe', manifest: withFlags('supports_group_chat') });
    const [ada, bob] = [await world.signUpStranger({ name: 'Ada' }), await world.signUpStranger({ name: 'Bob' })];
    const { page, words } = ada;
    const { conversations, contacts } = words;

    // One to one, by Bob's link (AC-4).
    await bob.button(conversations.start).click();
    await bob.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await bob.page.evaluate(() => navigator.clipboard.writeText(''));
    await bob.button(contacts.copyLink).click();
    // Not what the button says of it, for two seconds.
    const read = () => bob.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(read).toContain('/app/');
    const link = await read();
    await bob.page.keyboard.press('Escape');
    await ada.open(new URL(link).pathname.replace('/app/', ''));
    await ada.button(contacts.ask).click();
    await page.getByText(contacts.asked, { exact: true }).waitFor();
    await bob.page.getByRole('link', { name: fill(contacts.waiting_one, { count: 1 }), exact: true }).click();
    await bob.button(fill(contacts.acceptLabel, { name: 'Ada' })).click();
    await bob.page.getByRole('heading', { name: 'Ada', exact: true }).waitFor();
    await ada.go('contacts');
    await ada.button(fill(contacts.writeLabel, { name: 'Bob' })).click();
    await page.getByRole('heading', { name: 'Bob', exact: true }).waitFor();
    await ada.say('hello Bob');
    await bob.page.getByRole('link', { name: /Ada/ }).click();
    await bob.thread.getByText('hello Bob', { exact: true }).waitFor();
    await bob.button(conversations.details).click();
    const number = bob.prompt.getByRole('img', { name: conversations.safetyQr, exact: true });
    await number.waitFor();
    await bob.page.keyboard.press('Escape');

    // A group with him and an agent.
    await ada.addAgent(bot.agentId, bot.name);
    await ada.button(conversations.start).click();
    await page.getByRole('tab', { name: conversations.newGroup, exact: true }).click();
    await page.getByLabel(conversations.groupName, { exact: true }).fill('Lunch');
    await page.getByRole('checkbox', { name: 'Bob', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Scribe', exact: true }).check();
    await ada.button(conversations.create).click();
    await page.getByRole('heading', { name: 'Lunch', exact: true }).waitFor();
    const group = ada.conversationId;
    await ada.say('where shall we eat?');
    await bob.page.getByRole('link', { name: /Lunch/ }).click();
    await bob.thread.getByText('where shall we eat?', { exact: true }).waitFor();
    await bob.thread.getByText('Ada', { exact: true }).waitFor();

    // TC-8: in a group nobody's device runs anything.
    await expect(bot.agent.callTool(group, 'send_notification', { title: 'x' })).rejects.toMatchObject({
      reason: 'tool_not_supported_in_group',
    });
    expect(await bob.prompt.count()).toBe(0);

    await bob.button(conversations.details).click();
    await bob.prompt.getByText('Scribe', { exact: true }).waitFor();
    await bob.prompt.getByRole('button', { name: conversations.leave, exact: true }).click();
    await bob.page
      .getByRole('dialog', { name: conversations.leave, exact: true })
      .getByRole('button', { name: conversations.leave, exact: true })
      .click();
    await bob.page.getByRole('link', { name: /Lunch/ }).waitFor({ state: 'detached' });
  });
});
