import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PRESET_SCOPES } from '@parley/documents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, type Locale, useWorld } from './harness/index.ts';

const SAY = {
  en: {
    page: (url: string) => `what is on ${url}`,
    where: 'where am I',
    left: 'All right, I’ll leave it.',
    unanswered: 'I got no answer, so I left it. Ask me again any time.',
  },
  'zh-CN': {
    page: (url: string) => `${url} 上写了什么`,
    where: '我在哪里',
    left: '好的，那就不做了。',
    unanswered: '没有收到您的答复，所以我没有继续。您可以随时再问我。',
  },
} as const;
const TO = {
  en: (origin: string) => `requests to ${origin}`,
  'zh-CN': (origin: string) => `发往 ${origin} 的请求`,
} as const;
const NETWORK = { en: 'Open web addresses', 'zh-CN': '访问网址' } as const;

describe('CG-10, CG-6, CG-12, CG-15 the film: consent, a decision, a refusal, silence, the record', () => {
  const world = useWorld();
  const sites: Server[] = [];
  let url: string;
  let other: string;

  async function serve(handle: RequestListener): Promise<string> {
    const site = createServer(handle);
    sites.push(site);
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  }

  beforeAll(async () => {
    other = await serve((_, response) => response.end('<p>Closed on Mondays</p>'));
    const site = await serve((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: `${other}/new` }).end();
      else response.setHeader('content-type', 'text/html').end('<title>x</title><p>Opening hours: nine to five</p>');
    });
    url = `${site}/hours`;
  });
  afterAll(() => {
    for (const site of sites) site.close();
  });

  it.each<Locale>(['en', 'zh-CN'])('CG-10, CM-17 in %s', async (language) => {
    const bot = await world.demoBot({ name: `DemoBot ${language}` });
    const ada = await world.signUp({ language });
    const { page, words } = ada;

    // Found by its name; the consent says who made it, what asks and what stays silent.
    await page.getByRole('link', { name: words.shell.nav.agents, exact: true }).first().click();
    await page.getByRole('searchbox', { name: words.agents.searchLabel, exact: true }).fill(bot.name);
    await page.getByRole('link', { name: new RegExp(bot.name) }).click();
    await page.getByRole('heading', { name: bot.name, exact: true }).waitFor();
    await expect.poll(() => page.getByRole('switch').count()).toBe(3);
    expect(await page.getByText(fill(words.agents.by, { name: 'Maker' }), { exact: true }).isVisible()).toBe(true);
    const location = page.getByRole('switch').first();
    const network = page.getByRole('switch', { name: NETWORK[language], exact: true });
    const on = await page.getByRole('switch').evaluateAll((all) => all.map((one) => one.getAttribute('aria-checked')));
    expect(on).toEqual(['false', 'false', 'true']);
    await location.click();
    await network.click();
    await ada.button(fill(words.agents.add, { name: bot.name })).click();

    // Asked, allowed, done.
    await ada.say(SAY[language].page(url));
    await ada.prompt.getByText(url, { exact: true }).first().waitFor();
    expect(await ada.prompt.getByText(NETWORK[language], { exact: true }).isVisible()).toBe(true);
    await ada.answer('allow');
    await ada.thread.getByText(/Opening hours: nine to five$/).waitFor();
    expect(await ada.thread.getByText(words.conversations.call.ok, { exact: true }).isVisible()).toBe(true);

    // Another host, another question; meanwhile the call waits.
    await ada.say(SAY[language].page(url.replace('/hours', '/moved')));
    const leadsOn = fill(words.conversations.prompt.leadsOn, { edge: TO[language](other) });
    await ada.prompt.getByText(leadsOn, { exact: true }).waitFor();
    expect(await ada.prompt.getByText(TO[language](other), { exact: true }).isVisible()).toBe(true);
    await ada.answer('allow');
    await ada.thread.getByText(/Closed on Mondays$/).waitFor();

    // Both hosts are silent now, as far as was said and no further.
    await page.getByRole('link', { name: words.shell.nav.permissions, exact: true }).first().click();
    for (const host of [new URL(url).origin, other]) {
      const params = { tool: 'fetch_url', agent: bot.name, covers: TO[language](host) };
      await ada.sees(ada.button(fill(words.permissions.askLabel, params)));
    }
    await page.goBack();

    // Refused.
    await ada.say(SAY[language].where);
    await ada.prompt.waitFor();
    await ada.answer('deny');
    await ada.thread.getByText(SAY[language].left, { exact: true }).waitFor();

    // Left to run out.
    await page.clock.install();
    await ada.say(SAY[language].where);
    await ada.prompt.getByRole('timer').waitFor();
    await page.clock.fastForward(31_000);
    await ada.prompt.waitFor({ state: 'detached' });
    await ada.thread.getByText(SAY[language].unanswered, { exact: true }).waitFor();

    // All four are in the log, which verifies.
    await page.getByRole('link', { name: words.shell.nav.audit, exact: true }).first().click();
    const rows = page.locator('ol > li');
    await expect.poll(() => rows.count()).toBe(4);
    expect(await rows.getByText(words.audit.denied, { exact: true }).count()).toBe(2);
    expect(await rows.getByText('fetch_url', { exact: true }).count()).toBe(2);
    for (const label of [NETWORK[language], PRESET_SCOPES.get('location:read')!.label[language]])
      expect(await rows.locator('summary').getByText(label, { exact: true }).count()).toBe(2);
    await ada.button(words.audit.verify).click();
    await page.getByText(fill(words.audit.verified, { count: 4 }), { exact: true }).waitFor();
  });
});
