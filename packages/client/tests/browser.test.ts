import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BROWSER_LIMIT_MS, bundleForBrowser, launchBrowser, type Site, serve } from '@parley/testkit/browser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainMissing, findBrowser } from '../../../scripts/browser.mjs';
import type { Actions } from './browser/page.ts';

const INDEX =
  '<!doctype html><meta charset="utf-8"><title>Parley</title><script type="module" src="/page.js"></script>';
const PLACE = { latitude: 52.52, longitude: 13.4, accuracy: 20 };
const executable = findBrowser();

if (executable === undefined) {
  it(`CG-13 no browser on this machine: ${explainMissing()}`, () => {
    expect(process.env.CI === 'true' && existsSync('/usr/bin/apt-get')).toBe(false);
  });
} else {
  describe('CG-13 executors in a real browser', () => {
    let site: Site;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;

    function ask<Name extends keyof Actions>(
      name: Name,
      ...args: Parameters<Actions[Name]>
    ): Promise<Awaited<ReturnType<Actions[Name]>>> {
      return page.evaluate(
        ([name, args]) => {
          const { actions } = globalThis as unknown as { actions: Record<string, (...args: unknown[]) => unknown> };
          return actions[name]!(...args);
        },
        [name, args] as const,
      ) as never;
    }

    const allow = (...permissions: string[]) => context.grantPermissions(permissions, { origin: site.origin });

    beforeAll(async () => {
      const script = await bundleForBrowser(fileURLToPath(new URL('browser/page.ts', import.meta.url)));
      // What Vite puts in the place of a `node:` module.
      expect(script.moduleIds.filter((id) => id.includes('browser-external'))).toEqual([]);
      site = await serve({ '/index.html': INDEX, '/page.js': script.code });
      browser = await launchBrowser(executable);
      context = await browser.newContext({ geolocation: PLACE });
      page = await context.newPage();
      await page.goto(site.origin, { timeout: BROWSER_LIMIT_MS });
      await page.waitForFunction(() => 'actions' in globalThis);
    }, 2 * BROWSER_LIMIT_MS);

    afterAll(async () => {
      await browser?.close();
      await site?.close();
    });

    it('CG-13 the catalogue is that of Node, as far as it was given what it needs', async () => {
      expect(await ask('list')).toEqual([
        ['send_notification', 'notification:send', 'low'],
        ['read_file', 'filesystem:read', 'medium'],
        ['read_clipboard', 'clipboard:read', 'medium'],
        ['read_location', 'location:read', 'high'],
        ['fetch_url', 'network:http', 'medium'],
        ['fetch_web_page', 'network:http', 'medium'],
      ]);
      expect(await ask('listWithoutOptions')).toEqual(['send_notification', 'read_clipboard', 'read_location']);
    });

    it('CG-13 without the browser’s permission nothing is shown, read or told', async () => {
      await context.clearPermissions();
      expect(await ask('run', 'send_notification', { title: 'x' })).toMatchObject({ code: 'TOOL_UNAVAILABLE' });
      for (const tool of ['read_clipboard', 'read_location']) {
        expect(await ask('run', tool, {})).toMatchObject({ code: 'TOOL_PLATFORM_ERROR' });
      }
    });

    it('CG-13 with it they do their work', async () => {
      await allow('clipboard-read', 'clipboard-write', 'geolocation', 'notifications');
      expect(await ask('run', 'send_notification', { title: 'Hello', body: 'you' })).toEqual({ shown: true });
      expect(await ask('run', 'read_location', {})).toEqual(PLACE);
      await page.bringToFront();
      await ask('copy', 'copied 你好');
      expect(await ask('run', 'read_clipboard', {})).toEqual({ content: 'copied 你好' });
      await ask('copy', 'x'.repeat(64 * 1024));
      expect(await ask('run', 'read_clipboard', {})).toMatchObject({ code: 'TOOL_PLATFORM_ERROR' });
    });

    it('CG-13 the person picks the file, another one, or none', async () => {
      expect(await ask('run', 'read_file', { path: '/etc/passwd' })).toMatchObject({
        message: 'The person chose no file.',
      });
      await ask('pick', [...new TextEncoder().encode('笔记')]);
      expect(await ask('run', 'read_file', { path: 'note' })).toEqual({ content: '笔记', encoding: 'utf-8' });
      await ask('pick', [0xff, 0]);
      expect(await ask('run', 'read_file', { path: 'note' })).toEqual({ content: '/wA=', encoding: 'base64' });
      await ask('pick', new Array(60_000).fill(1));
      expect(await ask('run', 'read_file', { path: 'note' })).toMatchObject({ code: 'TOOL_PLATFORM_ERROR' });
    });

    it('CG-13 pages come through the server’s proxy, and the card says that it sees the address', async () => {
      const url = 'https://example.com/a';
      await ask('asked');
      expect(await ask('run', 'fetch_url', { url })).toEqual({
        body: '<p>page</p>',
        headers: { 'content-type': 'text/html' },
        status_code: 200,
      });
      expect(await ask('asked')).toEqual([{ path: '/proxy/fetch', body: { url, method: 'GET', headers: {} } }]);
      expect(await ask('note', 'fetch_web_page', { url }, 'en')).toContain('example.com');
      expect(await ask('note', 'fetch_web_page', { url }, 'zh-CN')).toContain('服务器会看到网址');
    });

    it('CG-13 header injection and inner addresses: refused, without a word about the network', async () => {
      const refused = await ask('run', 'fetch_url', { url: 'https://a.example', headers: { cookie: 'a' } });
      expect(refused).toMatchObject({ code: 'TOOL_INVALID_ARGUMENTS' });
      expect(await ask('asked')).toEqual([]);
      const inner = await ask('run', 'fetch_url', { url: 'https://inner.example' });
      expect(inner).toMatchObject({ code: 'TOOL_PLATFORM_ERROR' });
      expect(JSON.stringify(inner)).not.toContain('10.0.0.1');
    });
  });
}
