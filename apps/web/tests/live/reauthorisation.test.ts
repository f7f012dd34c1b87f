import { describe, expect, it } from 'vitest';
import { type AnyManifest, DEMO_MANIFEST, fill, type Person, useWorld, WEB_SCOPE } from './harness/index.ts';

const FETCH = 'fetch_url';
const NEW_SCOPE = 'Open intranet pages';

/** The same tool, under a level that is higher. */
function raised(): AnyManifest {
  const manifest = structuredClone(DEMO_MANIFEST);
  manifest.agent_version = '2.0.0';
  manifest.permission_scopes.find(({ id }: { id: string }) => id === 'network:http').sensitivity = 'high';
  return manifest;
}

/** The same tool, under another scope. */
function moved(): AnyManifest {
  const manifest = structuredClone(DEMO_MANIFEST);
  manifest.agent_version = '2.0.0';
  manifest.permission_scopes.push({
    id: 'network:intranet',
    label_i18n_key: 'bot.intranet',
    label_fallback: NEW_SCOPE,
    sensitivity: 'medium',
  });
  manifest.tools.find(({ name }: { name: string }) => name === FETCH).permission_scope = 'network:intranet';
  return manifest;
}

const switchOf = (person: Person, name: string) => person.page.getByRole('switch', { name, exact: true });
const isOn = (person: Person, name: string) => expect.poll(() => switchOf(person, name).getAttribute('aria-checked'));
/** The row of a scope in the review. */
const rowOf = (person: Person, scope: string) =>
  person.page.getByRole('listitem').filter({ has: switchOf(person, fill(person.words.agents.acceptScope, { scope })) });
const atLevel = (person: Person, scope: string, level: 'low' | 'medium' | 'high') =>
  rowOf(person, scope).getByText(person.words.parts.level[level], { exact: true });

/** Its switch, under the heading of that level. */
const amongHigh = (person: Person, scope: string) =>
  person.page
    .getByRole('region', { name: new RegExp(`^${person.words.parts.level.high}`) })
    .getByRole('switch', { name: scope, exact: true });

async function grantAgain(person: Person, scope: string): Promise<void> {
  const { agents } = person.words;
  await switchOf(person, fill(agents.acceptScope, { scope })).click();
  await person.button(agents.answer).click();
  await expect.poll(() => person.page.getByRole('heading', { name: agents.review, exact: true }).count()).toBe(0);
}

describe('WC-52 after an agent changed what it can do', () => {
  const world = useWorld();

  it('WC-52 CG-6 a raised level is the one that is shown; granted again, it is on at once, after a reload and on another device', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { page, words, conversationId } = ada;
    const phone = await world.arrive({ email: ada.email });
    await ada.letIn(phone);
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, WEB_SCOPE).waitFor();

    await bot.publish(raised());
    await atLevel(ada, WEB_SCOPE, 'high').waitFor();
    expect(await atLevel(ada, WEB_SCOPE, 'medium').count()).toBe(0);
    await ada.sees(page.getByText(words.agents.switching.answerLead, { exact: true }));
    // While that waits, nothing else is granted by the way.
    await ada.sees(page.getByText(words.agents.switching.reviewFirst, { exact: true }));
    expect(await switchOf(ada, WEB_SCOPE).isDisabled()).toBe(true);
    await grantAgain(ada, WEB_SCOPE);
    await isOn(ada, WEB_SCOPE).toBe('true');
    await ada.sees(amongHigh(ada, WEB_SCOPE));

    await ada.reload();
    await switchOf(ada, WEB_SCOPE).waitFor();
    await isOn(ada, WEB_SCOPE).toBe('true');
    for (const person of [ada, phone]) {
      await person.go('permissions');
      const row = person.page
        .getByRole('listitem')
        .filter({ has: person.button(fill(words.permissions.revokeLabel, { scope: WEB_SCOPE, agent: bot.name })) });
      await row.getByText(words.parts.level.high, { exact: true }).waitFor();
    }
    await phone.go(`agents/${bot.agentId}`);
    await switchOf(phone, WEB_SCOPE).waitFor();
    await isOn(phone, WEB_SCOPE).toBe('true');

    // And that is how it is asked about: each time.
    for (const _ of [1, 2]) {
      const refused = expect(
        bot.agent.callTool(conversationId, FETCH, { url: 'http://127.0.0.1:9/' }),
      ).rejects.toMatchObject({ reason: 'user_refused' });
      await ada.prompt.waitFor();
      await ada.prompt.getByText(words.parts.level.high, { exact: true }).waitFor();
      await ada.answer('deny');
      await refused;
    }
  });

  it('WC-52 a tool under another scope: what was granted for it is asked for, and shown as on when it was granted', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    await ada.go(`agents/${bot.agentId}`);
    await switchOf(ada, WEB_SCOPE).waitFor();
    await bot.publish(moved());
    await atLevel(ada, NEW_SCOPE, 'medium').waitFor();
    await grantAgain(ada, NEW_SCOPE);
    await switchOf(ada, NEW_SCOPE).waitFor();
    await isOn(ada, NEW_SCOPE).toBe('true');
    await ada.reload();
    await switchOf(ada, NEW_SCOPE).waitFor();
    await isOn(ada, NEW_SCOPE).toBe('true');
  });

  it('WC-52 attack: a level that is lowered later does not lower what was recorded, and is not shown as lower', async () => {
    const bot = await world.bot({ manifest: raised() });
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { page, words } = ada;
    await bot.publish({ ...structuredClone(DEMO_MANIFEST), agent_version: '3.0.0' });
    await ada.go('permissions');
    const revoke = ada.button(fill(words.permissions.revokeLabel, { scope: WEB_SCOPE, agent: bot.name }));
    const row = page.getByRole('listitem').filter({ has: revoke });
    await row.getByText(words.parts.level.high, { exact: true }).waitFor();
    await ada.go(`agents/${bot.agentId}`);
    await ada.sees(amongHigh(ada, WEB_SCOPE));
  });
});
