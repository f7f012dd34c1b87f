import { beforeAll, describe, expect, it } from 'vitest';
import { type AnyManifest, type Bot, DEMO_MANIFEST, fill, type Person, useWorld, WEB_SCOPE } from './harness/index.ts';

/** What the shipped tools want, in the client's own words. */
const WANTS = {
  location: 'read your location',
  clipboard: 'read what you last copied',
  page(url: string) {
    const { protocol, host, origin, pathname } = new URL(url);
    const path = pathname === '/' ? '' : `: “${pathname}”`;
    return `open a page on ${protocol === 'https:' ? host : origin}${path}`;
  },
};
const LOCATION = 'Read your location';
const CLIPBOARD = 'Read the clipboard';
/** More than the half second, in small steps: frames are drawn. */
const STILL_MS = 700;

function withClipboard(): AnyManifest {
  const manifest = structuredClone(DEMO_MANIFEST);
  const input_schema = { type: 'object', properties: {}, additionalProperties: false };
  manifest.tools.push({
    name: 'read_clipboard',
    description_i18n_key: 'x',
    description_fallback: 'Takes a look',
    input_schema,
    permission_scope: 'clipboard:read',
  });
  manifest.permission_scopes.push({
    id: 'clipboard:read',
    label_i18n_key: 'x',
    label_fallback: CLIPBOARD,
    sensitivity: 'medium',
  });
  // So that the values can be of any kind.
  manifest.tools[0].input_schema = { type: 'object', properties: {}, additionalProperties: true };
  return manifest;
}

describe('WC-10, WC-11 when a question can be answered', () => {
  const world = useWorld();
  let bot: Bot;
  beforeAll(async () => {
    bot = await world.bot({ name: 'Asker', manifest: withClipboard() });
  });

  /** Someone whose time passes only when told to. */
  async function arrive(setup?: Parameters<typeof world.signUp>[0]): Promise<Person> {
    const ada = await world.signUp({ permissions: ['geolocation', 'clipboard-read'], geolocation: PLACE, ...setup });
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE, LOCATION, CLIPBOARD]);
    await ada.page.clock.install();
    await ada.page.clock.pauseAt(Date.now() + 60_000);
    return ada;
  }
  const PLACE = { latitude: 31, longitude: 121 };
  const pass = ({ page }: Person, ms = STILL_MS) => page.clock.runFor(ms);
  const outcomeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'ran',
      (error: { reason?: string }) => error.reason,
    );
  // The agent waits by a real clock, and a second of the page takes longer than that on a busy machine.
  const call = (conversationId: string, tool: string) =>
    outcomeOf(bot.agent.callTool(conversationId, tool, {}, { timeoutMs: 300_000 }));
  const locate = ({ conversationId }: Pick<Person, 'conversationId'>) => call(conversationId, 'read_location');
  const paste = ({ conversationId }: Person) => call(conversationId, 'read_clipboard');
  const dialog = (ada: Person, wants: string) =>
    ada.page.getByRole('dialog', {
      name: `Asker ${fill(ada.words.conversations.prompt.wants, { wants })}`,
      exact: true,
    });
  const isOpen = async (ada: Person) => (await ada.answerButton('deny').getAttribute('aria-disabled')) === null;
  async function pointAt(ada: Person, answer: 'allow' | 'deny'): Promise<void> {
    const { x, y, width, height } = (await ada.answerButton(answer).boundingBox())!;
    await ada.page.mouse.move(x + width / 2, y + height / 2);
  }
  const press = async ({ page }: Person, clickCount = 1) => {
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
  };

  it('WC-10 attack: a double click on Allow answers one question: the location, and not the clipboard that follows', async () => {
    const ada = await arrive();
    const located = locate(ada);
    await dialog(ada, WANTS.location).waitFor();
    await pass(ada);
    await pointAt(ada, 'allow');
    await press(ada);
    // Runs on timers of the page, whenever it comes to them.
    let outcome: string | undefined;
    void located.then((reason) => {
      outcome = reason;
    });
    await expect.poll(() => pass(ada, 0).then(() => outcome)).toBe('ran');
    // It comes while no question is left, and the second click is on its way.
    const pasted = paste(ada);
    await dialog(ada, WANTS.clipboard).waitFor();
    await pointAt(ada, 'allow');
    await press(ada, 2);
    await ada.prompt.getByText(ada.words.conversations.prompt.early, { exact: true }).waitFor();
    expect(await dialog(ada, WANTS.clipboard).isVisible()).toBe(true);
    await pass(ada);
    await ada.answer('deny');
    expect(await pasted).toBe('user_refused');
  });

  it('WC-10 the first question is no exception, and neither mouse nor keys nor Escape answer it too early', async () => {
    const ada = await arrive();
    const { keyboard } = ada.page;
    const located = locate(ada);
    await ada.prompt.waitFor();
    await pass(ada, 400);
    expect(await isOpen(ada)).toBe(false);
    await pointAt(ada, 'allow');
    await press(ada);
    await keyboard.press('Escape');
    await ada.answerButton('allow').focus();
    await keyboard.press('Enter');
    await keyboard.press('Space');
    await ada.prompt.getByText(ada.words.conversations.prompt.early, { exact: true }).waitFor();
    // It takes no answer yet, and has kept the focus.
    expect(await ada.answerButton('allow').evaluate((button) => button === document.activeElement)).toBe(true);
    await pass(ada);
    await keyboard.press('Escape');
    expect(await located).toBe('user_refused');
  });

  it('WC-10 attack: Enter that is held, and a space bar pressed before the question, decide nothing', async () => {
    const ada = await arrive();
    const { keyboard } = ada.page;
    await ada.page.getByRole('textbox', { name: ada.words.conversations.write, exact: true }).focus();
    await keyboard.down('Space');
    const located = locate(ada);
    await ada.prompt.waitFor();
    await ada.answerButton('allow').focus();
    await keyboard.down('Enter');
    await pass(ada);
    expect(await isOpen(ada)).toBe(true);
    await keyboard.up('Space');
    // The key repeats while it is held.
    await keyboard.down('Enter');
    await keyboard.up('Enter');
    expect(await ada.prompt.isVisible()).toBe(true);
    await ada.answerButton('deny').focus();
    await keyboard.press('Enter');
    expect(await located).toBe('user_refused');
  });

  it('WC-10 attack: a click that began on one question and ends on the next decides nothing', async () => {
    const ada = await arrive();
    const answers = [locate(ada), paste(ada)];
    await ada.place(1, 2).waitFor();
    await pass(ada);
    await pointAt(ada, 'allow');
    await ada.page.mouse.down();
    // What assistive technology does: a click from nowhere.
    await ada.answerButton('deny').dispatchEvent('click');
    await ada.place(2, 2).waitFor();
    await pass(ada);
    await pointAt(ada, 'allow');
    await ada.page.mouse.up();
    // Nor one that began beside the answers.
    await ada.page.mouse.move(400, 100);
    await ada.page.mouse.down();
    await pointAt(ada, 'allow');
    await ada.page.mouse.up();
    expect(await ada.place(2, 2).isVisible()).toBe(true);
    await ada.answerButton('deny').dispatchEvent('click');
    expect((await Promise.all(answers)).sort()).toEqual(['user_refused', 'user_refused']);
  });

  it('WC-10 what appears in a question, moves it or hides it begins the half second anew', async () => {
    const ada = await arrive();
    const { page } = ada;
    const answers = [locate(ada), locate(ada)];
    await ada.place(1, 2).waitFor();
    await pass(ada);
    expect(await isOpen(ada)).toBe(true);

    // "Stop asking" comes with the third.
    answers.push(locate(ada));
    await ada.answerButton('stopAsking').waitFor();
    await pass(ada, 40);
    expect(await isOpen(ada)).toBe(false);
    await pass(ada);
    expect(await isOpen(ada)).toBe(true);

    await page.setViewportSize({ width: 900, height: 700 });
    // The page has its new size a moment after the command.
    await expect.poll(() => pass(ada, 40).then(() => isOpen(ada))).toBe(false);
    await pass(ada);
    expect(await isOpen(ada)).toBe(true);

    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => isOpen(ada)).toBe(false);
    await pass(ada, 5_000);
    expect(await isOpen(ada)).toBe(false);
    await page.evaluate(() => {
      Reflect.deleteProperty(document, 'visibilityState');
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await pass(ada, 400);
    expect(await isOpen(ada)).toBe(false);
    await pass(ada);
    expect(await isOpen(ada)).toBe(true);

    // The clock that counts down changes nothing.
    await pass(ada, 3_000);
    expect(await isOpen(ada)).toBe(true);
    await ada.answer('stopAsking');
    expect(await Promise.all(answers)).toEqual(Array(3).fill('user_refused'));
  });

  it('WC-10 attack: on a phone, a double tap on Cancel of a dialog over the question does not reach its Allow', async () => {
    const ada = await arrive({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page, words } = ada;
    await bot.agent.send(ada.conversationId, { type: 'text', text: 'see https://example.org/' });
    const link = ada.thread.getByText('https://example.org/', { exact: true });
    // What comes is shown by timers of the page.
    await expect.poll(() => pass(ada, 100).then(() => link.count())).toBe(1);
    const located = locate(ada);
    await dialog(ada, WANTS.location).waitFor();
    await pass(ada);
    expect(await isOpen(ada)).toBe(true);
    const { x, y, width, height } = (await ada.answerButton('allow').boundingBox())!;
    await link.tap();
    const over = page.getByRole('dialog', { name: words.parts.link.title, exact: true });
    await over.waitFor();
    await pass(ada, 5_000);
    await over.getByRole('button', { name: words.parts.cancel, exact: true }).tap();
    await over.waitFor({ state: 'detached' });
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await ada.prompt.getByText(words.conversations.prompt.early, { exact: true }).waitFor();
    await pass(ada);
    await ada.answerButton('deny').tap();
    expect(await located).toBe('user_refused');
  });

  it('WC-10 CG-6 a question that someone has zoomed away from takes no answer, and its 30 seconds do not run', async () => {
    const ada = await arrive({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const { page } = ada;
    const browser = await ada.context.newCDPSession(page);
    const zoom = (pageScaleFactor: number) => browser.send('Emulation.setPageScaleFactor', { pageScaleFactor });
    await zoom(4);
    await expect.poll(() => page.evaluate(() => visualViewport!.scale)).toBeGreaterThan(2);
    await page.evaluate(() => scrollTo(0, 0));
    const located = locate(ada);
    await ada.prompt.waitFor();
    await pass(ada, 40_000);
    expect(await isOpen(ada)).toBe(false);
    expect(await ada.prompt.getByRole('timer').count()).toBe(0);
    await page.keyboard.press('Escape');
    await zoom(1);
    await expect.poll(() => page.evaluate(() => visualViewport!.scale)).toBe(1);
    await pass(ada);
    expect(await isOpen(ada)).toBe(true);
    await ada.sees(ada.prompt.getByRole('timer'));
    await ada.answer('deny');
    expect(await located).toBe('user_refused');
  });

  it('WC-10 CG-6 under another dialog a question keeps its time, and goes on with what was left of it', async () => {
    const ada = await arrive();
    const { page, words } = ada;
    await bot.agent.send(ada.conversationId, { type: 'text', text: 'see https://example.org/' });
    const link = ada.thread.getByText('https://example.org/', { exact: true });
    await expect.poll(() => pass(ada, 100).then(() => link.count())).toBe(1);
    const located = locate(ada);
    await dialog(ada, WANTS.location).waitFor();
    await pass(ada, 10_000);
    await link.click();
    const over = page.getByRole('dialog', { name: words.parts.link.title, exact: true });
    await over.waitFor();
    // What takes no click does not look as if it did: it is in the shade of the dialog.
    const layers = await over.evaluate((element) =>
      [element.previousElementSibling!, document.querySelector('[data-answer]')!.closest('[role=dialog]')!].map((one) =>
        Number(getComputedStyle(one).zIndex),
      ),
    );
    expect(layers[0]).toBeGreaterThan(layers[1]!);
    await pass(ada, 25_000);
    await over.getByRole('button', { name: words.parts.cancel, exact: true }).click();
    await over.waitFor({ state: 'detached' });
    await pass(ada);
    expect(await isOpen(ada)).toBe(true);
    // Neither more than was left, nor less than what the dialog took.
    const left = Number(await ada.prompt.getByRole('timer').textContent());
    expect(left).toBeGreaterThan(12);
    expect(left).toBeLessThan(21);
    await pass(ada, 21_000);
    expect(await located).toBe('user_timeout');
  });

  it('WC-10 whoever scrolls a question need not wait again, and what unfolds in it does begin anew', async () => {
    const ada = await arrive({ viewport: { width: 640, height: 400 } });
    const located = locate(ada);
    await dialog(ada, WANTS.location).waitFor();
    await expect.poll(() => pass(ada, 100).then(() => isOpen(ada))).toBe(true);
    const scrolled = () => dialog(ada, WANTS.location).evaluate((sheet) => sheet.scrollTop);
    for (const by of [40, 2_000]) {
      await dialog(ada, WANTS.location).evaluate((sheet, top) => sheet.scrollBy({ top, behavior: 'instant' }), by);
      expect(await scrolled()).toBeGreaterThan(0);
      await pass(ada, 40);
      expect(await isOpen(ada)).toBe(true);
    }
    await dialog(ada, WANTS.location).evaluate((sheet) => {
      sheet.querySelector('dl')!.style.paddingBottom = '9px';
    });
    await pass(ada, 40);
    expect(await isOpen(ada)).toBe(false);
    await pass(ada);
    await ada.answer('deny');
    expect(await located).toBe('user_refused');
  });

  it('WC-10 a press that began too early and ended in time is refused with a word', async () => {
    const ada = await arrive();
    const { early } = ada.words.conversations.prompt;
    const located = locate(ada);
    await ada.prompt.waitFor();
    await pass(ada, 300);
    expect(await isOpen(ada)).toBe(false);
    await pointAt(ada, 'deny');
    await ada.page.mouse.down();
    await pass(ada);
    expect(await isOpen(ada)).toBe(true);
    await ada.page.mouse.up();
    await ada.prompt.getByText(early, { exact: true }).waitFor();
    await ada.answerButton('deny').focus();
    await ada.page.keyboard.press('Enter');
    expect(await located).toBe('user_refused');
  });

  it('WC-16 attack: a question takes no key from someone who is typing; it is announced, and waits for a pause', async () => {
    const ada = await arrive();
    const { page, words } = ada;
    const box = page.getByRole('textbox', { name: words.conversations.write, exact: true });
    await box.focus();
    await page.keyboard.type('I was just saying', { delay: 40 });
    const located = locate(ada);
    await ada.prompt.waitFor();
    const announcement = `Asker ${fill(words.conversations.prompt.wants, { wants: WANTS.location })}`;
    await ada.sees(page.getByRole('status').getByText(announcement, { exact: true }));
    // Time goes on while they type, and every key finds its place.
    for (const part of [' that all', ' of this', ' stays mine', ' to the end']) {
      await page.keyboard.type(part, { delay: 40 });
      await pass(ada, 1_000);
    }
    expect(await box.inputValue()).toBe('I was just saying that all of this stays mine to the end');
    expect(await ada.prompt.isVisible()).toBe(true);
    await pass(ada, 1_000);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('dialog');
    await page.keyboard.press('Escape');
    expect(await located).toBe('user_refused');
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('WC-16 what can be undone is offered above a question', async () => {
    const ada = await arrive();
    const { page, words } = ada;
    const { conversationId } = ada;
    await ada.go(`agents/${bot.agentId}`);
    await page.getByRole('switch', { name: CLIPBOARD, exact: true }).click();
    const undo = page.getByRole('region', { name: words.parts.undo.region, exact: true }).getByRole('button').first();
    await undo.waitFor();
    const located = locate({ conversationId });
    await ada.prompt.waitFor();
    const isOnTop = await undo.evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    expect(isOnTop).toBe(true);
    await pass(ada);
    await ada.answer('deny');
    expect(await located).toBe('user_refused');
  });

  it('WC-11 the next question says which of how many it is, to eyes and to screen readers', async () => {
    const ada = await arrive();
    const { prompt } = ada.words.conversations;
    const announced = (at: number, of: number, wants: string) =>
      ada.page
        .getByRole('status')
        .filter({ hasText: `${fill(prompt.place, { at, of })}: Asker ${fill(prompt.wants, { wants })}` });
    const answers = [locate(ada)];
    await ada.prompt.waitFor();
    expect(await ada.place(1, 1).count()).toBe(0);
    answers.push(paste(ada));
    await ada.place(1, 2).waitFor();
    answers.push(locate(ada));
    await ada.place(1, 3).waitFor();
    for (const [at, wants] of [
      [2, WANTS.clipboard],
      [3, WANTS.location],
    ] as const) {
      await pass(ada);
      await ada.answer('deny');
      await ada.place(at, 3).waitFor();
      await ada.sees(dialog(ada, wants));
      await ada.sees(announced(at, 3, wants));
    }
    await pass(ada);
    await ada.answer('deny');
    expect(await Promise.all(answers)).toEqual(Array(3).fill('user_refused'));
    expect(await announced(3, 3, WANTS.location).count()).toBe(0);
  });
});

describe('WC-12, WC-13, WC-14, WC-15, WC-16, WC-17 what a question shows and offers', () => {
  const world = useWorld();
  const page404 = () => `${world.server.url}/nothing`;
  let bot: Bot;
  beforeAll(async () => {
    bot = await world.bot({ name: 'Asker', manifest: withClipboard() });
  });

  async function arrive(setup?: Parameters<typeof world.signUp>[0]): Promise<Person> {
    const ada = await world.signUp(setup);
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE, LOCATION, CLIPBOARD]);
    return ada;
  }
  const call = ({ conversationId }: Pick<Person, 'conversationId'>, tool: string, args: object = {}, from = bot) => {
    // However long a busy machine takes to come to the answer.
    const answered = from.agent.callTool(conversationId, tool, args, { timeoutMs: 300_000 });
    answered.catch(() => {});
    return answered;
  };
  const refused = (answered: Promise<unknown>) => expect(answered).rejects.toMatchObject({ reason: 'user_refused' });
  const dialog = (ada: Person, wants: string) =>
    ada.page.getByRole('dialog', {
      name: `Asker ${fill(ada.words.conversations.prompt.wants, { wants })}`,
      exact: true,
    });

  it('WC-12 the title is a sentence of ours in the language of the person, and what the agent says is the agent’s', async () => {
    const ada = await arrive();
    const { prompt } = ada.words.conversations;
    const pasted = call(ada, 'read_clipboard');
    await dialog(ada, WANTS.clipboard).waitFor();
    expect(await ada.prompt.getByText(fill(prompt.says, { agent: 'Asker' }), { exact: true }).isVisible()).toBe(true);
    expect(await ada.prompt.locator('q').textContent()).toBe('Takes a look');
    await ada.answer('deny');
    await refused(pasted);
    const fetched = call(ada, 'fetch_url', { url: 'https://example.org/x' });
    await dialog(ada, WANTS.page('https://example.org/x')).waitFor();
    await ada.answer('deny');
    await refused(fetched);

    const li = await world.signUp({ language: 'zh-CN' });
    await li.addAgent(bot.agentId, bot.name, ['读取您的位置']);
    const located = call(li, 'read_location');
    await dialog(li, '读取您的位置').waitFor();
    await li.answer('deny');
    await refused(located);
  });

  it('WC-13 CG-10 values in rows, an address with the host it leads to, hidden characters by name, JSON one click away', async () => {
    const ada = await arrive();
    const { prompt } = ada.words.conversations;
    const body = `first\u202elast ${'and more '.repeat(100)}`;
    // The first letter is Cyrillic.
    const args = { url: 'https://\u0430pple.example/x', method: 'POST', headers: { accept: 'text/html' }, body };
    const fetched = call(ada, 'fetch_url', args);
    await dialog(ada, 'send data to xn--pple-43d.example: “/x”').waitFor();
    const rows = await ada.prompt
      .locator('dl')
      .filter({ hasText: prompt.names.method })
      .first()
      .evaluate((list) =>
        [...list.children].map(({ children: [name, value] }) => [name!.textContent, value!.textContent]),
      );
    expect(rows).toEqual([
      [prompt.names.url, expect.stringContaining(`${prompt.host} xn--pple-43d.example`)],
      [prompt.names.method, 'POST'],
      [prompt.names.headers, expect.stringContaining('text/html')],
      [prompt.names.body, expect.stringMatching(/^first\[U\+202E\]last and more .*… \(\d+ more characters\)/)],
    ]);
    await ada.button(prompt.asJson).click();
    await ada.prompt.getByText('{4}', { exact: true }).waitFor();
    await ada.button(prompt.asList).click();
    await ada.prompt.getByText(prompt.names.method, { exact: true }).waitFor();
    await ada.answer('deny');
    await refused(fetched);
    const plain = call(ada, 'fetch_url', { url: 'https://example.org/x' });
    const host = ada.prompt.locator('strong').getByText('example.org', { exact: true });
    await host.waitFor();
    expect(await ada.prompt.getByText(prompt.host, { exact: true }).count()).toBe(0);
    await ada.answer('deny');
    await refused(plain);
  });

  it('WC-14 CG-15 once is once; 24 hours cover what stands beside them; high is once only, and looks so', async () => {
    const ada = await arrive({ permissions: ['geolocation'], geolocation: { latitude: 31, longitude: 121 } });
    const { prompt } = ada.words.conversations;
    const url = page404();
    const looks = (name: string) =>
      ada.prompt
        .getByRole('button', { name, exact: true })
        .evaluate((button) => getComputedStyle(button).backgroundColor + button.querySelector('svg')!.classList.value);

    const once = call(ada, 'fetch_url', { url });
    await ada.prompt.getByText(`requests to ${world.server.url}`, { exact: true }).waitFor();
    await ada.answerable();
    const medium = [await looks(prompt.allowOnce), await looks(prompt.allowDay)];
    await ada.answer('once');
    await once;
    const again = call(ada, 'fetch_url', { url });
    await dialog(ada, WANTS.page(url)).waitFor();
    await ada.answer('allow');
    await again;
    // Silent now, and for this host alone.
    await call(ada, 'fetch_url', { url: `${url}?again` });
    const other = call(ada, 'fetch_url', { url: 'https://other.example/' });
    await dialog(ada, WANTS.page('https://other.example/')).waitFor();
    await ada.answer('deny');
    await refused(other);

    for (let time = 0; time < 2; time++) {
      const located = call(ada, 'read_location');
      await dialog(ada, WANTS.location).waitFor();
      expect(await ada.prompt.getByText(new RegExp(`^${prompt.always}`)).isVisible()).toBe(true);
      expect(await ada.button(prompt.allowDay).count()).toBe(0);
      await ada.answerable();
      const high = await looks(fill(prompt.allowAct, { act: 'share location' }));
      expect(new Set([...medium, high]).size).toBe(3);
      await ada.answer('allow');
      await located;
    }
  });

  it('WC-15 one click denies all that waits of an agent, and nothing of another', async () => {
    const ada = await arrive();
    const { prompt } = ada.words.conversations;
    const { conversationId } = ada;
    const other = await world.bot({ name: 'Patient' });
    await ada.addAgent(other.agentId, other.name, [WEB_SCOPE]);
    const patients = ada.conversationId;
    await ada.go(`c/${conversationId}`);
    await expect.poll(() => ada.conversationId).toBe(conversationId);
    const answers = [
      call(ada, 'fetch_url', { url: page404() }),
      call(ada, 'read_clipboard'),
      call(ada, 'read_clipboard'),
    ];
    await ada.place(1, 3).waitFor();
    const fetched = call({ conversationId: patients }, 'fetch_url', { url: page404() }, other);
    await ada.place(1, 4).waitFor();
    await ada.button(fill(prompt.denyAll, { count: 3, agent: 'Asker' })).click();
    await Promise.all(answers.map(refused));
    await ada.page
      .getByRole('dialog', { name: `Patient ${fill(prompt.wants, { wants: WANTS.page(page404()) })}`, exact: true })
      .waitFor();
    expect(await ada.prompt.getByRole('button', { name: /Patient/ }).count()).toBe(0);
    await ada.answer('once');
    await fetched;
  });

  it('WC-16 the conversation stays readable, scrollable and usable beside its question', async () => {
    const ada = await arrive();
    const { page, words } = ada;
    const box = page.getByRole('textbox', { name: words.conversations.write, exact: true });
    await tell(ada);
    await box.fill('half a sentence');
    // One that stays open while all of this takes as long as it likes: of level high it would be for 30 seconds.
    const pasted = call(ada, 'read_clipboard');
    await ada.prompt.waitFor();
    // The question itself has the focus: a key that was meant for the text is no answer.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('dialog');
    await isAbove(ada, 'message 30');
    await box.fill('a whole sentence');
    await box.press('Enter');
    await ada.thread.getByText('a whole sentence', { exact: true }).waitFor();
    await ada.thread.hover();
    await page.mouse.wheel(0, -5_000);
    await ada.thread.getByText('message 1', { exact: true }).waitFor();
    await box.focus();
    // Escape in the text is not an answer.
    await ada.answerable();
    await page.keyboard.press('Escape');
    expect(await ada.prompt.isVisible()).toBe(true);
    await ada.answer('deny');
    await refused(pasted);
    await ada.prompt.waitFor({ state: 'detached' });
    // The room is given back.
    expect(await page.evaluate(() => document.body.scrollHeight - innerHeight)).toBe(0);
  });

  it('WC-16 after the answer the focus is where it was, and what was typed is still there', async () => {
    const ada = await arrive();
    const box = ada.page.getByRole('textbox', { name: ada.words.conversations.write, exact: true });
    await box.fill('half a sentence');
    const answers = [call(ada, 'read_location'), call(ada, 'read_clipboard')];
    for (const at of [1, 2]) {
      await ada.place(at, 2).waitFor();
      await ada.answerable();
      await ada.page.keyboard.press('Escape');
    }
    await Promise.all(answers.map(refused));
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
    await ada.page.keyboard.type(', and the rest');
    expect(await box.inputValue()).toBe('half a sentence, and the rest');
  });

  it('WC-16 on a phone it covers no more than 60 % of the screen, and the latest messages are above it', async () => {
    const ada = await arrive({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await tell(ada);
    const fetched = call(ada, 'fetch_url', {
      url: `https://example.org/${'x'.repeat(500)}`,
      body: 'y'.repeat(900),
      method: 'POST',
    });
    await ada.prompt.waitFor();
    const { height } = (await ada.prompt.boundingBox())!;
    expect(height).toBeLessThanOrEqual(844 * 0.6);
    // The latest of all is the call itself.
    await isAbove(ada, ada.words.conversations.call.arguments);
    // Its choices make it taller: none of them is behind the answers.
    await ada.button(ada.words.conversations.prompt.remember.change).click();
    const choices = await ada.prompt.getByRole('radio').all();
    expect(choices).toHaveLength(3);
    for (const choice of choices) await expect.poll(() => choice.evaluate(isOnTop)).toBe(true);
    await ada.answerable();
    await ada.answerButton('deny').tap();
    await refused(fetched);
  });

  it('WC-16 at 200 % zoom everything in a question can be reached', async () => {
    const ada = await arrive({ viewport: { width: 640, height: 400 } });
    const answers = Array.from({ length: 3 }, () => call(ada, 'fetch_url', { url: page404() }));
    await ada.place(1, 3).waitFor();
    await ada.answerButton('stopAsking').waitFor();
    const { prompt } = ada.words.conversations;
    for (const name of [prompt.asJson, prompt.remember.change, prompt.allowDay, prompt.allowOnce, prompt.deny]) {
      const button = ada.button(name);
      await button.scrollIntoViewIfNeeded();
      expect(await button.evaluate(isOnTop), name).toBe(true);
    }
    await ada.button(fill(prompt.denyAll, { count: 3, agent: 'Asker' })).click();
    await Promise.all(answers.map(refused));
  });

  it('WC-16 a question of another conversation leads there, without an answer', async () => {
    const ada = await arrive();
    const { conversationId, page } = ada;
    await tell(ada);
    // What was on the screen for a frame was seen.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await ada.go('settings');
    const pasted = call({ conversationId }, 'read_clipboard');
    const { show } = ada.words.conversations.prompt;
    await ada.prompt.getByRole('link', { name: show, exact: true }).click();
    // All of it was read, however soon afterwards the page was left (WC-33): what the agent wants is all that is new.
    await ada.thread.getByText('message 30', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/c/${conversationId}`);
    await expect.poll(() => ada.prompt.getByRole('link', { name: show, exact: true }).count()).toBe(0);
    await isAbove(ada, 'message 30');
    expect(await ada.thread.getByText('message 1', { exact: true }).count()).toBe(0);
    await ada.answer('deny');
    await refused(pasted);
  });

  it('WC-17 CG-13 consent and question say that the server fetches here, and see the address', async () => {
    const ada = await world.signUp();
    await ada.go(`agents/${bot.agentId}`);
    await ada.page.getByText(ada.words.parts.fetchedByServer, { exact: true }).waitFor();
    // Said once: the agent's own words are about what it wants the pages for.
    expect(await ada.page.getByText(/server opens/).count()).toBe(1);
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const fetched = call(ada, 'fetch_url', { url: page404() });
    await ada.prompt.getByText(/^Your Parley server fetches this/).waitFor();
    await ada.answer('deny');
    await refused(fetched);
  });

  async function tell(ada: Person): Promise<void> {
    for (let n = 1; n <= 30; n++) await bot.agent.send(ada.conversationId, { type: 'text', text: `message ${n}` });
    await ada.thread.getByText('message 30', { exact: true }).waitFor();
  }

  /** Nothing lies over the text, and it is above the question. */
  async function isAbove(ada: Person, text: string | RegExp): Promise<void> {
    const message = ada.thread.getByText(text, { exact: true });
    await expect
      .poll(() =>
        message.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const top = document.querySelector('[role=dialog]')!.getBoundingClientRect().top;
          return y + height <= top && element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }),
      )
      .toBe(true);
  }
});

/** Nothing else lies over its middle. */
function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}
