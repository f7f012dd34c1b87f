import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE } from '../../src/screens/skills/example.ts';
import { fill, type Person, useWorld } from './harness/index.ts';

const PASSWORD = 'correct horse battery';
const KEY = 'sk-typed-into-the-form';
const EVIL = '<img src=x onerror=alert(1)>\u202eskill';

describe('SD-8, SI-1, SI-2 skills in a browser', () => {
  const world = useWorld();
  let provider: Server;
  let url: string;
  const calls: { key: unknown; body: { inputs: unknown } }[] = [];
  beforeAll(async () => {
    provider = createServer(async (request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.method === 'GET') {
        const body = { execution_id: 'e-1', status: 'completed', output: { text: '<b>bonjour</b>' } };
        return response.end(JSON.stringify(body));
      }
      calls.push({ key: request.headers['x-api-key'], body: JSON.parse(await read(request)) });
      return response.writeHead(202).end(JSON.stringify({ execution_id: 'e-1', status: 'accepted' }));
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  });
  const sites: Server[] = [];
  afterAll(() => {
    for (const site of [provider, ...sites]) {
      site.closeAllConnections();
      site.close();
    }
  });

  /** A provider that answers only what the test tells it to, when it does; whoever asks before waits. */
  function provide() {
    type Answer = readonly [status: number, body: object, headers?: Record<string, string>];
    const cancelled: string[] = [];
    // Apart: who asked for a status and left must not take the answer to the next invocation.
    const invoked = createQueue<Answer>();
    const asked = createQueue<Answer>();
    const site = createServer(async (request, response) => {
      const [, place, id = ''] = (request.url ?? '').split('/');
      if (place === 'cancel') cancelled.push(id);
      const [status, body, headers] =
        place === 'cancel' ? [200, {}] : await (place === 'invoke' ? invoked : asked).take();
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    });
    sites.push(site);
    return {
      cancelled,
      answer: (...answer: Answer) => invoked.put(answer),
      tell: (body: object) => asked.put([200, body]),
      async endpoint() {
        await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
        const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
        return { endpoint: { url: `${base}/invoke`, status_url: `${base}/status` } };
      },
    };
  }

  function createQueue<T>() {
    const there: T[] = [];
    const waiting: ((one: T) => void)[] = [];
    return {
      put(one: T) {
        const take = waiting.shift();
        if (take === undefined) there.push(one);
        else take(one);
      },
      take: async () => there.shift() ?? new Promise<T>((resolve) => waiting.push(resolve)),
    };
  }

  async function read(request: IncomingMessage): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    return Buffer.concat(parts).toString();
  }

  async function tokenOf(person: Person): Promise<{ token: string; id: string }> {
    const body = { email: person.email, account_password: PASSWORD };
    const { body: session } = await world.server.call('POST', '/auth/login', { body });
    const { body: me } = await world.server.call('GET', '/auth/me', { token: session.access_token });
    return { token: session.access_token, id: me.user_id };
  }
  async function publish(person: Person, namespace: string, changes: object): Promise<string> {
    const { token } = await tokenOf(person);
    await world.server.call('POST', '/skill-namespaces', { token, body: { namespace } });
    const endpoint = { url, status_url: `${url}/status`, result_url: `${url}/result` };
    const body = { ...EXAMPLE, id: `${namespace}.x`, endpoint, ...changes };
    expect(await world.server.call('POST', '/skills', { token, body })).toMatchObject({ status: 201 });
    return body.id;
  }

  it('SI-1, SI-2 the form is made of the inputs; the key goes to the provider and stays nowhere', async () => {
    const ada = await world.signUp({ language: 'zh-CN' });
    const { page, words } = ada;
    const id = await publish(ada, 'org.trial', { name: EVIL });
    await ada.go(`skills/${id}#try`);
    await page.getByRole('heading', { name: /^<img src=x onerror=alert\(1\)>\[U\+202E\]skill/ }).waitFor();
    await ada.button(words.skills.run).click();
    await page.getByText(words.skills.needed, { exact: true }).waitFor();
    expect(calls).toEqual([]);

    await page.getByLabel(/^text/).fill('hello');
    await page.getByLabel(/^to$/).selectOption({ label: 'fr' });
    await page.getByLabel(fill(words.skills.apiKey, { header: 'X-API-Key' }), { exact: true }).fill(KEY);
    await ada.button(words.skills.run).click();
    await page.getByRole('heading', { name: words.skills.result, exact: true }).waitFor();
    await page.getByText('<b>bonjour</b>', { exact: true }).waitFor();
    const completed = fill(words.skills.event.state, { status: words.skills.state.completed });
    await page.getByText(new RegExp(`${completed}$`)).waitFor();
    expect(calls).toMatchObject([{ key: KEY, body: { inputs: { text: 'hello', to: 'fr' } } }]);
    expect(await page.locator('main img, main script, main b').count()).toBe(0);
    expect(page.url()).not.toContain(KEY);
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(KEY);

    // Examples name the secret, and do not hold it.
    await page.getByRole('tab', { name: words.skills.inside.call, exact: true }).click();
    await page.getByText(/\$SKILL_SECRET/).waitFor();
    expect(await page.locator('main').textContent()).not.toContain(KEY);
  });

  it('SI-1, SI-3 progress is shown while it runs: waits, retries, messages, then the result', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const evil = '<img src=x onerror=alert(1)>\u202ehalf of it';
    const script = provide();
    const id = await publish(ada, 'org.live', {
      auth: { type: 'none' },
      access: 'public',
      ...(await script.endpoint()),
    });
    await ada.go(`skills/${id}#try`);
    await page.getByLabel(/^text/).fill('hello');
    await ada.button(words.skills.run).click();
    const bar = page.getByRole('progressbar', { name: words.skills.running, exact: true });
    await bar.waitFor();
    expect(await bar.getAttribute('value')).toBeNull();

    // The provider fails once, and says when to come again; the page says so meanwhile.
    script.answer(503, {}, { 'retry-after': '1' });
    const failed = { attempt: 1, max: 3, code: 'ENDPOINT_UNREACHABLE' };
    await page.getByText(fill(words.skills.retrying, failed), { exact: true }).waitFor();
    script.answer(202, { execution_id: 'e-2', status: 'accepted' });
    script.tell({ execution_id: 'e-2', status: 'running', progress: 50, message: evil });
    const status = page.getByRole('status').filter({ hasText: words.skills.state.running });
    await status.getByText('<img src=x onerror=alert(1)>[U+202E]half of it', { exact: true }).waitFor();
    await expect.poll(() => bar.getAttribute('value')).toBe('0.5');
    await page
      .getByText(fill(words.skills.percent, { percent: 50 }), { exact: true })
      .first()
      .waitFor();
    expect(await page.getByRole('heading', { name: words.skills.result, exact: true }).count()).toBe(0);
    expect(await page.locator('main img').count()).toBe(0);

    script.tell({ execution_id: 'e-2', status: 'completed', output: { text: 'bonjour' } });
    await page.getByRole('heading', { name: words.skills.result, exact: true }).waitFor();
    await page.getByText('bonjour', { exact: true }).waitFor();
    await expect.poll(() => bar.count()).toBe(0);
  });

  it('SI-1 the button cancels the execution at its provider, and another can be run', async () => {
    const ada = await world.signUp({ language: 'zh-CN' });
    const { page, words } = ada;
    const script = provide();
    const id = await publish(ada, 'org.stop', {
      auth: { type: 'none' },
      access: 'public',
      ...(await script.endpoint()),
    });
    await ada.go(`skills/${id}#try`);
    await page.getByLabel(/^text/).fill('hello');
    for (const execution_id of ['e-1', 'e-2']) {
      await ada.button(words.skills.run).click();
      script.answer(202, { execution_id, status: 'running' });
      await page.getByRole('status').filter({ hasText: words.skills.state.running }).waitFor();
      // By keys alone: they go on where something happens.
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText(new RegExp(`^${fill(words.skills.stopped, { seconds: '[\\d.]+' })}$`)).waitFor();
      await expect.poll(() => script.cancelled).toContain(execution_id);
    }
  });

  it('SD-5, SD-7 a descriptor is written, published in one’s namespace, compared and yanked', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.go('skills#namespaces');
    await page.getByRole('textbox', { name: words.skills.nsName, exact: true }).fill('org.mine');
    await ada.button(words.skills.nsClaim).click();
    await page.getByText('org.mine', { exact: true }).waitFor();
    await page.getByRole('tab', { name: words.skills.tab.publish, exact: true }).click();
    await ada.button(words.parts.startExample).click();
    await page.getByText(words.parts.findingsNone, { exact: true }).waitFor();

    const editor = page.locator('.cm-content').first();
    const write = async (changes: object) => {
      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(JSON.stringify({ ...EXAMPLE, id: 'org.mine.translate', ...changes }));
    };
    await write({ access: 'open' });
    await page.getByText(fill(words.parts.findings_one, { count: 1 }), { exact: true }).waitFor();
    expect(await ada.button(words.skills.publish).isDisabled()).toBe(true);
    await write({ id: 'org.others.translate' });
    await page.getByText(fill(words.skills.outsideNamespace, { names: 'org.mine' }), { exact: true }).waitFor();
    for (const changes of [{}, { version: '2.0.0', inputs: [] }]) {
      await write(changes);
      await ada.button(words.skills.publish).click();
      await page.getByRole('dialog').getByRole('button', { name: words.skills.publish, exact: true }).click();
      const version = 'version' in changes ? '2.0.0' : '1.0.0';
      await page
        .getByText(fill(words.skills.publishDone, { id: 'org.mine.translate', version }), { exact: true })
        .waitFor();
    }
    await page.getByRole('link', { name: words.skills.publishOpen, exact: true }).click();
    await page.getByRole('tab', { name: words.skills.inside.versions, exact: true }).click();
    await page.getByText(words.skills.diffBreaking, { exact: true }).waitFor();
    await ada.button(words.skills.yank).first().click();
    await page.getByRole('dialog').getByRole('button', { name: words.skills.yank, exact: true }).click();
    await ada.button(words.skills.unyank).waitFor();
    // A page with dots in its address can be loaded anew.
    await ada.reload();
    await page.getByRole('tab', { name: words.skills.inside.versions, selected: true, exact: true }).waitFor();
  });

  it('SD-8 a private skill is there for whom its owner allows, and gone when that is taken back', async () => {
    const ada = await world.signUp();
    const id = await publish(ada, 'org.private', { access: 'private', name: 'Hidden' });
    const bob = await world.signUp({ name: 'Bob' });
    await bob.go(`skills/${id}`);
    await bob.page.getByRole('alert').waitFor();
    bob.forgive(/404/);

    const { page, words } = ada;
    await ada.go(`skills/${id}#people`);
    await page.getByLabel(words.skills.peopleAdd, { exact: true }).fill((await tokenOf(bob)).id);
    await ada.button(words.skills.allow).click();
    await page.getByText('Bob', { exact: true }).waitFor();
    await bob.reload();
    await bob.page.getByRole('heading', { name: /^Hidden/ }).waitFor();
    expect(await bob.page.getByRole('tab', { name: words.skills.inside.people, exact: true }).count()).toBe(0);

    await ada.button(words.skills.revoke).click();
    await page.getByRole('dialog').getByRole('button', { name: words.skills.revoke, exact: true }).click();
    await page.getByText(words.skills.peopleNone, { exact: true }).waitFor();
    await bob.reload();
    await bob.page.getByRole('alert').waitFor();
    bob.forgive(/404/);
  });
});
