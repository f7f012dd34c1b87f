import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ask as askPage, BROWSER_LIMIT_MS, openPages, type Pages } from '@parley/testkit/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainMissing, findWholeBrowser } from '../../../scripts/browser.mjs';
import type { Actions } from './browser/page.ts';

const PLACE = { latitude: 52.52, longitude: 13.4, accuracy: 20 };
const executable = findWholeBrowser();

if (executable === undefined) {
  it(`CG-13 no browser on this machine: ${explainMissing()}`, () => {
    expect(process.env.CI === 'true' && existsSync('/usr/bin/apt-get')).toBe(false);
  });
} else {
  describe('CG-13 executors in a real browser', { timeout: BROWSER_LIMIT_MS }, () => {
    let pages: Pages;
    let page: Page;

    function ask<Name extends keyof Actions>(name: Name, ...args: Parameters<Actions[Name]>) {
      return askPage<Actions, Name>(page, name, ...args);
    }

    beforeAll(async () => {
      const script = fileURLToPath(new URL('browser/page.ts', import.meta.url));
      pages = await openPages(executable, script, { geolocation: PLACE });
      page = await pages.openTab();
    }, 2 * BROWSER_LIMIT_MS);

    afterAll(() => pages?.close());

    it('CG-13 nothing of Node is in the script', () => {
      // What Vite puts in the place of a `node:` module.
      expect(pages.moduleIds.filter((id) => id.includes('browser-external'))).toEqual([]);
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
      await pages.context.clearPermissions();
      expect(await ask('run', 'send_notification', { title: 'x' })).toMatchObject({ code: 'TOOL_UNAVAILABLE' });
      for (const tool of ['read_clipboard', 'read_location']) {
        expect(await ask('run', tool, {})).toMatchObject({ code: 'TOOL_PLATFORM_ERROR' });
      }
    });

    it('CG-13 with it they do their work', async () => {
      const permissions = ['clipboard-read', 'clipboard-write', 'geolocation', 'notifications'];
      await pages.context.grantPermissions(permissions, { origin: pages.origin });
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
        message: 'The person did not choose a file.',
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

    it('CG-15 a redirect that the server hands back is followed only after the person agrees', async () => {
      await ask('asked');
      const args = { url: 'https://example.com/moved', method: 'POST', body: 'x', headers: { accept: 'text/html' } };
      expect(await ask('run', 'fetch_url', args)).toMatchObject({ body: '<p>page</p>' });
      expect(await ask('entered')).toEqual(['host https://other.example:8443']);
      expect((await ask('asked'))[1]).toEqual({
        path: '/proxy/fetch',
        body: { url: 'https://other.example:8443/a', method: 'GET', headers: { accept: 'text/html' } },
      });
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
