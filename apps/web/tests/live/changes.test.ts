import { createClient, waitUntil } from '@parley/client';
import { createMemoryStore } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { describe, expect, it } from 'vitest';
import { type AnyManifest, DEMO_MANIFEST, fill, useWorld, WEB_SCOPE } from './harness/index.ts';

/** The agent wants more: an argument nobody agreed to. */
function makeBreaking(): AnyManifest {
  const manifest = structuredClone(DEMO_MANIFEST);
  manifest.agent_version = '2.0.0';
  manifest.tools[0].input_schema.properties.method.enum = ['GET'];
  return manifest;
}

describe('RL-9, CG-3, CG-11 what changes while people look', () => {
  const world = useWorld();

  it('RL-8, RL-9 a breaking change while the page is open: told at once, refused until answered, then as before', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId, page, words } = ada;
    await bot.publish(makeBreaking());
    await page.getByText(fill(words.conversations.review, { name: bot.name }), { exact: true }).waitFor();
    const call = () => bot.agent.callTool(conversationId, 'fetch_url', { url: 'http://127.0.0.1:9/' });
    await expect(call()).rejects.toMatchObject({ status: 'denied', reason: 'scope_not_granted' });

    await page.getByRole('link', { name: words.conversations.look, exact: true }).click();
    await page.getByRole('heading', { name: words.agents.review, exact: true }).waitFor();
    await page
      .getByText(/no longer accepts "POST"/)
      .first()
      .waitFor();
    await page.getByRole('switch', { name: fill(words.agents.acceptScope, { scope: WEB_SCOPE }), exact: true }).click();
    await ada.button(words.agents.answer).click();
    await page.getByRole('heading', { name: words.agents.review, exact: true }).waitFor({ state: 'detached' });

    // From the start: the answer may be there before the click has returned.
    const refused = expect(call()).rejects.toMatchObject({ reason: 'user_refused' });
    await ada.prompt.waitFor();
    await ada.answer('deny');
    await refused;
  });

  it('RL-8, RL-9 a breaking change while the page is closed: found on return, and one can go on without', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId } = ada;
    await ada.page.close();
    await bot.publish(makeBreaking());
    await ada.reopen(`agents/${bot.agentId}`);
    await ada.page.getByRole('heading', { name: ada.words.agents.review, exact: true }).waitFor();
    await ada.button(ada.words.agents.keepWithout).click();
    await ada.page.getByRole('heading', { name: ada.words.agents.review, exact: true }).waitFor({ state: 'detached' });
    await expect(bot.agent.callTool(conversationId, 'fetch_url', { url: 'http://127.0.0.1:9/' })).rejects.toMatchObject(
      {
        reason: 'permission_revoked',
      },
    );
  });

  it('CG-3 what is taken back while it is asked about closes the question and is refused', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId } = ada;
    // The question is modal here, so it is another device that takes the permission back: one without a screen.
    const other = await createClient({
      baseUrl: world.server.url,
      store: createMemoryStore(),
      platform: createNodePlatform(),
    });
    await other.login(ada.credentials);
    const waiting = other.session.getSnapshot();
    if (waiting.state !== 'waiting') throw new Error(`the second device is ${waiting.state}`);
    await ada.approve(waiting.code);
    const ready = await waitUntil(other.session, ({ state }) => state === 'ready');
    if (ready.state !== 'ready') throw new Error(`the second device is ${ready.state}`);
    const { relations } = ready.device;
    await relations.sync();
    const relation = relations.getSnapshot().find(({ agentId }) => agentId === bot.agentId)!;

    const answered = bot.agent.callTool(conversationId, 'fetch_url', { url: 'http://127.0.0.1:9/' });
    const refused = expect(answered).rejects.toMatchObject({ status: 'denied', reason: 'permission_revoked' });
    await ada.prompt.getByText('http://127.0.0.1:9/', { exact: true }).first().waitFor();
    await relations.revokeScope(relation.relationId, 'network:http');
    await refused;
    await ada.prompt.waitFor({ state: 'detached' });
    await other.close();
  });

  it('CG-11 two devices of one person: both are asked, exactly one executes', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId, words } = ada;
    const phone = await world.arrive({ email: ada.email, viewport: { width: 390, height: 844 } });
    await ada.letIn(phone);
    await phone.go(`c/${conversationId}`);
    await phone.page.getByRole('textbox', { name: words.conversations.write, exact: true }).waitFor();
    await ada.go(`c/${conversationId}`);

    const url = `${world.server.url}/health`;
    const answered = bot.agent.callTool(conversationId, 'fetch_url', { url });
    await Promise.all([ada.prompt.waitFor(), phone.prompt.waitFor()]);
    await phone.answer('allow');
    await expect(answered).resolves.toBeDefined();
    await ada.prompt.waitFor({ state: 'detached' });
    await phone.thread.getByText(words.conversations.call.ok, { exact: true }).waitFor();
    // One log has it, the other has not.
    await phone.go('audit');
    await expect.poll(() => phone.page.locator('ol > li').count()).toBe(1);
    await ada.go('audit');
    await ada.page.getByText(words.audit.none, { exact: true }).waitFor();
  });
});
