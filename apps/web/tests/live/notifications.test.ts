import { describe, expect, it } from 'vitest';
import { fill, type Person, useWorld, WEB_SCOPE } from './harness/index.ts';

interface Shown {
  readonly title: string;
  readonly options: { readonly tag: string };
  closed: boolean;
}

/** A browser without a screen shows none, so the page meets a stand-in that writes down what it is asked for. */
const withNotifications = (permission: NotificationPermission) => ({
  prepare: async (context: Person['context']) => {
    await context.addInitScript((given) => {
      const shown: (Shown & { onclick?: () => void })[] = [];
      const state = { hidden: false };
      Object.assign(globalThis, { shown, tab: state });
      Object.defineProperty(document, 'visibilityState', { get: () => (state.hidden ? 'hidden' : 'visible') });
      class Notification {
        static permission = given;
        readonly title: string;
        readonly options: Shown['options'];
        closed = false;
        onclick?: () => void;
        constructor(title: string, options: Shown['options']) {
          this.title = title;
          this.options = options;
          shown.push(this);
        }
        close() {
          this.closed = true;
        }
      }
      Object.assign(globalThis, { Notification });
    }, permission);
  },
});

const setHidden = ({ page }: Person, hidden: boolean) =>
  page.evaluate((value) => {
    (globalThis as unknown as { tab: { hidden: boolean } }).tab.hidden = value;
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
const shownTo = ({ page }: Person): Promise<Shown[]> =>
  page.evaluate(() =>
    (globalThis as unknown as { shown: Shown[] }).shown.map(({ title, options, closed }) => ({
      title,
      options,
      closed,
    })),
  );
const click = ({ page }: Person) =>
  page.evaluate(() => (globalThis as unknown as { shown: { onclick(): void }[] }).shown.at(-1)!.onclick());
const focusedRole = ({ page }: Person) => page.evaluate(() => document.activeElement?.getAttribute('role'));

const EVIL = '<b>Bank</b>\u202eknaB';
const SECRET = 'http://127.0.0.1:9/?pin=4711';

describe('CG-10 notifications', () => {
  const world = useWorld();

  it('CG-10 a hidden tab says who asks, in harmless letters, and nothing of what; a click leads to the question', async () => {
    const bot = await world.bot();
    // The server takes no such name; one that wants to deceive would.
    await world.server.platform.db.updateTable('agents').set({ name: EVIL }).where('id', '=', bot.agentId).execute();
    const ada = await world.signUp(withNotifications('granted'));
    await ada.go(`agents/${bot.agentId}`);
    await ada.page.getByRole('switch', { name: WEB_SCOPE, exact: true }).click();
    await ada.button(fill(ada.words.agents.add, { name: '<b>Bank</b>[U+202E]knaB' })).click();
    await ada.page.getByRole('textbox', { name: ada.words.conversations.write, exact: true }).focus();
    const { conversationId, page, words } = ada;
    const call = () =>
      bot.agent.callTool(conversationId, 'fetch_url', { url: SECRET }, { timeoutMs: 300_000 }).catch(() => {});

    // In front of someone's eyes the question is enough.
    const seen = call();
    await ada.prompt.waitFor();
    await ada.answer('deny');
    await seen;
    expect(await shownTo(ada)).toEqual([]);

    await setHidden(ada, true);
    const unseen = call();
    await expect.poll(async () => (await shownTo(ada)).length).toBe(1);
    const [notice] = await shownTo(ada);
    expect(notice).toMatchObject({
      title: fill(words.conversations.prompt.notification, { agent: '<b>Bank</b>[U+202E]knaB' }),
      closed: false,
    });
    expect(Object.keys(notice!.options)).toEqual(['tag']);
    expect(JSON.stringify(notice)).not.toMatch(/4711|fetch/);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await click(ada);
    await setHidden(ada, false);
    await expect.poll(() => focusedRole(ada)).toBe('dialog');
    await expect.poll(async () => (await shownTo(ada))[0]!.closed).toBe(true);
    await ada.answer('deny');
    await unseen;

    // What is withdrawn elsewhere takes its notification along, and the next one in the queue gets its own.
    await setHidden(ada, true);
    const first = call();
    await expect.poll(async () => (await shownTo(ada)).length).toBe(2);
    const second = call();
    await ada.place(1, 2).waitFor();
    expect(await shownTo(ada)).toHaveLength(2);
    // Nobody answers what is hidden (WC-10): someone looks, answers, and is gone again with the same click.
    await setHidden(ada, false);
    await ada.answerable();
    await page.evaluate(() => {
      const leave = () => Object.assign((globalThis as unknown as { tab: object }).tab, { hidden: true });
      addEventListener('click', leave, { capture: true, once: true });
    });
    await ada.answer('deny');
    await first;
    await expect.poll(async () => (await shownTo(ada)).map(({ closed }) => closed)).toEqual([true, true, false]);
    await setHidden(ada, false);
    await ada.answer('deny');
    await second;
    await expect.poll(async () => (await shownTo(ada)).at(-1)!.closed).toBe(true);
  });

  it('CG-11 answered on another device, it is gone here; refused by the browser, there is none', async () => {
    const bot = await world.bot();
    const ada = await world.signUp(withNotifications('granted'));
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId, words } = ada;
    const phone = await world.arrive({ ...withNotifications('denied'), email: ada.email });
    await ada.letIn(phone);
    await phone.go(`c/${conversationId}`);
    await phone.page.getByRole('textbox', { name: words.conversations.write, exact: true }).waitFor();

    await Promise.all([setHidden(ada, true), setHidden(phone, true)]);
    const answered = bot.agent.callTool(conversationId, 'fetch_url', { url: `${world.server.url}/health` });
    await phone.prompt.waitFor();
    await expect.poll(async () => (await shownTo(ada)).map(({ closed }) => closed)).toEqual([false]);
    await setHidden(phone, false);
    await phone.answer('allow');
    await answered;
    await expect.poll(async () => (await shownTo(ada)).map(({ closed }) => closed)).toEqual([true]);
    expect(await shownTo(phone)).toEqual([]);
    await phone.go('settings');
    await phone.page.getByText(words.settings.notifications.blocked, { exact: true }).waitFor();
  });
});
