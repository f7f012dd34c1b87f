import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bot, expectForEveryone, fill, type Person, useWorld, withAxe } from './harness/index.ts';

const TYPED = '  def __init__(self):\n\t*no*  _markup_ here\n\n# nor here\n1. nor\n3. here';

/** The text of a message as it is on the screen, with its line breaks. */
const shownIn = (bubble: Locator) => bubble.evaluate((one) => (one as HTMLElement).innerText);
const clipboardOf = ({ page }: Person) => page.evaluate(() => navigator.clipboard.readText());

async function choose(person: Person, text: string, action: 'copy' | 'delete') {
  const { menu } = person.words.conversations.thread;
  const message = person.thread.getByRole('article').filter({ hasText: text });
  await message.hover();
  await message.getByRole('button', { name: menu.label, exact: true }).click();
  await person.page.getByRole('menuitem', { name: menu[action], exact: true }).click();
}

describe('WC-30 to WC-39 messages', () => {
  const world = useWorld();
  let site: Server;
  let origin: string;
  const visits: string[] = [];

  beforeAll(async () => {
    site = createServer(({ url, headers }, response) => {
      visits.push(`${url} ${headers.referer ?? 'no referrer'}`);
      response.setHeader('content-type', 'text/html');
      response.end('<title>elsewhere</title>Elsewhere');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    site.close();
    site.closeAllConnections();
  });

  it('WC-30 what people type is shown as they typed it, and copied so; WC-39 only empty lines at the ends go', async () => {
    const [ada, bob] = [await world.signUp({ name: 'Ada' }), await world.signUp({ name: 'Bob' })];
    const { page, words } = ada;
    const { body } = await world.server.call('POST', '/auth/login', { body: bob.credentials });
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await ada.go(`people/${body.user_id}`);
    await ada.button(words.conversations.begin).click();
    await page.getByRole('heading', { name: 'Bob', exact: true }).waitFor();
    const { conversationId } = ada;
    await ada.say(`\n \n${TYPED}\n\n`);
    const bubble = (person: Person) =>
      person.thread.getByRole('article').filter({ hasText: '__init__' }).locator('p').first();
    await expect.poll(() => shownIn(bubble(ada))).toBe(TYPED);
    await choose(ada, '__init__', 'copy');
    await expect.poll(() => clipboardOf(ada)).toBe(TYPED);

    await bob.go(`c/${conversationId}`);
    await expect.poll(() => shownIn(bubble(bob))).toBe(TYPED);
    // Hidden characters are named here, too; copied is what was typed.
    await ada.say('file\u202egnp.exe 👩‍💻');
    const shown = bob.thread.getByText('file[U+202E]gnp.exe 👩‍💻', { exact: true });
    await shown.waitFor();
    await bob.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose(bob, 'gnp.exe', 'copy');
    await expect.poll(() => clipboardOf(bob)).toBe('file\u202egnp.exe 👩‍💻');
  });

  it('WC-31 agents write tables, tasks, struck text and code to copy; WC-32 a link says where it leads before it does', async () => {
    const bot = await world.bot();
    const ada = await world.signUp(withAxe);
    const { page, words } = ada;
    const { parts } = words;
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await ada.addAgent(bot.agentId, bot.name);
    const asked: string[] = [];
    ada.context.on('request', (request) => asked.push(request.url()));
    const text = [
      '# A title',
      '| Name | Count |\n|---|--:|\n| Tea | 2 |',
      '- [x] boil\n- [ ] pour',
      '~~gone~~ <b>raw</b>',
      '```js\nlet a = "\u200b";\n```',
      `![A cat](${origin}/pixel.png)`,
      `[bank.example](${origin}/evil) and ${origin}/plain. [run](javascript:alert(1))`,
    ].join('\n\n');
    await bot.agent.send(ada.conversationId, { type: 'text', text });
    await ada.thread.getByRole('cell', { name: 'Tea', exact: true }).waitFor();
    expect(await ada.thread.getByRole('img', { name: parts.taskDone, exact: true }).count()).toBe(1);
    expect(await ada.thread.getByRole('img', { name: parts.taskOpen, exact: true }).count()).toBe(1);
    expect(await ada.thread.locator('del').textContent()).toBe('gone');
    expect(await ada.thread.getByText('gone <b>raw</b>', { exact: true }).count()).toBe(1);
    // Below the title of the conversation.
    expect(await page.getByRole('heading', { name: 'A title', exact: true, level: 3 }).count()).toBe(1);
    const code = ada.thread.getByRole('figure').filter({ hasText: 'let a' });
    expect(await code.textContent()).toContain('js');
    expect(await code.textContent()).toContain('let a = "[U+200B]";');
    await code.getByRole('button', { name: parts.copy, exact: true }).click();
    await expect.poll(() => clipboardOf(ada)).toBe('let a = "\u200b";');

    const link = (name: string) => ada.thread.getByRole('link', { name, exact: true });
    expect(await link('run').count()).toBe(0);
    const leadsTo = fill(parts.link.leadsTo, { host: new URL(origin).host });
    await ada.sees(ada.thread.getByText(leadsTo, { exact: true }));
    await expectForEveryone(ada, 'formatted');
    await link('bank.example').click();
    await ada.prompt.getByText(`${origin}/evil`, { exact: true }).waitFor();
    await expectForEveryone(ada, 'a link', ['phone']);
    await ada.button(parts.cancel).click();
    await ada.prompt.waitFor({ state: 'detached' });
    expect(asked.filter((url) => url.startsWith(origin))).toEqual([]);
    expect(visits).toEqual([]);

    await link(`${origin}/plain`).click();
    const opening = ada.context.waitForEvent('page');
    await ada.prompt.getByRole('link', { name: parts.link.open, exact: true }).click();
    const opened = await opening;
    await opened.waitForLoadState();
    expect(opened.url()).toBe(`${origin}/plain`);
    expect(await opened.evaluate(() => opener)).toBeNull();
    expect(visits.filter((visit) => visit.startsWith('/plain'))).toEqual(['/plain no referrer']);
    await opened.close();
    // The harness's own script, in a window that the browser opens twice.
    ada.forgive(/changesOfThisPage/);
  });

  it('WC-31 attack: Markdown that takes a parser minutes, or its whole stack: the page still answers', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId } = ada;
    const most = (text: string) => text.repeat(Math.floor(99_900 / text.length));
    const hostile = {
      emphasis: most('*a_ '),
      quotes: most('>'),
      lists: most('- '),
      cells: most('|a'),
      pictures: `${most('![')}`,
      nested: `${'*a **a '.repeat(7_000)}${'a** a*'.repeat(7_000)}`,
      table: `|a|b|\n|-|-|\n${most('|1|2|\n').slice(20)}`,
      links: most('https://a.'),
      lines: most('a\n=\n'),
    };
    for (const [name, text] of Object.entries(hostile)) {
      await bot.agent.send(conversationId, { type: 'text', text });
      await bot.agent.send(conversationId, { type: 'text', text: `after **${name}**` });
      await ada.thread
        .getByRole('article')
        .filter({ hasText: `after ${name}` })
        .locator('strong')
        .waitFor();
    }
    await ada.say('Still here');
    await ada.thread.getByText('Still here', { exact: true }).waitFor();
  });

  it('WC-36 each day has a line, and each message its time', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    const { page, words } = ada;
    const { thread } = words.conversations;
    await ada.addAgent(bot.agentId, bot.name);
    for (const text of ['one', 'two']) await bot.agent.send(ada.conversationId, { type: 'text', text });
    await ada.thread.getByText('two', { exact: true }).waitFor();
    const today = new Date();
    expect(await ada.thread.getByText(thread.today, { exact: true }).count()).toBe(1);
    expect(await ada.thread.locator('time').first().textContent()).toMatch(/^\d{1,2}:\d\d [AP]M$/);
    const inDays = async (days: number) => {
      await page.clock.setFixedTime(new Date(today.getTime() + days * 86_400_000));
      await ada.reload();
      await ada.thread.getByText('two', { exact: true }).waitFor();
    };
    await inDays(1);
    expect(await ada.thread.getByText(thread.yesterday, { exact: true }).count()).toBe(1);
    await inDays(2);
    const day = today.toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long' });
    expect(await ada.thread.getByText(new RegExp(`^${day}`)).count()).toBe(1);
  });

  it('WC-37 a message is deleted for oneself, by keyboard too: it stays so after a reload, and the search has nothing', async () => {
    const bot = await world.bot();
    const ada = await world.signUp(withAxe);
    const { page, words } = ada;
    const { menu } = words.conversations.thread;
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId } = ada;
    for (const text of ['keep me', 'a secret plan']) await bot.agent.send(conversationId, { type: 'text', text });
    const { artifact_id } = await bot.agent.sendArtifact(conversationId, {
      subtype: 'status',
      title: 'A card',
      blocks: [{ tag: 'text', text: 'on it' }],
    });
    await ada.thread.getByRole('heading', { name: 'A card', exact: true }).waitFor();
    await choose(ada, 'a secret plan', 'delete');
    await ada.prompt.getByText(menu.deleteLead, { exact: true }).waitFor();
    await expectForEveryone(ada, 'delete', ['phone']);
    await ada.prompt.getByRole('button', { name: menu.deleteConfirm, exact: true }).click();
    await expect.poll(() => ada.thread.getByText('a secret plan', { exact: true }).count()).toBe(0);
    await expect.poll(() => ada.thread.evaluate((log) => log === document.activeElement)).toBe(true);

    const button = ada.thread
      .getByRole('article')
      .filter({ hasText: 'A card' })
      .getByRole('button', { name: menu.label, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: menu.copy, exact: true }).waitFor();
    await expectForEveryone(ada, 'the menu', ['phone']);
    await page.keyboard.press('End');
    const last = page.getByRole('menuitem', { name: menu.delete, exact: true });
    await expect.poll(() => last.evaluate((item) => item === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await ada.prompt.getByRole('button', { name: menu.deleteConfirm, exact: true }).click();
    await expect.poll(() => ada.thread.getByRole('heading', { name: 'A card', exact: true }).count()).toBe(0);
    // Its next revision is a message of its own; what comes after it shows that it has come.
    await bot.agent.updateArtifact(conversationId, artifact_id, { blocks: [{ tag: 'text', text: 'again' }] });
    await bot.agent.send(conversationId, { type: 'text', text: 'after it' });
    await ada.thread.getByText('after it', { exact: true }).waitFor();
    const isGone = async () => {
      await ada.sees(ada.thread.getByText('keep me', { exact: true }));
      expect(await ada.thread.getByText(/secret|again/).count()).toBe(0);
    };
    await isGone();
    await ada.reload();
    await isGone();
    await page.getByRole('searchbox').fill('secret');
    await page.getByText(fill(words.conversations.found_other, { count: 0 }), { exact: true }).waitFor();
  });

  /** A phone that is let in after messages were written. */
  async function addPhone(bot: Bot) {
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId } = ada;
    for (const text of ['old one', 'old two']) await bot.agent.send(conversationId, { type: 'text', text });
    await ada.say('old answer');
    await ada.thread.getByText('old answer', { exact: true }).waitFor();
    await expect.poll(() => ada.thread.getByText(ada.words.conversations.sending, { exact: true }).count()).toBe(0);
    const phone = await world.arrive({ email: ada.email });
    await ada.letIn(phone);
    return { phone, conversationId };
  }

  it('WC-38 a new device is not greeted with a false alarm: one calm line for what was before it', async () => {
    const bot = await world.bot();
    const { phone, conversationId } = await addPhone(bot);
    const { page, words } = phone;
    const { thread, problem } = words.conversations;
    await phone.go(`c/${conversationId}`);
    await page.getByText(thread.earlier, { exact: true }).waitFor();
    await bot.agent.send(conversationId, { type: 'text', text: 'a new one' });
    await phone.thread.getByText('a new one', { exact: true }).waitFor();
    expect(await page.getByText(thread.earlier, { exact: true }).count()).toBe(1);
    for (const text of [problem.undecryptable, problem.gone])
      expect(await page.getByText(fill(text, { name: bot.name }), { exact: true }).count()).toBe(0);
    await phone.reload();
    await page.getByText(thread.earlier, { exact: true }).waitFor();
  });

  it('WC-38 attack: a message for this device is altered on its way: that is a loss, and it is told where', async () => {
    const bot = await world.bot();
    const ada = await world.arrive();
    await ada.context.routeWebSocket(/\/v1\/ws|\/ws/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) => {
        const frame = JSON.parse(String(text));
        const isText = frame.type === 'message.new' && frame.msg_subtype === 'text';
        if (isText) frame.envelope.ciphertext = `AAAA${frame.envelope.ciphertext.slice(4)}`;
        socket.send(isText ? JSON.stringify(frame) : text);
      });
    });
    await ada.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    await bot.agent.send(ada.conversationId, { type: 'text', text: 'never read' });
    const { conversations } = ada.words;
    await ada.page.getByText(fill(conversations.problem.undecryptable, { name: bot.name }), { exact: true }).waitFor();
    expect(await ada.page.getByText(conversations.thread.earlier, { exact: true }).count()).toBe(0);
  });

  it('WC-39 a text that is too long is not cut: it says by how much, and is sent when it fits', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    const { page, words } = ada;
    const { thread, write, send } = words.conversations;
    await ada.addAgent(bot.agentId, bot.name);
    const box = page.getByRole('textbox', { name: write, exact: true });
    const long = 'x'.repeat(100_003);
    await box.fill(long);
    await page.getByText(fill(thread.tooLong_other, { count: 3, max: 100_000 }), { exact: true }).waitFor();
    expect(await ada.button(send).isDisabled()).toBe(true);
    await box.press('Enter');
    expect(await box.inputValue()).toBe(long);
    await ada.reload();
    await expect.poll(() => box.inputValue()).toBe(long);
    await box.fill('short');
    await box.press('Shift+Enter');
    await box.pressSequentially('enough');
    await box.press('Enter');
    await expect.poll(() => shownIn(ada.thread.locator('article p').first())).toBe('short\nenough');
  });

  it('WC-33 on a phone the field to write in is always on the screen', async () => {
    const bot = await world.bot();
    const ada = await world.signUp({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await ada.addAgent(bot.agentId, bot.name);
    for (let n = 0; n < 20; n++)
      await bot.agent.send(ada.conversationId, { type: 'text', text: `${n} ${'word '.repeat(40)}` });
    await ada.thread.getByText(/^19 /).waitFor();
    const box = ada.page.getByRole('textbox', { name: ada.words.conversations.write, exact: true });
    const { y, height } = (await box.boundingBox())!;
    const bar = (await ada.page.getByRole('navigation').last().boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(bar.y);
    const menu = ada.thread
      .getByRole('button', { name: ada.words.conversations.thread.menu.label, exact: true })
      .last();
    expect((await menu.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  });
});
