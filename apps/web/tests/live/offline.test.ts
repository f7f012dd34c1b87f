import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCutProxy, startTestServer } from '@parley/testkit/live';
import { describe, expect, it } from 'vitest';
import { ensureSite, expectForEveryone, useWorld, withAxe } from './harness/index.ts';

describe('HS-11 installed', () => {
  const world = useWorld();

  it('HS-11 opens without a network what the device holds, and says when a new version is there', async () => {
    const webRoot = await ensureSite();
    const first = await startTestServer({ webRoot });
    const proxy = await startCutProxy(first.url);
    const ada = await world.arrive({ ...withAxe, serviceWorkers: 'allow', at: proxy.url });
    await ada.signUp();
    const { page, words } = ada;
    await ada.button(words.conversations.start).click();
    await page.getByRole('tab', { name: words.conversations.newGroup, exact: true }).click();
    await page.getByLabel(words.conversations.groupName, { exact: true }).fill('Notes to myself');
    await ada.button(words.conversations.create).click();
    await ada.say('written with a network');
    await ada.thread.getByText('written with a network', { exact: true }).waitFor();
    await expect.poll(() => page.getByText(words.conversations.sending, { exact: true }).count()).toBe(0);

    // Only files of the site are kept.
    const kept = await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      const [name] = await caches.keys();
      return (await (await caches.open(name!)).keys()).map(({ url }) => new URL(url).pathname);
    });
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.filter((path) => !path.startsWith('/app/'))).toEqual([]);

    const { databaseUrl, tokenSecret, storageSecret } = first.config;
    await first.close();
    await page.reload();
    await ada.thread.getByText('written with a network', { exact: true }).waitFor();
    await page.getByText(words.shell.offline, { exact: true }).waitFor();
    await ada.say('written without one');
    const unsent = ada.thread.getByRole('article').filter({ hasText: /written without one/ });
    await unsent
      .getByText(words.conversations.failed, { exact: true })
      .or(unsent.getByText(words.conversations.sending, { exact: true }))
      .waitFor();
    await expectForEveryone(ada, 'offline');
    await ada.go('audit');
    await page.getByText(words.audit.none, { exact: true }).waitFor();

    // The same server with newer pages.
    const newer = mkdtempSync(join(tmpdir(), 'parley-site-'));
    cpSync(webRoot, newer, { recursive: true });
    const worker = join(newer, 'sw.js');
    writeFileSync(worker, readFileSync(worker, 'utf8').replace(/"version":"\w+"/, '"version":"newer"'));
    const second = await startTestServer({ webRoot: newer, databaseUrl, tokenSecret, storageSecret });
    proxy.lead(second.url);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByText(words.shell.update, { exact: true }).waitFor();
    await expectForEveryone(ada, 'a new version');
    await ada.button(words.shell.reload).click();
    await page.getByText(words.shell.update, { exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['parley-site-newer']);
    // Before its server goes, and with it all that it could still complain about.
    await ada.close();
    await proxy.close();
    await second.drop();
    rmSync(newer, { recursive: true, force: true });
    ada.forgive(/WebSocket connection|ERR_CONNECTION|Failed to fetch|Failed to load/);
  });

  it('HS-11 says enough about itself to be installed', async () => {
    const { body } = await world.server.call('GET', '/app/manifest.webmanifest');
    const manifest = typeof body === 'string' ? JSON.parse(body) : body;
    expect(manifest).toMatchObject({ start_url: '/app/', scope: '/app/', display: 'standalone' });
    for (const { src, type } of manifest.icons) {
      const reply = await fetch(world.server.url + src);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    }
  });
});
