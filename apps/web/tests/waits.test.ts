import { BROWSER_LIMIT_MS, shareBrowser } from '@parley/testkit/browser';
import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureBrowser } from '../../../scripts/browser.mjs';
import { Person } from './live/harness/index.ts';

const PAGE = `<!doctype html><meta charset="utf-8"><title>x</title>
<h1>Keys</h1><p id="state">Never used</p><div id="list"></div><div id="box" hidden>Box</div><input>
<button onclick="list.insertAdjacentHTML('beforeend', '<p>Key <b>' + list.children.length + '</b></p>')">Add</button>
<button onclick="state.firstChild.data = 'Used today'">Use</button>
<button onclick="box.hidden = !box.hidden">Turn</button>
<button>Nothing</button>`;
const ORIGIN = 'http://page.test';

describe('HS-18 waits that wait for nothing', () => {
  let browser: Browser;
  let ada: Person;
  beforeAll(async () => {
    browser = await shareBrowser(ensureBrowser()!);
  }, BROWSER_LIMIT_MS);
  afterEach(() => ada.close());

  async function arrive(): Promise<Person> {
    ada = await Person.arrive(browser, ORIGIN, {
      prepare: async (context) => {
        await context.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
      },
    });
    await ada.open();
    await text('Keys').waitFor();
    return ada;
  }
  const text = (words: string) => ada.page.getByText(words, { exact: true });
  const stale = /was there before the action/;

  it('HS-18 what was there before the action is refused, and named', async () => {
    await arrive();
    await ada.button('Nothing').click();
    await expect(text('Never used').waitFor()).rejects.toThrow(stale);
    await expect(ada.page.getByRole('heading').waitFor()).rejects.toThrow("getByRole('heading')");
    await ada.sees(text('Never used'));
  });

  it('HS-18 what the action added, wrote or showed is waited for, as part or as whole', async () => {
    await arrive();
    await ada.button('Add').click();
    await text('Key 0').waitFor();
    await ada.page.locator('b').waitFor();
    await ada.button('Add').click();
    await expect(text('Key 0').waitFor()).rejects.toThrow(stale);
    await text('Key 1').waitFor();
    await ada.button('Use').click();
    await text('Used today').waitFor();
    await ada.button('Turn').click();
    await text('Box').waitFor();
    await ada.page.locator('body').waitFor();
  });

  it('HS-18 keys and typing are actions, another address and another document too', async () => {
    await arrive();
    await ada.page.keyboard.press('Tab');
    await expect(text('Never used').waitFor()).rejects.toThrow(stale);
    await ada.reload();
    await text('Keys').waitFor();
    await ada.page.getByRole('textbox').fill('x');
    await expect(text('Never used').waitFor()).rejects.toThrow(stale);
    await ada.go('elsewhere');
    await expect(text('Never used').waitFor()).rejects.toThrow(stale);
    await ada.reload();
    await text('Never used').waitFor();
  });

  it('HS-18 how fast two steps are does not matter: what came since the wait before them is new', async () => {
    await arrive();
    await ada.button('Add').click();
    await expect.poll(() => text('Key 0').count()).toBe(1);
    await ada.button('Nothing').click();
    await text('Key 0').waitFor();
  });

  it('HS-18 what was taken out between being found and being looked at is not called old', async () => {
    await arrive();
    await ada.button('Add').click();
    const row = text('Key 0');
    await row.waitFor();
    await ada.button('Add').click();
    const second = ada.page.locator('b').nth(1);
    await expect.poll(() => second.count()).toBe(1);
    const { evaluateAll } = second;
    second.evaluateAll = async (ask, key) => {
      const found = await ada.page.evaluateHandle(() => [document.querySelectorAll('b')[1]!]);
      await evaluateAll.call(second, ([element]) => element!.remove());
      return found.evaluate(ask as never, key);
    };
    await second.waitFor();
  });

  it('HS-18 the end of something that nobody saw is refused', async () => {
    await arrive();
    const unseen = /nobody had seen/;
    await expect(text('Box').waitFor({ state: 'hidden' })).rejects.toThrow(unseen);
    await ada.button('Turn').click();
    await text('Box').waitFor();
    await ada.button('Turn').click();
    await text('Box').waitFor({ state: 'hidden' });
    await expect(text('Box').waitFor({ state: 'hidden' })).rejects.toThrow(unseen);
  });
});
