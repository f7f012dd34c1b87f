import { beforeAll, describe, expect, it } from 'vitest';
import { type Bot, expectForEveryone, fill, type Person, useWorld, WEB_SCOPE, withAxe } from './harness/index.ts';

interface Asked {
  asked: number;
  answer: NotificationPermission;
  shown: string[];
}

/** A browser that was not asked yet for notifications, and answers what the test says. */
const withUnasked = async (context: Person['context']) => {
  await context.addInitScript(() => {
    const state: Asked = { asked: 0, answer: 'granted', shown: [] };
    class Notification {
      static permission: NotificationPermission = 'default';
      static async requestPermission() {
        state.asked++;
        Notification.permission = state.answer;
        return state.answer;
      }
      constructor(title: string) {
        state.shown.push(title);
      }
      close() {}
    }
    Object.assign(globalThis, { Notification, state });
  });
};
const state = ({ page }: Person): Promise<Asked> =>
  page.evaluate(() => structuredClone((globalThis as unknown as { state: Asked }).state));

const LOCATION_SCOPE = 'Read your location';

describe('WC-43, WC-45 the first minutes', () => {
  const world = useWorld();
  let bot: Bot;
  beforeAll(async () => {
    bot = await world.builtInDemoBot();
    // Someone else’s, which came later and so would be found first.
    await world.bot({ name: 'DemoBot', description: 'a trap' });
  });

  const arrive = async (options: Parameters<typeof world.signUp>[0] = {}) => {
    const ada = await world.signUpStranger({ prepare: withUnasked, ...options });
    const { first } = ada.words.conversations;
    const steps = ada.page.getByRole('region', { name: first.title, exact: true });
    await ada.sees(steps.getByRole('heading', { name: fill(first.demo, { name: 'DemoBot' }), exact: true }));
    const idea = (text: string) => steps.getByRole('button', { name: new RegExp(`^“${text.replaceAll('?', '\\?')}”`) });
    return { ada, first, steps, idea };
  };
  const add = (ada: Person) => ada.button(fill(ada.words.agents.add, { name: 'DemoBot' })).click();

  it('WC-43 the recovery secret is asked for in one place of each screen: in the first steps, else in the bar', async () => {
    const { ada, first, steps } = await arrive();
    const { page, words } = ada;
    const bar = page.getByRole('region', { name: words.shell.recovery.title, exact: true });
    const step = steps.getByRole('button', { name: first.secretShow, exact: true });
    const places = async () => [await step.count(), await bar.count()];
    await expect.poll(places).toEqual([1, 0]);
    await ada.go('settings');
    await expect.poll(places).toEqual([0, 1]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await places()).toEqual([0, 1]);
    await ada.go('');
    await expect.poll(places).toEqual([1, 0]);
    await ada.addAgent(bot.agentId, 'DemoBot');
    await expect.poll(places).toEqual([0, 1]);
    await ada.go('');
    await expect.poll(places).toEqual([1, 0]);
    await steps.getByRole('button', { name: first.hide, exact: true }).click();
    await expect.poll(places).toEqual([0, 1]);
  });

  it('WC-43 the recovery secret is asked for first, and where it was saved nobody asks again', async () => {
    const { ada, first, steps } = await arrive();
    await steps.getByRole('button', { name: first.secretShow, exact: true }).click();
    await ada.page.getByTestId('recovery-secret').waitFor();
    const { recovery } = ada.words.shell;
    await ada.page.getByRole('checkbox', { name: recovery.kept, exact: true }).check();
    await ada.prompt.getByRole('button', { name: recovery.done, exact: true }).click();
    await steps.getByText(first.secretSaved, { exact: true }).waitFor();
    await expect.poll(() => ada.button(recovery.show).count()).toBe(0);
    await ada.reload();
    await steps.getByRole('heading', { name: fill(first.demo, { name: 'DemoBot' }), exact: true }).waitFor();
    expect(await steps.getByRole('button', { name: first.secretShow, exact: true }).count()).toBe(0);
    await steps.getByRole('button', { name: first.hide, exact: true }).click();
    await ada.page.getByText(ada.words.conversations.choose, { exact: true }).waitFor();
    await ada.reload();
    await ada.page.getByText(ada.words.conversations.choose, { exact: true }).waitFor();
  });

  it('WC-43 a page is read: the consent says what to switch on, the message is sent, and the answer comes', async () => {
    const { ada, first, idea } = await arrive();
    const { page } = ada;
    // There is no internet here; everything up to the server's answer is real.
    await page.route('**/proxy/fetch', (route) =>
      route.fulfill({ json: { status_code: 200, headers: {}, body: '<h1>Example Domain</h1>', truncated: false } }),
    );
    await idea(first.try.web).click();
    await page
      .getByText(fill(first.switchOnAndAdd, { text: first.try.web, scope: WEB_SCOPE, name: 'DemoBot' }), {
        exact: true,
      })
      .waitFor();
    expect(new URL(page.url()).pathname).toContain(bot.agentId);
    await page.getByRole('switch', { name: WEB_SCOPE, exact: true }).click();
    await add(ada);
    await ada.prompt.waitFor();
    await ada.answer('allow');
    await ada.thread.getByText(/https:\/\/example\.com \(200\): Example Domain/).waitFor();

    // The second time it is one click.
    await ada.go('');
    await idea(first.try.web).click();
    await expect.poll(() => ada.thread.getByText(/\(200\): Example Domain/).count()).toBe(2);
  });

  it('WC-45 a notification is shown: what it is for comes first, then the browser asks, then it works', async () => {
    const { ada, first, idea } = await arrive();
    const { settings } = ada.words;
    await idea(first.try.notification).click();
    await ada.prompt.getByText(settings.notifications.lead, { exact: true }).waitFor();
    expect((await state(ada)).asked).toBe(0);
    await ada.prompt.getByRole('button', { name: settings.notifications.enable, exact: true }).click();
    await ada.page
      .getByText(fill(first.addOnly, { text: first.try.notification, name: 'DemoBot' }), { exact: true })
      .waitFor();
    await add(ada);
    await ada.thread.getByText('Done.', { exact: true }).waitFor();
    expect(await state(ada)).toEqual({ asked: 1, answer: 'granted', shown: ['drink water'] });
  });

  it('WC-43 a browser where only the service worker may show notifications shows it as well', async () => {
    const { ada, first, idea } = await arrive({
      prepare: async (context) => {
        await withUnasked(context);
        await context.addInitScript(() => {
          const { state } = globalThis as unknown as { state: Asked };
          class Forbidden {
            static permission = 'granted';
            constructor() {
              throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.');
            }
          }
          const getRegistration = async () => ({
            addEventListener() {},
            showNotification: async (title: string) => void state.shown.push(title),
          });
          Object.assign(globalThis, { Notification: Forbidden });
          Object.defineProperty(navigator, 'serviceWorker', { value: { getRegistration, register: getRegistration } });
        });
      },
    });
    await idea(first.try.notification).click();
    await add(ada);
    await ada.thread.getByText('Done.', { exact: true }).waitFor();
    expect((await state(ada)).shown).toEqual(['drink water']);
  });

  it('WC-43 where one is: asked each time, and offered in the conversation as well', async () => {
    const { ada, first } = await arrive({
      geolocation: { latitude: 31.2304, longitude: 121.4737 },
      permissions: ['geolocation'],
    });
    const { page } = ada;
    await ada.addAgent(bot.agentId, 'DemoBot');
    const idea = page.getByRole('button', { name: new RegExp(`^“${first.try.location.replace('?', '\\?')}”`) });
    await idea.click();
    await page
      .getByText(fill(first.switchOn, { text: first.try.location, scope: LOCATION_SCOPE }), { exact: true })
      .waitFor();
    await page.getByRole('switch', { name: LOCATION_SCOPE, exact: true }).click();
    await ada.prompt.getByRole('button', { name: ada.words.agents.switching.highConfirm, exact: true }).click();
    await ada.button(first.send).click();
    await ada.prompt.waitFor();
    await ada.answer('allow');
    await ada.thread.getByText(/31\.230, 121\.474/).waitFor();
  });

  it('WC-43 what the browser does not let pages do is not offered: there are three that work, as its settings change', async () => {
    const { ada, first, steps, idea } = await arrive();
    const { page } = ada;
    const ideas = steps.getByRole('button', { name: /^“/ });
    await expect.poll(() => idea(first.try.location).count()).toBe(1);
    // The rest is denied.
    await ada.context.grantPermissions(['notifications']);
    await expect.poll(() => idea(first.try.location).count()).toBe(0);
    expect(await idea(first.try.abilities).count()).toBe(1);
    expect(await ideas.count()).toBe(3);
    await page.evaluate(() => {
      (globalThis as unknown as { Notification: { permission: string } }).Notification.permission = 'denied';
      window.dispatchEvent(new Event('focus'));
    });
    await expect.poll(() => idea(first.try.notification).count()).toBe(0);
    expect(await idea(first.try.otherPage).count()).toBe(1);
    expect(await ideas.count()).toBe(3);
  });

  it('WC-45 the browser is never asked without a click, and where it refuses the page says what to do', async () => {
    const { ada, steps } = await arrive();
    const { page, words } = ada;
    for (const path of ['settings', 'agents', '']) await ada.go(path);
    await ada.sees(steps);
    expect((await state(ada)).asked).toBe(0);
    await page.evaluate(() => {
      (globalThis as unknown as { state: Asked }).state.answer = 'denied';
    });
    await steps.getByRole('button', { name: words.settings.notifications.enable, exact: true }).click();
    await steps.getByText(words.settings.notifications.blockedHow, { exact: true }).waitFor();
    // What is changed in the settings of the browser counts when one comes back.
    await page.evaluate(() => {
      (globalThis as unknown as { Notification: { permission: string } }).Notification.permission = 'granted';
      window.dispatchEvent(new Event('focus'));
    });
    await expect.poll(() => steps.getByText(words.settings.notifications.on, { exact: true }).count()).toBe(1);
  });

  it('WC-43, HS-10 the first steps in Chinese, on a phone too', async () => {
    const { ada, first, idea } = await arrive({
      language: 'zh-CN',
      prepare: async (context) => {
        await withUnasked(context);
        await withAxe.prepare(context);
      },
    });
    await expectForEveryone(ada, 'first steps');
    await ada.page.setViewportSize({ width: 390, height: 844 });
    await idea(first.try.notification).click();
    await ada.prompt.waitFor();
    await expectForEveryone(ada, 'what notifications are for', ['phone']);
    await ada.page.setViewportSize({ width: 390, height: 844 });
    await ada.prompt.getByRole('button', { name: ada.words.settings.notifications.enable, exact: true }).click();
    const addButton = ada.button(fill(ada.words.agents.add, { name: 'DemoBot' }));
    await addButton.waitFor();
    await expectForEveryone(ada, 'what the agent wants', ['phone']);
    await add(ada);
    await ada.thread.getByText('已通知。', { exact: true }).waitFor();
    expect((await state(ada)).shown).toEqual(['喝水']);
  });

  it('WC-46 on a phone, what the agent wants comes before keys and fingerprints, and its maker before both', async () => {
    const { ada } = await arrive({ viewport: { width: 390, height: 844 } });
    const { page, words } = ada;
    await ada.go(`agents/${bot.agentId}`);
    const wants = page.getByRole('heading', { name: words.agents.wants, exact: true });
    await wants.waitFor();
    const top = async (locator: ReturnType<Person['button']>) => (await locator.boundingBox())!.y;
    const order = [
      await top(page.getByText(fill(words.agents.by, { name: 'Parley' }), { exact: true })),
      await top(wants),
      await top(ada.button(fill(words.agents.add, { name: 'DemoBot' }))),
      await top(page.getByRole('heading', { name: words.agents.encryption, exact: true })),
      await top(page.getByText(words.agents.fingerprint, { exact: true })),
    ];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });
});

describe('WC-43 a server without a demo agent', () => {
  const world = useWorld();

  it('WC-43 attack: an agent that calls itself DemoBot is not offered; finding agents is', async () => {
    await world.bot({ name: 'DemoBot', description: 'Comes with this server' });
    const ada = await world.signUpStranger();
    const { first, addAgent } = ada.words.conversations;
    const steps = ada.page.getByRole('region', { name: first.title, exact: true });
    await ada.sees(steps.getByRole('heading', { name: first.find, exact: true }));
    await steps.getByRole('link', { name: addAgent, exact: true }).click();
    await ada.page.getByRole('heading', { name: ada.words.agents.title, exact: true, level: 1 }).waitFor();
  });
});
