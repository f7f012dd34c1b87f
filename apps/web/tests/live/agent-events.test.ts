import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LINES_TYPE } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_MANIFEST, fill, type Person, useWorld } from './harness/index.ts';

describe('HS-12, HS-10 a developer watches an agent', () => {
  const world = useWorld();
  let receiver: Server;
  let hook: string;
  beforeAll(async () => {
    receiver = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => receiver.close());

  async function create(person: Person) {
    const { body: session } = await world.server.call('POST', '/auth/login', { body: person.credentials });
    const token = session.access_token as string;
    const created = await world.server.call('POST', '/agents', { token, body: { name: 'Watched' } });
    const agentId = created.body.agent_id as string;
    const call = (method: string, path: string, body?: object) =>
      world.server.call(method, `/agents/${agentId}${path}`, { token, ...(body ? { body } : {}) });
    return { agentId, call };
  }
  /** What the page asks for, by path. */
  function listen(person: Person): string[] {
    const asked: string[] = [];
    person.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    return asked;
  }

  it('HS-12 what happens appears without a reload and without asking again; it can be filtered, paused and cleared', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const { agentEvents: say } = words;
    const { agentId, call } = await create(ada);
    const asked = listen(ada);
    await ada.go(`developer/${agentId}#events`);
    await page.getByText(say.status.live, { exact: true }).waitFor();
    await page.getByText(say.event.token.created, { exact: true }).waitFor();

    await call('PATCH', '', { capability_manifest: DEMO_MANIFEST });
    await page.getByText(fill(say.event.manifest.pushed, { version: 1 }), { exact: true }).waitFor();
    await call('POST', '/tokens', { overlap_seconds: 60 });
    await page.getByText(say.event.token.rotated, { exact: true }).waitFor();
    const list = page.getByRole('region', { name: say.list, exact: true }).getByRole('listitem');
    expect(await list.first().textContent()).toContain(say.event.token.rotated);
    expect(await list.count()).toBe(4);

    await page.getByLabel(say.show, { exact: true }).selectOption('manifest');
    await expect.poll(() => list.count()).toBe(1);
    await page.getByLabel(say.show, { exact: true }).selectOption('');
    await ada.button(say.pause).click();
    // Each is said for five seconds only.
    await page.evaluate(noteWhatIsSaid);
    await call('POST', '/suspend');
    await ada.button(fill(say.resumeNew, { count: 1 })).waitFor();
    expect(await page.getByText(say.event.agent.suspended, { exact: true }).count()).toBe(0);
    await ada.button(fill(say.resumeNew, { count: 1 })).press('Enter');
    await page.getByText(say.event.agent.suspended, { exact: true }).waitFor();
    // Those who do not see the list are told how many there are, not each of them.
    const told = () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
    await expect.poll(told).toContainEqual(expect.stringMatching(/^\d new events?$/));
    await ada.button(say.clear).click();
    await page.getByText(say.none, { exact: true }).waitFor();
    await call('POST', '/resume');
    await page.getByText(say.event.agent.resumed, { exact: true }).waitFor();
    expect(asked.filter((path) => path.endsWith('/events'))).toHaveLength(1);
    expect(asked.filter((path) => path.endsWith('/deliveries'))).toEqual([]);
  });

  it('TR-6 the log of deliveries follows the stream, and is not asked for while nothing happens', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const { agentId, call } = await create(ada);
    await call('PUT', '/webhook', { url: hook });
    const asked = listen(ada);
    const log = () => asked.filter((path) => path.endsWith('/deliveries')).length;
    await ada.go(`developer/${agentId}#webhook`);
    await page.getByText(words.developer.deliveriesNone, { exact: true }).waitFor();
    const before = log();
    await call('POST', '/webhook/test');
    const delivered = page.getByRole('listitem').getByText(words.developer.delivery.delivered, { exact: true });
    await delivered.waitFor();
    expect(log()).toBe(before + 1);
    await page.getByRole('tab', { name: words.developer.tab.events, exact: true }).click();
    await page.getByText(fill(words.agentEvents.event.webhook.delivered, { event: 'ping' }), { exact: true }).waitFor();
  });

  it('HS-12 in Chinese, on a phone, in the dark: the connection is lost and found, taken and taken back; the agent goes', async () => {
    const options = { language: 'zh-CN', viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
    const ada = await world.signUp(options);
    const { page, words } = ada;
    const { agentEvents: say } = words;
    const { agentId, call } = await create(ada);
    await page.route(/\/events$/, (route) => route.abort('connectionrefused'));
    await ada.go(`developer/${agentId}#events`);
    await page.getByText(say.status.waiting, { exact: true }).waitFor();
    await ada.button(say.tryNow).waitFor();
    // It comes back by itself, too.
    await page.unroute(/\/events$/);
    await page.getByText(say.status.live, { exact: true }).waitFor();
    await call('PATCH', '', { capability_manifest: DEMO_MANIFEST });
    await page.getByText(fill(say.event.manifest.pushed, { version: 1 }), { exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

    // Too many others: this one waits to be told, instead of pushing out one of them in turn.
    const { body: session } = await world.server.call('POST', '/auth/login', { body: ada.credentials });
    const headers = { accept: LINES_TYPE, authorization: `Bearer ${session.access_token}` };
    const others = new AbortController();
    const open = () => fetch(`${world.server.url}/agents/${agentId}/events`, { headers, signal: others.signal });
    await Promise.all([1, 2, 3, 4].map(open));
    await page.getByText(say.status.replaced, { exact: true }).waitFor();
    others.abort();
    await ada.button(say.goOn).click();
    await page.getByText(say.status.live, { exact: true }).waitFor();
    expect(await page.getByText(say.event.token.created, { exact: true }).count()).toBe(1);

    await call('DELETE', '');
    await page.getByText(say.status.ended, { exact: true }).waitFor();
  });
});

/** Runs in the page: keeps everything that a screen reader is told. */
function noteWhatIsSaid(): void {
  const said: string[] = [];
  const note = () => said.push(...[...document.querySelectorAll('[role=status]')].map((one) => one.textContent ?? ''));
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  Object.assign(globalThis, { said });
}
