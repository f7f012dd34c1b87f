import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Bot, DEMO_MANIFEST, fill, type Person, useWorld } from './harness/index.ts';

const MANY = 1_000;
const TIMES = 5;
const STREAMING = { ...DEMO_MANIFEST, capability_flags: { supports_streaming: true, supports_artifacts: true } };
/** Twenty pixels high. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAABQAAAAUCAIAAAAC64paAAAAHUlEQVR42mNk+M9ANmBkGNU8qnlU86jmUc2jmslPA5sMASdFzqZCAAAAAElFTkSuQmCC';

/** Messages of every height: lines, code, tables, cards, pictures. */
async function sendMany({ agent }: Bot, conversationId: string, { from = 0, count }: { from?: number; count: number }) {
  for (let n = from; n < from + count; n++) {
    const kind = n % 10;
    if (kind === 3)
      await agent.sendArtifact(conversationId, {
        subtype: 'status',
        title: `Card ${n}`,
        blocks: [{ tag: 'text', text: `Step **${n}**\n\n${'- more\n'.repeat(n % 7)}` }],
      });
    else if (kind === 7)
      await agent.send(conversationId, {
        type: 'image',
        name: `picture-${n}.png`,
        mime_type: 'image/png',
        data: PICTURE,
        caption: `Picture ${n}`,
      });
    else {
      const extra =
        kind === 5 ? `\n\n\`\`\`js\n${'let a;\n'.repeat(n % 20)}\`\`\`` : kind === 8 ? '\n\n|a|b|\n|-|-|\n|1|2|' : '';
      await agent.send(conversationId, { type: 'text', text: `Message ${n}: ${'word '.repeat((n * 7) % 90)}${extra}` });
    }
  }
}

/** How far a message is below the upper edge, and above the lower one; undefined while it is not drawn. */
async function placeOf(ada: Person, shown: Locator) {
  const box = await ada.thread.boundingBox();
  const [one] = await shown.all();
  const row = await one?.boundingBox();
  if (!box || !row) return undefined;
  return { fromTop: row.y - box.y, fromBottom: box.y + box.height - row.y - row.height };
}
const isInView = async (ada: Person, shown: Locator) => {
  const place = await placeOf(ada, shown);
  return place !== undefined && place.fromTop >= -1 && place.fromBottom >= -1;
};
const fromEnd = (ada: Person) =>
  ada.thread.evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
    Math.round(scrollHeight - scrollTop - clientHeight),
  );

/** The first message of which all is in view, and how far below the upper edge it is. */
const firstInView = (ada: Person) =>
  ada.thread.evaluate((box) => {
    const edge = box.getBoundingClientRect().top;
    const below = [...box.querySelectorAll('article')].map((one) => ({
      text: one.textContent,
      top: one.getBoundingClientRect().top - edge,
    }));
    return below.find(({ top }) => top >= 0)!;
  });

describe('WC-33, WC-34, WC-35 long conversations', () => {
  const world = useWorld();

  it('WC-33 a thousand new messages open at the first, or at the end, five times of five', async () => {
    const bot = await world.bot({ manifest: STREAMING });
    const ada = await world.signUp();
    const { page, words } = ada;
    const { thread, unread_other } = words.conversations;
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId } = ada;
    await ada.say('Tell me everything');
    await ada.thread.getByText('Tell me everything', { exact: true }).waitFor();
    await expect.poll(() => ada.thread.getByText(words.conversations.sending, { exact: true }).count()).toBe(0);
    await ada.go('');
    await sendMany(bot, conversationId, { count: MANY });
    await page.getByText(fill(unread_other, { count: MANY }), { exact: true }).waitFor();

    const line = ada.thread.getByText(thread.new, { exact: true });
    const first = ada.thread.getByText(/^Message 0:/);
    const card = ada.thread.getByRole('heading', { name: 'Card 3', exact: true });
    for (let time = 0; time < TIMES; time++) {
      await (time % 2 === 0 ? ada.go(`c/${conversationId}`) : ada.reload());
      await expect.poll(() => isInView(ada, line)).toBe(true);
      // By now what is below it has its real height, and it is where it was.
      await expect.poll(() => isInView(ada, card)).toBe(true);
      expect(await isInView(ada, first)).toBe(true);
      if (time % 2 === 1) await ada.go('');
    }

    // The server is told when the disk knows: whoever loads the page before that begins at the first one again.
    const told = page.waitForResponse(`**/conversations/${conversationId}/read`);
    await page.getByRole('button', { name: /^\d+ new messages$/ }).click();
    await told;
    const last = ada.thread.getByText(new RegExp(`^Message ${MANY - 1}:`));
    for (let time = 0; time < TIMES; time++) {
      await expect.poll(() => isInView(ada, last)).toBe(true);
      await expect.poll(() => fromEnd(ada)).toBeLessThanOrEqual(1);
      await expect.poll(() => page.getByText(fill(unread_other, { count: MANY }), { exact: true }).count()).toBe(0);
      if (time % 2 === 0) await ada.reload();
      else {
        await ada.go('settings');
        await page.getByRole('heading', { level: 1, name: words.settings.title, exact: true }).waitFor();
        await ada.go(`c/${conversationId}`);
      }
    }
  });

  it('WC-33 whoever comes back is where they were, from any other page', async () => {
    const [bot, other] = [await world.bot(), await world.bot({ name: 'Other' })];
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.addAgent(other.agentId, other.name);
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId } = ada;
    await sendMany(bot, conversationId, { count: 60 });
    await ada.thread.getByText(/^Message 59:/).waitFor();
    await expect.poll(() => fromEnd(ada)).toBeLessThanOrEqual(1);
    await ada.thread.hover();
    await page.mouse.wheel(0, -2_000);
    await expect.poll(() => fromEnd(ada)).toBeGreaterThan(1_500);

    const { settings, list } = {
      settings: page.getByRole('link', { name: words.shell.nav.settings, exact: true }),
      list: page.getByRole('list').getByRole('link'),
    };
    const title = (name: string) => page.getByRole('heading', { name, exact: true });
    const visits = [
      async () => {
        await settings.click();
        await title(words.settings.title).waitFor();
        await page.goBack();
      },
      async () => {
        await settings.click();
        await title(words.settings.title).waitFor();
        await page.getByRole('link', { name: words.shell.nav.conversations, exact: true }).click();
        await list.filter({ hasText: bot.name }).click();
      },
      async () => {
        await list.filter({ hasText: 'Other' }).click();
        await title('Other').waitFor();
        await list.filter({ hasText: bot.name }).click();
      },
    ];
    for (const visit of visits) {
      const { text, top } = await firstInView(ada);
      await visit();
      await expect.poll(async () => (await firstInView(ada).catch(() => undefined))?.text).toBe(text);
      await expect.poll(async () => Math.abs((await firstInView(ada)).top - top)).toBeLessThanOrEqual(2);
    }
  });

  it('WC-33 high messages are not read by being taken for low ones', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId } = ada;
    await ada.go('settings');
    const text = 'word '.repeat(600);
    for (let n = 0; n < 6; n++) await bot.agent.send(conversationId, { type: 'text', text: `Message ${n}: ${text}` });
    for (let time = 0; time < 3; time++) {
      await ada.go('');
      await ada.sees(page.getByText(fill(words.conversations.unread_other, { count: 6 }), { exact: true }));
      await ada.go(`c/${conversationId}`);
      await expect
        .poll(() => isInView(ada, ada.thread.getByText(words.conversations.thread.new, { exact: true })))
        .toBe(true);
    }
  });

  it('WC-33 what comes while nobody looks at the page is read when they do', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.addAgent(bot.agentId, bot.name);
    const look = (state: 'hidden' | 'visible') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await look('hidden');
    await bot.agent.send(ada.conversationId, { type: 'text', text: 'Are you there?' });
    await ada.thread.getByText('Are you there?', { exact: true }).waitFor();
    const badge = page.getByText(fill(words.conversations.unread_one, { count: 1 }), { exact: true });
    await badge.waitFor({ state: 'attached' });
    await look('visible');
    await badge.waitFor({ state: 'detached' });
  });

  it('WC-34 a fast stream is followed to its end; who scrolls up stays there and sees how much is new', async () => {
    const bot = await world.bot({ manifest: STREAMING });
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId } = ada;
    await sendMany(bot, conversationId, { count: 40 });
    const line = (n: number) => `Line ${n}: ${'word '.repeat(40)}\n\n`;
    const stream = await bot.agent.stream(conversationId);
    for (let n = 0; n < 60; n++) await stream.write(line(n));
    await ada.thread.getByText(/Line 59:/).waitFor();
    await expect.poll(() => fromEnd(ada)).toBeLessThanOrEqual(1);

    // Drawn anew after each event of scrolling.
    const live = () => ada.thread.getAttribute('aria-live');
    await expect.poll(live).toBe('polite');
    await ada.thread.hover();
    await page.mouse.wheel(0, -1_500);
    await expect.poll(() => fromEnd(ada)).toBeGreaterThan(1_000);
    // A screen reader hears of what comes, and not of what is drawn because one scrolls.
    await expect.poll(live).toBe('off');
    const news = page.getByRole('status').filter({ hasText: words.conversations.thread.below_other.split('}}')[1]! });
    await ada.button(words.conversations.latest).waitFor();
    // Not how far it is scrolled: what is above may get another height meanwhile.
    const text = ada.thread.getByRole('article').filter({ hasText: 'Line 0:' });
    const topOf = async () => (await placeOf(ada, text))?.fromTop ?? Number.NaN;
    const before = await topOf();
    for (let n = 60; n < 90; n++) await stream.write(line(n));
    await stream.done();
    for (const text of ['And one more', 'And another']) await bot.agent.send(conversationId, { type: 'text', text });
    const button = ada.button(fill(words.conversations.thread.below_other, { count: 2 }));
    await button.waitFor();
    expect(await news.textContent()).toBe(fill(words.conversations.thread.below_other, { count: 2 }));
    expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(2);
    await button.click();
    await expect.poll(() => isInView(ada, ada.thread.getByText('And another', { exact: true }))).toBe(true);
    await expect.poll(() => button.count()).toBe(0);
    await expect.poll(() => news.count()).toBe(0);
    await expect.poll(live).toBe('polite');
    // What one says oneself is always seen.
    await ada.thread.hover();
    await page.mouse.wheel(0, -1_500);
    await expect.poll(() => fromEnd(ada)).toBeGreaterThan(1_000);
    await ada.say('Thanks');
    await expect.poll(() => isInView(ada, ada.thread.getByText('Thanks', { exact: true }))).toBe(true);
  });

  it('WC-34 whoever has scrolled up keeps what they read, whatever gets another height above it', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    const { page } = ada;
    await ada.addAgent(bot.agentId, bot.name);
    await sendMany(bot, ada.conversationId, { count: 60 });
    await ada.thread.getByText(/^Message 59:/).waitFor();
    await ada.thread.hover();

    /** While the page still scrolls: what is drawn above, and what is half above, becomes higher; then it is quiet. */
    const scrollAndGrow = async (dy: number) => {
      const grown = await ada.thread.evaluateHandle((box) => {
        const frame = () => new Promise(requestAnimationFrame);
        const grow = async () => {
          await new Promise((resolve) => box.addEventListener('scroll', resolve, { once: true }));
          // Wherever the wheel leads, it has come to rest.
          for (let before = Number.NaN; before !== box.scrollTop; await frame()) before = box.scrollTop;
          const edge = box.getBoundingClientRect().top;
          const articles = [...box.querySelectorAll('article')];
          const shown = articles.find((article) => article.getBoundingClientRect().top >= edge)!;
          const topOf = () => shown.getBoundingClientRect().top - edge;
          const before = topOf();
          const above = articles.slice(0, articles.indexOf(shown));
          for (const article of above)
            article.style.paddingTop = `${20 + Number.parseInt(article.style.paddingTop || '0', 10)}px`;
          for (let n = 0; n < 5; n++) await frame();
          return { above: above.length, moved: topOf() - before };
        };
        return { done: grow() };
      });
      await page.mouse.wheel(0, dy);
      return grown.evaluate(({ done }) => done);
    };
    for (const dy of [-1_500, -300, -30, 200]) {
      const { above, moved } = await scrollAndGrow(dy);
      expect(above).toBeGreaterThan(1);
      expect(Math.abs(moved), `after ${dy}`).toBeLessThanOrEqual(2);
    }
  });

  it('WC-34 whoever has scrolled up stays there when the window gets another size, and by the keys as well', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    const { page } = ada;
    await ada.addAgent(bot.agentId, bot.name);
    await sendMany(bot, ada.conversationId, { count: 60 });
    await ada.thread.getByText(/^Message 59:/).waitFor();
    await expect.poll(() => fromEnd(ada)).toBeLessThanOrEqual(1);
    await ada.thread.hover();
    await page.mouse.wheel(0, -3_000);
    await expect.poll(() => fromEnd(ada)).toBeGreaterThan(2_000);
    // So that a message begins at the edge: one that is half above it has other lines in view when it gets another width.
    await ada.thread.evaluate((box) => {
      const edge = box.getBoundingClientRect().top;
      const tops = [...box.querySelectorAll('article')].map((one) => one.getBoundingClientRect().top - edge);
      box.scrollBy(0, tops.find((top) => top > 0)!);
    });
    const { text } = await firstInView(ada);
    const first = ada.thread.getByRole('article').filter({ hasText: text });
    for (const [width, height] of [
      [1_200, 420],
      [900, 420],
      [900, 800],
      [390, 800],
      [1_200, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => ada.thread.evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(height);
      await expect
        .poll(async () => Math.abs((await placeOf(ada, first))?.fromTop ?? Number.NaN))
        .toBeLessThanOrEqual(2);
    }

    // One line up from the end is enough.
    await ada.button(ada.words.conversations.latest).click();
    await expect.poll(() => fromEnd(ada)).toBeLessThanOrEqual(1);
    await ada.thread.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => fromEnd(ada)).toBe(40);
    const before = await firstInView(ada);
    await bot.agent.send(ada.conversationId, { type: 'text', text: `The last: ${'word '.repeat(200)}` });
    await ada.button(fill(ada.words.conversations.thread.below_one, { count: 1 })).waitFor();
    const after = await firstInView(ada);
    expect(after.text).toBe(before.text);
    expect(Math.abs(after.top - before.top)).toBeLessThanOrEqual(2);
    // And back to it.
    await page.keyboard.press('End');
    await expect.poll(() => fromEnd(ada)).toBeLessThanOrEqual(1);
    await bot.agent.send(ada.conversationId, { type: 'text', text: 'One more' });
    await expect.poll(() => isInView(ada, ada.thread.getByText('One more', { exact: true }))).toBe(true);
  });

  it('WC-35 a search hit opens at the message: from elsewhere, in the open conversation, and after a reload', async () => {
    const [bot, other] = [await world.bot(), await world.bot({ name: 'Other' })];
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId } = ada;
    await sendMany(bot, conversationId, { count: 60 });
    await bot.agent.send(conversationId, { type: 'text', text: 'The needle is here' });
    await sendMany(bot, conversationId, { from: 61, count: 60 });
    await bot.agent.send(conversationId, { type: 'text', text: 'The last needle' });
    await ada.thread.getByText('The last needle', { exact: true }).waitFor();
    await ada.addAgent(other.agentId, other.name);

    const search = page.getByRole('searchbox', { name: words.conversations.search, exact: true });
    await search.fill('needle');
    const hit = page.getByRole('link').filter({ hasText: 'The needle is here' });
    await hit.click();
    const found = ada.thread.getByRole('article').filter({ hasText: 'The needle is here' });
    await expect.poll(() => isInView(ada, found)).toBe(true);
    await expect.poll(() => found.getAttribute('aria-current')).toBe('true');
    await expect.poll(() => found.evaluate((one) => one === document.activeElement)).toBe(true);
    // Already open, and back to the one before.
    await page.getByRole('link').filter({ hasText: 'The last needle' }).click();
    await expect.poll(() => isInView(ada, ada.thread.getByText('The last needle', { exact: true }))).toBe(true);
    await page.goBack();
    await expect.poll(() => isInView(ada, found)).toBe(true);
    await ada.reload();
    await expect.poll(() => isInView(ada, found)).toBe(true);
    // The same link again, after one has gone on.
    await search.fill('needle');
    await ada.thread.hover();
    await page.mouse.wheel(0, 20_000);
    await expect.poll(() => fromEnd(ada)).toBeLessThanOrEqual(1);
    await hit.click();
    await expect.poll(() => isInView(ada, found)).toBe(true);
  });
});
