import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ask as askPage, BROWSER_LIMIT_MS, openPages, type Pages } from '@parley/testkit/browser';
import { STORE_CASES } from '@parley/testkit/contracts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainMissing, findBrowser } from '../../../scripts/browser.mjs';
import { createMemoryStore, exportBackup, importBackup } from '../src/index.ts';
import type { Actions } from './browser/page.ts';

const PASSPHRASE = 'correct horse battery staple';
const executable = findBrowser();

if (executable === undefined) {
  it(`EE-10 no browser on this machine: ${explainMissing()}`, () => {
    expect(process.env.CI === 'true' && existsSync('/usr/bin/apt-get')).toBe(false);
  });
} else {
  describe('EE-10 the store in a real browser', { timeout: BROWSER_LIMIT_MS }, () => {
    let pages: Pages;
    let here: Page;
    let there: Page;

    function ask<Name extends keyof Actions>(page: Page, name: Name, ...args: Parameters<Actions[Name]>) {
      return askPage<Actions, Name>(page, name, ...args);
    }

    beforeAll(async () => {
      pages = await openPages(executable, fileURLToPath(new URL('browser/page.ts', import.meta.url)));
      [here, there] = [await pages.openTab(), await pages.openTab()];
    }, 2 * BROWSER_LIMIT_MS);

    afterAll(() => pages?.close());

    it('EE-7 keeps the contract of every store', async () => {
      const outcomes = await ask(here, 'runCases');
      expect(outcomes).toEqual(Object.fromEntries(STORE_CASES.map(({ title }) => [title, 'kept'])));
    });

    it('EE-10 a script that looks into the database: no value is readable, and the key cannot be taken out', async () => {
      expect(await ask(here, 'open', 'secret', 'fail')).toBe('open');
      expect(await ask(here, 'write', 'secret', 'own/identity', 'the private key')).toBe('written');
      const { extractable, exported, texts } = await ask(here, 'lookInside', 'secret');
      expect({ extractable, exported }).toEqual({ extractable: false, exported: 'InvalidAccessError' });
      expect(texts).toHaveLength(1);
      expect(texts[0]).not.toContain('private');
      await ask(here, 'close', 'secret');
    });

    it('EE-10 exchanged values: one that was sealed for another key is refused', async () => {
      await ask(here, 'open', 'swap', 'fail');
      await ask(here, 'write', 'swap', 'pin/1', 'one');
      await ask(here, 'write', 'swap', 'pin/2', 'two');
      await ask(here, 'close', 'swap');
      await ask(here, 'exchange', 'swap', 'pin/1', 'pin/2');
      expect(await ask(here, 'open', 'swap', 'fail')).toBe('! STORE_DAMAGED');
    });

    it('EE-7 two tabs: the second is refused, or waits until the first is closed', async () => {
      expect(await ask(here, 'open', 'tabs', 'fail')).toBe('open');
      expect(await ask(there, 'open', 'tabs', 'fail')).toBe('! STORE_BUSY');
      const waiting = ask(there, 'open', 'tabs', 'wait');
      await ask(here, 'write', 'tabs', 'a', '1');
      await ask(here, 'close', 'tabs');
      expect(await waiting).toBe('open');
      expect(await ask(there, 'get', 'tabs', 'a')).toBe('1');
      await ask(there, 'close', 'tabs');
    });

    it('EE-7 stolen by another tab: the first writes nothing more', async () => {
      await ask(here, 'open', 'steal', 'fail');
      await ask(here, 'write', 'steal', 'a', '1');
      expect(await ask(there, 'open', 'steal', 'steal')).toBe('open');
      // At once, and not only when it writes.
      await expect.poll(() => ask(here, 'lost')).toEqual(['steal']);
      expect(await ask(here, 'write', 'steal', 'a', '2')).toBe('! STORE_LOST');
      expect(await ask(there, 'write', 'steal', 'b', '3')).toBe('written');
      expect([await ask(there, 'get', 'steal', 'a'), await ask(there, 'get', 'steal', 'b')]).toEqual(['1', '3']);
      await ask(there, 'close', 'steal');
      expect([await ask(here, 'lost'), await ask(there, 'lost')]).toEqual([['steal'], []]);
    });

    it('EE-7 a tab that is closed without a word leaves everything, and the store free', async () => {
      const tab = await pages.openTab();
      await ask(tab, 'open', 'dies', 'fail');
      await ask(tab, 'write', 'dies', 'a', '1');
      await tab.close();
      expect(await ask(here, 'open', 'dies', 'wait')).toBe('open');
      expect(await ask(here, 'get', 'dies', 'a')).toBe('1');
    });

    it('EE-10 a backup made in the browser is read in Node, and the other way round', async () => {
      await ask(here, 'open', 'backup', 'fail');
      await ask(here, 'write', 'backup', 'own/identity', '你好');
      const store = createMemoryStore();
      await importBackup(await ask(here, 'exportBackup', 'backup', PASSPHRASE), PASSPHRASE, store);
      expect(await store.list('')).toEqual([['own/identity', '你好']]);
      const text = await exportBackup(store, PASSPHRASE);
      expect(await ask(here, 'importBackup', text, PASSPHRASE)).toEqual([['own/identity', '你好']]);
      expect(await ask(here, 'importBackup', text, 'another passphrase')).toBe('! BACKUP_REFUSED');
    });
  });
}
