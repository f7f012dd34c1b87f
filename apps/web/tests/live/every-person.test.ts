import { beforeAll, describe, expect, it } from 'vitest';
import { type Bot, DEMO_MANIFEST, type Person, useWorld, WEB_SCOPE } from './harness/index.ts';

const NAME = 'عوزر הבוט';
/** A desktop of 1280 × 800 at 200 %, and at 400 %, which is where nothing may scroll sideways any more (WCAG 1.4.10). */
const ZOOMED = [
  { width: 640, height: 400 },
  { width: 320, height: 256 },
] as const;
const PLACES = ['agents', 'permissions', 'audit', 'contacts', 'developer', 'bundles', 'skills', 'settings'] as const;

describe('WC-82, WC-83, WC-84 everyone’s eyes', () => {
  const world = useWorld();
  let bot: Bot;
  let ada: Person;
  beforeAll(async () => {
    bot = await world.bot({ name: NAME, manifest: DEMO_MANIFEST });
    ada = await world.signUp({ name: 'אדה' });
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
  });

  const widerThanThePage = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

  it('WC-83 at 200 % and 400 % no page scrolls sideways, and each can be read to its end', async () => {
    const { page } = ada;
    const wrong: string[] = [];
    for (const size of ZOOMED) {
      await page.setViewportSize(size);
      for (const path of ['', ...PLACES, `agents/${bot.agentId}`] as const) {
        await show(ada, path);
        if ((await page.evaluate(widerThanThePage)) > 0) wrong.push(`/${path} at ${size.width}`);
      }
    }
    await page.setViewportSize({ width: 1200, height: 800 });
    expect(wrong).toEqual([]);
  });

  it('WC-83 at 200 % and 400 % a question can be read and answered', async () => {
    const { page } = ada;
    const conversations = await openConversation();
    for (const size of ZOOMED) {
      await page.setViewportSize(size);
      const answered = bot.agent.callTool(conversations, 'fetch_url', {
        url: `${world.server.url}/${'x'.repeat(300)}`,
      });
      const refused = expect(answered).rejects.toMatchObject({ reason: 'user_refused' });
      await ada.prompt.waitFor();
      expect(await page.evaluate(widerThanThePage)).toBe(0);
      const buttons = ada.prompt.getByRole('button');
      for (const button of await buttons.all()) {
        await button.scrollIntoViewIfNeeded();
        const box = await button.boundingBox();
        expect(box!.x).toBeGreaterThanOrEqual(0);
        expect(box!.x + box!.width).toBeLessThanOrEqual(size.width);
        expect(box!.y).toBeGreaterThanOrEqual(0);
        expect(box!.y + box!.height).toBeLessThanOrEqual(size.height);
      }
      await ada.answer('deny');
      await refused;
    }
    await page.setViewportSize({ width: 1200, height: 800 });
  });

  it('WC-82 a name from right to left reorders nothing around it', async () => {
    const { page } = ada;
    const mixed: string[] = [];
    for (const path of ['', 'agents', 'permissions', `agents/${bot.agentId}`]) {
      await show(ada, path);
      await expect.poll(() => page.locator('main').getByText(new RegExp(NAME)).count()).toBeGreaterThan(0);
      mixed.push(...(await page.evaluate(findMixed, NAME)).map((text) => `/${path}: ${text}`));
    }
    expect(mixed).toEqual([]);
  });

  it('WC-84 whoever wants less motion gets none', async () => {
    const eve = await world.arrive({ reducedMotion: 'reduce', name: 'Eve' });
    await eve.signUp();
    const { page } = eve;
    const moving: string[] = [];
    for (const path of PLACES) {
      await show(eve, path);
      moving.push(...(await page.evaluate(findMoving)).map((text) => `/${path}: ${text}`));
    }
    await eve.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const answered = bot.agent.callTool(eve.conversationId, 'fetch_url', { url: `${world.server.url}/health` });
    await eve.prompt.waitFor();
    moving.push(...(await page.evaluate(findMoving)));
    await eve.answer('allow');
    await answered;
    expect(moving).toEqual([]);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto');
  });

  /** Until the page is there, with what it asked the server for. */
  async function show(person: Person, path: string): Promise<void> {
    const { page, words } = person;
    await person.go(path);
    const titles = new Map<string, string>(PLACES.map((place) => [place, words[place].title]));
    const title = titles.set('', words.conversations.title).get(path) ?? NAME;
    await person.sees(page.getByRole('heading', { name: title, exact: true }).first());
    await page.waitForLoadState('networkidle');
  }

  async function openConversation(): Promise<string> {
    await ada.go(`agents/${bot.agentId}`);
    await ada.page.getByRole('link', { name: ada.words.agents.talk, exact: true }).click();
    await ada.page.getByRole('textbox', { name: ada.words.conversations.write, exact: true }).waitFor();
    return ada.conversationId;
  }
});

/** Runs in the page: texts in which the name stands beside other words without being kept apart from them. */
function findMixed(name: string): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.textContent ?? '';
    if (!text.includes(name)) continue;
    const isIsolated = text.includes(`\u2068${name}\u2069`);
    const inline = node.parentElement!;
    const isAlone = text.trim() === name && /isolate|plaintext/.test(getComputedStyle(inline).unicodeBidi);
    const fillsItsBlock =
      text.trim() === name && inline.textContent?.trim() === name && getComputedStyle(inline).display !== 'inline';
    if (!isIsolated && !isAlone && !fillsItsBlock) found.push(text);
  }
  return found;
}

/** Runs in the page: what moves, or fades for longer than anyone sees. */
function findMoving(): string[] {
  return document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime ?? 0) > 1)
    .map((animation) => {
      const { target } = animation.effect as KeyframeEffect;
      return `${target?.localName}.${target?.className}`;
    });
}
