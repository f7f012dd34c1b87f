import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { EXAMPLE as SKILL } from '../../src/screens/skills/example.ts';
import { addAuthenticator, useWorld } from './harness/index.ts';

/** One to type into, on a page or behind a click there. */
interface Place {
  readonly path: string;
  readonly reach?: () => Promise<void>;
  readonly field: Locator;
  readonly text: string;
  readonly send: () => Promise<void>;
  /** What is in the field when it was sent, after a reload. */
  readonly then: unknown;
}

describe('WC-1 what a person typed', () => {
  // Passkeys are made for a name, and a number is none.
  const world = useWorld(() => ({ publicUrl: 'http://localhost:0' }));

  it('WC-1 a message that was not sent yet is still there in its own conversation, after a reload too', async () => {
    const [bot, other] = [await world.bot({ name: 'Helper' }), await world.bot({ name: 'Other' })];
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const first = ada.conversationId;
    const box = ada.page.getByRole('textbox', { name: ada.words.conversations.write, exact: true });
    await box.fill('Half a thought');
    await ada.addAgent(other.agentId, other.name);
    expect(await box.inputValue()).toBe('');
    await ada.go(`c/${first}`);
    await expect.poll(() => box.inputValue()).toBe('Half a thought');
    await ada.reload();
    await expect.poll(() => box.inputValue()).toBe('Half a thought');
    await ada.say('A whole thought');
    await expect.poll(() => box.inputValue()).toBe('');
    await expect.poll(() => ada.thread.getByText(ada.words.conversations.sending, { exact: true }).count()).toBe(0);
    await ada.reload();
    await ada.thread.getByText('A whole thought', { exact: true }).waitFor();
    expect(await box.inputValue()).toBe('');
  });

  it('WC-1 the tab asks before it closes, as long as what was typed is not written', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const { page, words } = ada;
    const box = page.getByRole('textbox', { name: words.conversations.write, exact: true });
    // The store encrypts what it writes.
    await page.evaluate(() => {
      const { encrypt } = SubtleCrypto.prototype;
      const held = new Promise<void>((release) => Object.assign(globalThis, { release }));
      SubtleCrypto.prototype.encrypt = async function (this: SubtleCrypto, ...args: Parameters<typeof encrypt>) {
        await held;
        return encrypt.apply(this, args);
      };
    });
    await box.click();
    await box.fill('Half a thought');
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.dismiss();
      }),
    );
    await page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    expect(await box.inputValue()).toBe('Half a thought');
    await page.evaluate(() => (globalThis as unknown as { release: () => void }).release());
    await ada.reload();
    await expect.poll(() => box.inputValue()).toBe('Half a thought');
  });

  it('WC-1 names, addresses and links are there again after a reload, until they are sent or saved', async () => {
    const bob = await world.signUpStranger({ name: 'Bob' });
    const ada = await world.arrive({ at: world.server.platform.config.publicUrl });
    await ada.signUp();
    await addAuthenticator(ada);
    const { page, words } = ada;
    const { agents, conversations, developer, settings, skills } = words;
    const login = async ({ credentials }: typeof ada) =>
      (await world.server.call('POST', '/auth/login', { body: credentials })).body;
    const { access_token: token } = await login(ada);
    const { user_id: bobsId } = await login(bob);
    const post = async (path: string, body: object) => {
      const reply = await world.server.call('POST', path, { token, body });
      expect(reply.status).toBe(201);
      return reply.body;
    };
    const agent = { name: 'Mine', description: '', visibility: 'public' };
    const { agent_id: agentId } = await post('/agents', agent);
    await post('/skill-namespaces', { namespace: 'org.kept' });
    await post('/skills', { ...SKILL, id: 'org.kept.x', access: 'private' });

    const field = (name: string) => page.getByLabel(name, { exact: true });
    const click = (name: string) => () => ada.button(name).click();
    const inDialog = (name: string) => ada.prompt.getByRole('button', { name, exact: true }).click();
    const places: readonly Place[] = [
      {
        path: 'agents',
        field: field(agents.link),
        text: `parley://agent/${agentId}`,
        send: async () => {
          await ada.button(agents.open).click();
          await page.getByRole('heading', { name: 'Mine', exact: true }).waitFor();
        },
        then: '',
      },
      {
        path: 'skills/org.kept.x#people',
        field: field(skills.peopleAdd),
        text: bobsId,
        send: async () => {
          await ada.button(skills.allow).click();
          await page.getByText(bobsId, { exact: true }).waitFor();
        },
        then: '',
      },
      {
        path: 'skills#namespaces',
        field: field(skills.nsName),
        text: 'org.kept.more',
        send: async () => {
          await ada.button(skills.nsClaim).click();
          await page.getByText('org.kept.more', { exact: true }).waitFor();
        },
        then: '',
      },
      {
        path: '',
        reach: async () => {
          await ada.button(conversations.start).click();
          await page.getByRole('tab', { name: conversations.newGroup, exact: true }).click();
        },
        field: field(conversations.groupName),
        text: 'Summer in the mountains',
        send: async () => {
          await ada.button(conversations.create).click();
          await page.getByRole('heading', { name: 'Summer in the mountains', exact: true }).waitFor();
        },
        then: '',
      },
      {
        path: `developer/${agentId}#webhook`,
        field: field(developer.url),
        text: 'http://127.0.0.1:9/agents/mine/events',
        send: async () => {
          await ada.button(developer.urlSave).click();
          await ada.button(words.parts.secretKept).click();
          await page.getByText(developer.outcome.untried, { exact: true }).waitFor();
        },
        then: 'http://127.0.0.1:9/agents/mine/events',
      },
      {
        path: 'settings',
        field: field(settings.passkeys.name),
        text: 'The laptop on the kitchen table',
        send: async () => {
          await ada.button(settings.passkeys.add).click();
          await page.getByText(settings.passkeys.never, { exact: true }).waitFor();
        },
        then: expect.stringMatching(/^Chrom/),
      },
      {
        path: 'settings',
        field: field(settings.profile.name),
        text: 'Ada Lovelace',
        send: async () => {
          await ada.button(settings.profile.save).click();
          await expect.poll(() => ada.button(words.parts.unsaved.discard).count()).toBe(0);
        },
        then: 'Ada Lovelace',
      },
      {
        path: 'settings',
        reach: click(settings.profile.changeEmail),
        field: field(settings.profile.newEmail),
        text: `${crypto.randomUUID()}@new.example`,
        send: async () => {
          await field(settings.profile.password).fill(ada.credentials.account_password);
          await inDialog(settings.profile.change);
          await ada.prompt.waitFor({ state: 'detached' });
        },
        then: '',
      },
    ];
    const reach = async ({ path, reach: open, field: wanted }: Place) => {
      await ada.go(path);
      await open?.();
      await ada.sees(wanted);
    };
    const leave = async ({ reach: open }: Place) => {
      if (open !== undefined) await page.keyboard.press('Escape');
    };
    for (const place of places) {
      await reach(place);
      await place.field.fill(place.text);
      await leave(place);
    }
    await ada.reload();
    await ada.sees(field(settings.profile.name));
    for (const place of places) {
      await reach(place);
      expect(await place.field.inputValue()).toBe(place.text);
      await place.send();
    }
    await ada.reload();
    for (const place of places) {
      await reach(place);
      await expect.poll(() => place.field.inputValue()).toEqual(place.then);
      await leave(place);
    }
  });
});
