import { describe, expect, it } from 'vitest';
import { type Bot, fill, type Person, useWorld } from './harness/index.ts';

const LOCATION = 'Read your location';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1';

const ask = (bot: Bot, conversationId: string) =>
  expect(bot.agent.callTool(conversationId, 'read_location', {})).rejects.toMatchObject({ reason: 'user_refused' });
const liftOf = (person: Person, agent: string) =>
  person.button(fill(person.words.permissions.allowAgainLabel, { tool: 'read_location', agent }));

describe('WC-54 what is always denied', () => {
  const world = useWorld();

  it('WC-54 CG-6 said in one browser, it is listed and kept in the other; lifted there, it is gone in the first', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [LOCATION]);
    const { words, conversationId } = ada;
    const { remembered } = words.permissions;
    const phone = await world.arrive({ email: ada.email, userAgent: PHONE });
    await ada.letIn(phone);
    await phone.go('permissions');
    await phone.button(fill(words.permissions.revokeLabel, { scope: LOCATION, agent: bot.name })).waitFor();
    await phone.page.close();

    await ada.go(`c/${conversationId}`);
    const refused = ask(bot, conversationId);
    await ada.prompt.waitFor();
    await ada.answer('alwaysDeny');
    await refused;
    await ada.go('permissions');
    await liftOf(ada, bot.name).waitFor();
    // Nobody says that it counts where it is not known yet.
    const names = /“[^”]+”/;
    const [before, after] = remembered.unconfirmed_one.split('{{names}}') as [string, string];
    const waiting = ada.page.getByText(new RegExp(`^${before}${names.source}${after.replaceAll('.', '\\.')}$`));
    await ada.sees(waiting);

    await phone.reopen('permissions');
    await liftOf(phone, bot.name).waitFor();
    await expect.poll(() => waiting.count()).toBe(0);
    await ada.page.close();
    // It is this browser alone that answers now, and it asks nobody.
    await ask(bot, conversationId);
    expect(await phone.prompt.count()).toBe(0);

    await ada.reopen('permissions');
    await liftOf(ada, bot.name).waitFor();
    await liftOf(phone, bot.name).click();
    const done = fill(remembered.denialLifted, { tool: 'read_location', agent: bot.name });
    const undo = phone.button(fill(words.parts.undo.label, { what: done }));
    // Under the pointer its five seconds stand still (WC-50): the other browser may take longer.
    await undo.hover();
    await expect.poll(() => liftOf(ada, bot.name).count()).toBe(0);
    await undo.click();
    await liftOf(ada, bot.name).waitFor();
    await ada.sees(liftOf(phone, bot.name));
    await liftOf(ada, bot.name).click();
    await expect.poll(() => liftOf(phone, bot.name).count()).toBe(0);
    const asked = ask(bot, conversationId);
    await phone.prompt.waitFor();
    await phone.answer('deny');
    await asked;
  });
});
