import { like } from './person.mjs';

let bot;

/** The first minutes, with the agent that comes with the server. */
export async function take(stage, locale, scene) {
  bot ??= await stage.builtInBot();
  const person = await (await stage.arrive(locale)).signUp();
  const { page, words } = person;
  const { first } = words.conversations;
  await page.getByRole('heading', { name: like(first.demo, { name: 'DemoBot' }) }).waitFor();
  await person.shoot('03-first-steps');
  await person.shoot('03-first-steps-whole', true);
  await scene(`03-recovery-secret, ${locale}`, async () => {
    await person.button(first.secretShow).click();
    await page.getByTestId('recovery-secret').waitFor();
    await person.shoot('03-recovery-secret');
    await person.escape();
  });
  await scene(`03-add-demo-bot, ${locale}`, async () => {
    await page.getByRole('button', { name: first.try.web }).first().click();
    await person.button(like(words.agents.add, { name: 'DemoBot' })).waitFor();
    await person.shoot('03-add-demo-bot');
    await person.shoot('03-add-demo-bot-whole', true);
  });
  await scene(`03-nothing-said, ${locale}`, async () => {
    await person.addAgent(bot, false);
    await person.shoot('03-nothing-said');
  });
  await person.close();
}
