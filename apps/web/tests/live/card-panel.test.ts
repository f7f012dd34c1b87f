import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Bot, DEMO_MANIFEST, expectForEveryone, fill, type Person, useWorld, withAxe } from './harness/index.ts';

const MANIFEST = { ...DEMO_MANIFEST, capability_flags: { supports_artifacts: true } };
const ORDER = {
  subtype: 'form',
  title: 'Lunch order',
  blocks: [
    { tag: 'text', text: 'Kitchen closes at noon.' },
    { tag: 'input', id: 'dish', label: 'Dish' },
    { tag: 'input', id: 'note', label: 'Note', multiline: true },
    { tag: 'select', id: 'size', label: 'Size', options: ['small', 'large'].map((value) => ({ value, label: value })) },
    { tag: 'checkbox', id: 'spicy', label: 'Spicy' },
    { tag: 'input', id: 'pin', label: 'Card PIN', secret: true },
  ],
} as const;

const panelOf = ({ page, words }: Person) =>
  page.getByRole('complementary', { name: words.conversations.cards, exact: true });
const field = (place: { getByLabel: Person['page']['getByLabel'] }, label: string) =>
  place.getByLabel(label, { exact: true });
const send = (place: Pick<Person['page'], 'getByRole'>, { words }: Person) =>
  place.getByRole('button', { name: words.conversations.submit, exact: true }).first();

/** What becomes of answers on their way from the pages to the server. */
interface Way {
  answers: 'pass' | 'wait' | 'refused';
  /** How many were held back. */
  held: number;
  /** Lets those go that wait. */
  free(): void;
}

const REFUSAL = { type: 'error', code: 'FORBIDDEN', message: 'No.', i18n_key: 'errors.FORBIDDEN', params: {} };

/** For `prepare`: the server gets what `way` lets through. */
function withWay(way: Way) {
  return async (context: Person['context']) => {
    await context.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer();
      const waiting: (string | Buffer)[] = [];
      way.free = () => {
        for (const text of waiting.splice(0)) server.send(text);
      };
      socket.onMessage((text) => {
        const { type, envelope } = JSON.parse(String(text));
        const { msg_subtype: subtype, client_message_id } = envelope?.header ?? {};
        if (type !== 'send' || subtype !== 'artifact_response' || way.answers === 'pass') return server.send(text);
        way.held++;
        if (way.answers === 'wait') waiting.push(text);
        else socket.send(JSON.stringify({ ...REFUSAL, client_message_id }));
      });
    });
  };
}
const newWay = (answers: Way['answers'] = 'pass'): Way => ({ answers, held: 0, free: () => {} });

/** Sizes become known while one scrolls, so one scrolls on. */
const scrollUntil = (thread: Locator, where: 'start' | 'end', look: () => Promise<number>, wanted: number) =>
  expect
    .poll(async () => {
      await thread.evaluate((box, top) => box.scrollTo({ top }), where === 'start' ? 0 : 1_000_000);
      return look();
    })
    .toBe(wanted);

describe('WC-23, WC-24, WC-25, WC-26 cards that are filled in', () => {
  const world = useWorld();

  async function start(options = {}) {
    const bot = await world.bot({ manifest: MANIFEST });
    const answers: unknown[] = [];
    bot.agent.addEventHandler((event) => {
      if (event.type === 'artifact_response' && 'action' in event.artifact) answers.push(event.artifact.values);
    });
    const ada = await world.signUp(options);
    await ada.addAgent(bot.agentId, bot.name);
    return { bot, ada, answers, form: ada.thread };
  }
  const sendOrder = async (bot: Bot, { conversationId }: Person) =>
    (await bot.agent.sendArtifact(conversationId, ORDER as never)).artifact_id;

  it('WC-23 a half-filled form is there after a long scroll and a reload, but for its secret; it goes when it is sent', async () => {
    const { bot, ada, answers, form } = await start();
    await sendOrder(bot, ada);
    await field(form, 'Dish').fill('Noodles');
    await field(form, 'Note').fill('two lines\nof it');
    await field(form, 'Size').selectOption('large');
    await field(form, 'Spicy').check();
    await field(form, 'Card PIN').fill('4711');
    for (let n = 1; n <= 40; n++)
      await bot.agent.send(ada.conversationId, { type: 'text', text: `${n}\n\n${'a line\n\n'.repeat(8)}` });
    await scrollUntil(form, 'end', () => field(form, 'Dish').count(), 0);
    await scrollUntil(form, 'start', () => field(form, 'Dish').count(), 1);
    await expect.poll(() => field(form, 'Dish').inputValue()).toBe('Noodles');
    await ada.reload();
    await ada.thread.waitFor();
    await scrollUntil(form, 'start', () => field(form, 'Dish').count(), 1);
    await expect.poll(() => field(form, 'Dish').inputValue()).toBe('Noodles');
    expect(await field(form, 'Note').inputValue()).toBe('two lines\nof it');
    expect(await field(form, 'Size').inputValue()).toBe('large');
    expect(await field(form, 'Spicy').isChecked()).toBe(true);
    expect(await field(form, 'Card PIN').inputValue()).toBe('');
    await field(form, 'Card PIN').fill('4711');
    await send(form, ada).click();
    await expect
      .poll(() => answers)
      .toEqual([{ dish: 'Noodles', note: 'two lines\nof it', size: 'large', spicy: true, pin: '4711' }]);
  });

  it('WC-23 a revision of the agent keeps what was typed; what it takes away can still be copied', async () => {
    const { bot, ada, form } = await start();
    const id = await sendOrder(bot, ada);
    const { cards, conversations, parts } = ada.words;
    await field(form, 'Dish').fill('Noodles');
    await field(form, 'Card PIN').fill('4711');
    await field(form, 'Spicy').check();
    await bot.agent.updateArtifact(ada.conversationId, id, {
      blocks: [{ tag: 'status', text: 'New today: rice' }, ...ORDER.blocks.slice(1)] as never,
    });
    await form.getByText('New today: rice', { exact: true }).waitFor();
    expect(await field(form, 'Dish').inputValue()).toBe('Noodles');
    expect(await field(form, 'Spicy').isChecked()).toBe(true);
    // It is on the screen only, and stays there.
    expect(await field(form, 'Card PIN').inputValue()).toBe('4711');
    await bot.agent.updateArtifact(ada.conversationId, id, { blocks: ORDER.blocks.slice(2) as never });
    await form.getByText(fill(conversations.revision, { count: 3 }), { exact: true }).waitFor();
    await ada.sees(form.getByText(cards.lost, { exact: true }));
    await ada.sees(form.getByText('Noodles', { exact: true }));
    await ada.sees(form.getByRole('button', { name: parts.copy, exact: true }));
    await ada.button(cards.lostDone).click();
    await form.getByText('Noodles', { exact: true }).waitFor({ state: 'detached' });
    expect(await field(form, 'Spicy').isChecked()).toBe(true);
  });

  it('WC-23 an answer with a secret that was refused leads back to its card, where the secret is entered again', async () => {
    const way = newWay('refused');
    const { bot, ada, answers, form } = await start({ prepare: withWay(way) });
    await sendOrder(bot, ada);
    const { cards, conversations } = ada.words;
    await field(form, 'Dish').fill('Noodles');
    await field(form, 'Card PIN').fill('4711');
    await send(form, ada).click();
    await form.getByText(conversations.failed, { exact: true }).waitFor();
    expect(await ada.button(conversations.retry).count()).toBe(0);
    for (let n = 1; n <= 30; n++)
      await bot.agent.send(ada.conversationId, { type: 'text', text: `${n}\n\n${'a line\n\n'.repeat(8)}` });
    await ada.reload();
    const back = form.getByRole('link', { name: cards.enterAgain, exact: true });
    // What was not sent is below everything, and its card far above.
    await scrollUntil(form, 'end', () => back.count(), 1);
    // Some of what is between the two may come only now.
    await scrollUntil(form, 'end', () => field(form, 'Dish').count(), 0);
    await back.click();
    await expect.poll(() => field(form, 'Dish').inputValue()).toBe('Noodles');
    expect(await field(form, 'Card PIN').inputValue()).toBe('');
    way.answers = 'pass';
    await field(form, 'Card PIN').fill('4711');
    await send(form, ada).click();
    await expect.poll(() => answers).toMatchObject([{ dish: 'Noodles', pin: '4711' }]);
    // Nothing is left to be done about the first one.
    await expect.poll(() => back.count()).toBe(0);
  });

  it('WC-23 an answer with a secret that was on its way when the page was closed is sent as it was, once', async () => {
    const way = newWay('wait');
    const { bot, ada, answers, form } = await start({ prepare: withWay(way) });
    await sendOrder(bot, ada);
    const { cards, conversations } = ada.words;
    await field(form, 'Dish').fill('Noodles');
    await field(form, 'Card PIN').fill('4711');
    await send(form, ada).click();
    await expect.poll(() => way.held).toBe(1);
    way.answers = 'pass';
    await ada.reload();
    await expect.poll(() => answers).toMatchObject([{ dish: 'Noodles', pin: '4711' }]);
    await form.getByText(conversations.answered, { exact: true }).first().waitFor();
    expect(await form.getByText(conversations.failed, { exact: true }).count()).toBe(0);
    expect(await form.getByRole('link', { name: cards.enterAgain, exact: true }).count()).toBe(0);
    // The card knows of it, and asks for nothing more.
    await expect.poll(() => field(form, 'Dish').isDisabled()).toBe(true);
    expect(await field(form, 'Dish').inputValue()).toBe('Noodles');
    expect(answers).toHaveLength(1);
  });

  it('WC-24 an answered form is edited and sent again, beginning with what was sent', async () => {
    const { bot, ada, answers, form } = await start();
    await sendOrder(bot, ada);
    const { cards, conversations } = ada.words;
    await field(form, 'Dish').fill('Noodles');
    await send(form, ada).click();
    await form.getByText(conversations.answered, { exact: true }).first().waitFor();
    await ada.reload();
    // It may have been on its way when the page was closed.
    await expect.poll(() => field(form, 'Dish').isDisabled()).toBe(true);
    expect(await field(form, 'Dish').inputValue()).toBe('Noodles');
    await ada.button(cards.edit).click();
    await field(form, 'Dish').fill('Rice');
    await ada.button(cards.keepAnswer).click();
    await expect.poll(() => field(form, 'Dish').inputValue()).toBe('Noodles');
    await ada.button(cards.edit).click();
    await field(form, 'Dish').fill('Soup');
    await send(form, ada).click();
    await expect.poll(() => answers).toMatchObject([{ dish: 'Noodles' }, { dish: 'Soup' }]);
    await form.getByText(new RegExp(cards.answeredAgain.split('{{time}}').join('.*'))).waitFor();
    expect(await field(form, 'Dish').isDisabled()).toBe(true);
    expect(await field(form, 'Dish').inputValue()).toBe('Soup');
  });

  it('WC-25 a card is filled in and sent in the panel, which keeps pace with the conversation and is remembered', async () => {
    const { bot, ada, answers, form } = await start(withAxe);
    await sendOrder(bot, ada);
    const { cards, conversations } = ada.words;
    const panel = panelOf(ada);
    await ada.button(fill(cards.openLabel, { title: ORDER.title })).click();
    await panel.getByRole('heading', { name: ORDER.title, exact: true }).first().waitFor();
    expect(await panel.evaluate((box) => box === document.activeElement)).toBe(true);
    await field(panel, 'Dish').fill('Noodles');
    await expect.poll(() => field(form, 'Dish').inputValue()).toBe('Noodles');
    await expectForEveryone(ada, 'a card in the panel', ['desktop']);
    await ada.button(cards.all).click();
    await panel.getByText(cards.half, { exact: true }).waitFor();
    await ada.reload();
    // It is there again, as it was left.
    await panel.getByRole('button', { name: new RegExp(ORDER.title) }).click();
    await expect.poll(() => field(panel, 'Dish').inputValue()).toBe('Noodles');
    await send(panel, ada).click();
    await expect.poll(() => answers).toMatchObject([{ dish: 'Noodles' }]);
    await panel.getByText(conversations.answered, { exact: true }).waitFor();

    // Closed with a key, the focus is where it was opened.
    await ada.button(conversations.closeCards).click();
    const open = ada.button(fill(cards.openLabel, { title: ORDER.title }));
    await open.press('Enter');
    await panel.getByRole('button', { name: cards.all, exact: true }).press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
    await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true);
    await ada.reload();
    await ada.sees(open);
    expect(await panel.count()).toBe(0);
  });

  it('WC-25 what is typed in the panel while the conversation sends stays, and is sent as another answer', async () => {
    const way = newWay('wait');
    const { bot, ada, answers, form } = await start({ prepare: withWay(way) });
    await sendOrder(bot, ada);
    const { cards, conversations } = ada.words;
    const panel = panelOf(ada);
    await ada.button(fill(cards.openLabel, { title: ORDER.title })).click();
    await panel.getByRole('heading', { name: ORDER.title, exact: true }).first().waitFor();
    await field(form, 'Dish').fill('Noodles');
    await field(form, 'Note').fill('no salt');
    await send(form, ada).click();
    await expect.poll(() => way.held).toBe(1);
    await field(panel, 'Dish').fill('Noodles with egg');
    await expect.poll(() => field(form, 'Dish').inputValue()).toBe('Noodles with egg');
    way.answers = 'pass';
    way.free();
    await expect.poll(() => answers).toMatchObject([{ dish: 'Noodles', note: 'no salt' }]);
    await panel.getByText(conversations.answered, { exact: true }).waitFor();
    expect(await field(panel, 'Dish').inputValue()).toBe('Noodles with egg');
    expect(await field(panel, 'Dish').isDisabled()).toBe(false);
    await send(panel, ada).click();
    await expect
      .poll(() => answers)
      .toMatchObject([{ dish: 'Noodles' }, { dish: 'Noodles with egg', note: 'no salt' }]);
    await expect.poll(() => field(form, 'Dish').isDisabled()).toBe(true);
  });

  it('WC-25 Escape of a question above the panel closes the question alone', async () => {
    const { bot, ada } = await start();
    const { artifact_id } = await bot.agent.sendArtifact(ada.conversationId, {
      ...ORDER,
      blocks: [{ tag: 'text', text: 'See [the menu](https://a.example/menu).' }],
    } as never);
    expect(artifact_id).toBeTypeOf('string');
    const panel = panelOf(ada);
    await ada.button(fill(ada.words.cards.openLabel, { title: ORDER.title })).click();
    const link = panel.getByRole('link', { name: 'the menu', exact: true });
    await link.click();
    await ada.prompt.waitFor();
    await ada.page.keyboard.press('Escape');
    await expect.poll(() => ada.prompt.count()).toBe(0);
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await panel.count()).toBe(1);
    await ada.page.keyboard.press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
  });

  it('WC-25 on a phone the panel covers the conversation, and leads back to it', async () => {
    const { bot, ada } = await start({ viewport: { width: 390, height: 844 }, hasTouch: true, ...withAxe });
    await sendOrder(bot, ada);
    const { cards, conversations } = ada.words;
    const panel = panelOf(ada);
    await ada.button(conversations.cards).click();
    await panel.getByRole('button', { name: new RegExp(ORDER.title) }).click();
    await field(panel, 'Dish').fill('Noodles');
    expect(await panel.boundingBox()).toMatchObject({ x: 0, width: 390 });
    // What is covered takes part in nothing.
    expect(await ada.thread.evaluate((thread) => thread.closest('[inert]') !== null)).toBe(true);
    await expectForEveryone(ada, 'the panel on a phone', ['phone']);
    await ada.page.setViewportSize({ width: 390, height: 844 });
    await ada.button(cards.all).click();
    await ada.button(cards.back).click();
    await expect.poll(() => panel.count()).toBe(0);
    await expect.poll(() => field(ada.thread, 'Dish').inputValue()).toBe('Noodles');
    await ada.reload();
    await expect.poll(() => field(ada.thread, 'Dish').inputValue()).toBe('Noodles');
    expect(await panel.count()).toBe(0);
  });

  it('WC-26 two revisions of a card are compared in words, after a reload too', async () => {
    const { bot, ada } = await start(withAxe);
    const { cards, conversations } = ada.words;
    const { conversationId } = ada;
    const lines = ['Buy milk', 'Call Bob', 'Water the plants', 'Read', 'Sleep', 'Dream'];
    const say = (...changed: string[]) => [{ tag: 'text', text: [...lines, ...changed].join('\n') }] as const;
    const { artifact_id: id } = await bot.agent.sendArtifact(conversationId, {
      subtype: 'status',
      title: 'To do',
      blocks: [...say('Cook')],
    });
    await bot.agent.updateArtifact(conversationId, id, { blocks: [...say('Bake')] });
    await bot.agent.updateArtifact(conversationId, id, { blocks: [...say('Bake\u202e', 'Wash')] });
    await ada.thread.getByText(fill(conversations.revision, { count: 3 }), { exact: true }).waitFor();
    await ada.reload();
    await ada.button(fill(cards.openLabel, { title: 'To do' })).click();
    const panel = panelOf(ada);
    await panel.getByText(fill(cards.changes_other, { count: 3 }), { exact: true }).waitFor();
    await ada.sees(panel.locator('ins').filter({ hasText: 'Bake[U+202E]' }));
    await ada.sees(panel.locator('ins').filter({ hasText: 'Wash' }));
    await ada.sees(panel.getByText(fill(cards.skipped_other, { count: 5 }), { exact: true }));
    await field(panel, cards.older).selectOption('1');
    await panel.locator('del').filter({ hasText: 'Cook' }).waitFor();
    await field(panel, cards.newer).selectOption('1');
    await panel.getByText(cards.same, { exact: true }).waitFor();
    await field(panel, cards.newer).selectOption('3');
    await panel.locator('del').filter({ hasText: 'Cook' }).waitFor();
    await expectForEveryone(ada, 'revisions compared', ['desktop']);
  });
});
