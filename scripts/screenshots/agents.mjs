import { like } from './person.mjs';

/** What an agent wants, what it was given, and what it changed. */
export async function take(stage, locale, scene) {
  const bot = await stage.bot('DemoBot');
  const other = await stage.bot('Travel desk');
  const person = await (await (await stage.arrive(locale)).signUp()).saveSecret();
  const { page, words, dialog } = person;
  await scene(`08-consent, ${locale}`, async () => {
    await person.go(`agents/${other.agentId}`);
    await person.shoot('08-consent');
    await person.shoot('08-consent-whole', true);
  });
  const id = await person.addAgent(bot);
  const answered = bot.agent.callTool(id, 'fetch_url', { url: `${stage.pageUrl}/hours` });
  await dialog.waitFor();
  await person.answer(words.conversations.prompt.allowDay);
  await answered;
  const refused = bot.agent.callTool(id, 'read_location').catch(() => {});
  await dialog.waitFor();
  await person.answer(words.conversations.prompt.alwaysDeny);
  await refused;
  for (const [name, path] of [
    ['07-agents', 'agents'],
    ['09-agent', `agents/${bot.agentId}`],
    ['10-permissions', 'permissions'],
  ])
    await scene(`${name}, ${locale}`, async () => {
      await person.go(path);
      await person.shoot(name, true);
    });
  await scene(`10-permissions-undo, ${locale}`, async () => {
    await person.go('permissions');
    await person
      .button(like(words.permissions.revokeLabel, { agent: 'DemoBot' }))
      .first()
      .click();
    const undo = person.button(like(words.parts.undo.label));
    await undo.waitFor();
    await undo.focus();
    await person.shoot('10-permissions-undo');
    await undo.click();
  });
  await scene(`09-agent-high, ${locale}`, async () => {
    await person.go(`agents/${bot.agentId}`);
    // High comes first. What is off already is granted anew.
    const location = page.getByRole('switch').first();
    await location.click();
    await page.getByRole('switch', { checked: false }).first().waitFor();
    await person.pause(2_000);
    await location.click();
    await dialog.waitFor();
    await person.shoot('09-agent-high');
    await person.escape();
  });
  await scene(`35-compare, ${locale}`, async () => {
    await person.button(words.agents.compare).click();
    await dialog.waitFor();
    await person.shoot('35-compare');
    await person.escape();
  });
  await scene(`34-end-agent, ${locale}`, async () => {
    await person.button(words.agents.end).click();
    await dialog.waitFor();
    await person.shoot('34-end-agent');
    await person.escape();
  });
  await scene(`19-changed, ${locale}`, async () => {
    const next = structuredClone(bot.manifest);
    next.agent_version = '2.0.0';
    next.tools[0].input_schema.properties.method.enum = ['GET'];
    next.permission_scopes.find((scope) => scope.id === 'network:http').sensitivity = 'high';
    await bot.publish(next);
    await page.getByRole('heading', { name: words.agents.review, exact: true }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await person.shoot('19-changed');
    await person.shoot('19-changed-whole', true);
    await person.go(`c/${id}`);
    await person.shoot('19-changed-conversation');
  });
  await person.close();
}
