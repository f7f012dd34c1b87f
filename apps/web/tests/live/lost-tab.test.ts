import { describe, expect, it } from 'vitest';
import { expectForEveryone, fill, type Person, useWorld, WEB_SCOPE, withAxe } from './harness/index.ts';

/** Another tab of the same browser takes the keys. */
async function takeOver(from: Person): Promise<Person> {
  const tab = await from.openTab();
  await tab.button(tab.words.signIn.useHere).click();
  await tab.atHome();
  return tab;
}

const writing = ({ page, words }: Person) =>
  page.getByRole('textbox', { name: words.conversations.write, exact: true });
const lost = ({ page, words }: Person) =>
  page.getByRole('heading', { level: 1, name: words.signIn.lost.title, exact: true });

/** A browser that is slow to say that the lock is gone: until the test lets it, the page finds out by itself. */
const withDeafTabs = {
  prepare: async (context: Person['context']) => {
    await context.addInitScript(() => {
      // An empty page has none.
      if (!('LockManager' in globalThis)) return;
      const { request } = LockManager.prototype;
      LockManager.prototype.request = async function (this: LockManager, ...args: unknown[]) {
        try {
          return await (request as (...all: unknown[]) => Promise<unknown>).apply(this, args);
        } catch (error) {
          if ((globalThis as { isDeaf?: boolean }).isDeaf) await new Promise(() => {});
          throw error;
        }
      } as typeof request;
    });
  },
};
const deafen = ({ page }: Person) =>
  page.evaluate(() => {
    Object.assign(globalThis, { isDeaf: true });
  });

describe('WC-2 a tab whose keys another tab took', () => {
  const world = useWorld();

  it('WC-2 says so at once and stops: its sockets are closed, what was typed is offered for copying, and comes back', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.arrive(withAxe);
    await ada.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId, words } = ada;
    const closed: string[] = [];
    ada.page.on('websocket', (socket) => socket.on('close', () => closed.push(socket.url())));
    await ada.reload();
    await ada.sees(writing(ada));
    await writing(ada).fill('Half a thought');

    const tab = await takeOver(ada);
    await ada.sees(lost(ada));
    await ada.page.getByText('Half a thought', { exact: true }).waitFor();
    await ada.page.getByRole('heading', { level: 3, name: 'Helper', exact: true }).waitFor();
    await ada.sees(ada.button(words.parts.copy));
    expect(await writing(ada).count()).toBe(0);
    await expect.poll(() => closed.length).toBeGreaterThan(0);
    // Whoever was typing presses no button by it.
    expect(await lost(ada).evaluate((title) => title === document.activeElement)).toBe(true);
    await expectForEveryone(ada, 'a tab that lost its keys');

    await ada.button(words.signIn.lost.use).click();
    await ada.sees(writing(ada));
    await expect.poll(() => writing(ada).inputValue()).toBe('Half a thought');
    expect(ada.conversationId).toBe(conversationId);
    await ada.say('A whole thought');
    await ada.thread.getByText('A whole thought', { exact: true }).waitFor();
    await tab.sees(lost(tab));
  });

  it('WC-63 WC-2 a token that is shown once stays on the screen when another tab takes the keys, until it is saved', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    await ada.go('developer');
    await ada.button(words.developer.create).first().click();
    await page.getByLabel(words.developer.name, { exact: true }).fill('Once');
    await ada.prompt.getByRole('button', { name: words.developer.create, exact: true }).click();
    const secret = page.getByTestId('secret');
    await secret.waitFor();
    const token = await secret.textContent();
    const tab = await takeOver(ada);
    // Hidden from screen readers by the dialog above it.
    await page.getByRole('heading', { name: words.signIn.lost.title, exact: true, includeHidden: true }).waitFor();
    expect(await secret.textContent()).toBe(token);
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.dismiss();
      }),
    );
    await page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    await ada.button(words.parts.secretKept).click();
    await secret.waitFor({ state: 'detached' });
    await ada.sees(lost(ada));
    expect(await tab.page.getByTestId('secret').count()).toBe(0);
  });

  it('WC-2 two tabs take the keys from each other any number of times', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const tab = await takeOver(ada);
    await tab.go(`c/${ada.conversationId}`);
    for (let round = 0; round < 4; round++) {
      for (const [here, there] of [
        [ada, tab],
        [tab, ada],
      ] as const) {
        await here.sees(lost(here));
        await here.button(here.words.signIn.lost.use).click();
        await here.sees(writing(here));
        await there.sees(lost(there));
        await here.say(`${here === ada ? 'first' : 'second'} ${round}`);
        await here.thread.getByText(`${here === ada ? 'first' : 'second'} ${round}`, { exact: true }).waitFor();
        await expect
          .poll(() => here.thread.getByText(here.words.conversations.sending, { exact: true }).count())
          .toBe(0);
      }
    }
    for (let round = 0; round < 4; round++) {
      for (const text of [`first ${round}`, `second ${round}`])
        expect(await tab.thread.getByText(text, { exact: true }).count()).toBe(1);
    }
  });

  it('WC-2 what is typed before the tab knows is kept; a newer draft of the other tab stays beside it', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.arrive(withDeafTabs);
    await ada.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    await deafen(ada);
    const tab = await takeOver(ada);
    await tab.go(`c/${ada.conversationId}`);
    await writing(tab).fill('Typed in the second tab');
    await tab.isKept();

    await writing(ada).fill('Typed in the first tab');
    await ada.sees(lost(ada));
    await ada.page.getByText('Typed in the first tab', { exact: true }).waitFor();
    await ada.button(ada.words.signIn.lost.use).click();
    await ada.sees(writing(ada));
    await expect.poll(() => writing(ada).inputValue()).toBe('Typed in the second tab\n\nTyped in the first tab');
  });

  it('WC-2 what could not be written is shown until its account is back, whoever signs in meanwhile', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.arrive(withDeafTabs);
    await ada.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const { conversationId, words } = ada;
    await deafen(ada);
    const tab = await takeOver(ada);
    await writing(ada).fill('Typed by Ada');
    await ada.sees(lost(ada));
    await tab.go('settings');
    await tab.button(words.settings.accounts.change).click();
    await tab.button(words.signIn.toCreate).click();
    await tab.page.getByLabel(words.signIn.name, { exact: true }).fill('Bea');
    const bea = { email: `${crypto.randomUUID()}@example.org`, account_password: 'correct horse battery' };
    await tab.page.getByLabel(words.signIn.email, { exact: true }).fill(bea.email);
    await tab.page.getByLabel(words.signIn.password, { exact: true }).fill(bea.account_password);
    await tab.button(words.signIn.create).click();
    await tab.atHome();

    await ada.button(words.signIn.lost.use).click();
    const kept = ada.page.getByRole('region', { name: fill(words.signIn.typed.of, { name: 'Ada' }), exact: true });
    await kept.getByRole('button', { name: words.signIn.typed.show, exact: true }).click();
    await ada.prompt.getByText('Typed by Ada', { exact: true }).waitFor();
    await ada.prompt.getByRole('heading', { level: 3, name: 'Helper', exact: true }).waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.prompt.waitFor({ state: 'detached' });
    await ada.go('settings');
    await ada.button(words.settings.accounts.change).click();
    await ada.button(words.signIn.submit).waitFor();
    await ada.sees(kept);
    await ada.enterCredentials();
    await ada.button(words.signIn.submit).click();
    await kept.waitFor({ state: 'detached' });
    await ada.go(`c/${conversationId}`);
    await expect.poll(() => writing(ada).inputValue()).toBe('Typed by Ada');
  });

  it('WC-2 a form that both tabs have filled: neither is lost, and what is not in its place is offered until thrown away', async () => {
    const ada = await world.arrive({
      prepare: async (context) => {
        await withAxe.prepare(context);
        await withDeafTabs.prepare(context);
      },
    });
    await ada.signUp();
    const { words } = ada;
    const nameOf = ({ page }: Person) => page.getByLabel(words.developer.name, { exact: true });
    const begin = async (person: Person) => {
      await person.go('developer');
      await person.button(words.developer.create).first().click();
      await nameOf(person).waitFor();
    };
    await begin(ada);
    await deafen(ada);
    const tab = await takeOver(ada);
    await begin(tab);
    await nameOf(tab).fill('Typed in the second tab');
    await tab.isKept();
    await nameOf(ada).fill('Typed in the first tab');
    await ada.sees(lost(ada));
    await ada.page.getByRole('heading', { level: 3, name: words.signIn.typed.agent, exact: true }).waitFor();
    await ada.page.getByText(/Typed in the first tab/).waitFor();

    await ada.button(words.signIn.lost.use).click();
    await ada.sees(ada.button(words.developer.create).first());
    await ada.button(words.developer.create).first().click();
    await expect.poll(() => nameOf(ada).inputValue()).toBe('Typed in the second tab');
    await ada.page.keyboard.press('Escape');
    const other = ada.page.getByRole('region', { name: words.signIn.typed.other, exact: true });
    await ada.sees(other);
    // On disk, too.
    await ada.reload();
    await other.getByRole('button', { name: words.signIn.typed.show, exact: true }).click();
    await ada.prompt.getByText(/Typed in the first tab/).waitFor();
    await expectForEveryone(ada, 'what could not be put back');
    await ada.prompt.getByRole('button', { name: words.signIn.typed.drop, exact: true }).click();
    await other.waitFor({ state: 'detached' });
    await ada.reload();
    await ada.sees(ada.button(words.developer.create).first());
    expect(await other.count()).toBe(0);
  });

  it('WC-2 a message that was sent before the tab knew does not vanish: it is a draft again', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.arrive(withDeafTabs);
    await ada.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    await writing(ada).fill('Is anyone there?');
    await ada.reload();
    await ada.sees(writing(ada));
    await expect.poll(() => writing(ada).inputValue()).toBe('Is anyone there?');
    await deafen(ada);
    const tab = await takeOver(ada);
    await writing(ada).press('Enter');
    await ada.sees(lost(ada));
    await ada.page.getByText('Is anyone there?', { exact: true }).waitFor();
    await ada.button(ada.words.signIn.lost.use).click();
    await ada.sees(writing(ada));
    await expect.poll(() => writing(ada).inputValue()).toBe('Is anyone there?');
    await writing(ada).press('Enter');
    await ada.thread.getByText('Is anyone there?', { exact: true }).waitFor();
    await tab.sees(lost(tab));
  });

  it('WC-2 attack: “Take back” in a tab that lost its keys pretends nothing, and no question is answered there', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.arrive(withDeafTabs);
    await ada.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId, words } = ada;
    // It is answered in another tab, which has to open first.
    const url = `${world.server.url}/health`;
    const call = bot.agent.callTool(conversationId, 'fetch_url', { url }, { timeoutMs: 300_000 });
    await ada.prompt.waitFor();
    const tab = await takeOver(ada);
    await tab.prompt.waitFor();
    // It hears of it: the question is gone with everything else.
    await ada.sees(lost(ada));
    expect(await ada.prompt.count()).toBe(0);
    await tab.answer('allow');
    await expect(call).resolves.toBeDefined();

    await deafen(tab);
    await tab.go('permissions');
    const revoke = fill(words.permissions.revokeLabel, { scope: WEB_SCOPE, agent: bot.name });
    await tab.sees(tab.button(revoke));
    await ada.button(words.signIn.lost.use).click();
    await ada.sees(writing(ada));
    await tab.button(revoke).click();
    await tab.sees(lost(tab));
    expect(await tab.button(revoke).count()).toBe(0);
    await ada.go('permissions');
    await ada.sees(ada.button(revoke));
  });
});
