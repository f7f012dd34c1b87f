import { BUDGET_NAMES, BUDGETS } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { expectForEveryone, fill, useWorld, withAxe } from './harness/index.ts';

describe('OP-1 what an account uses, in the settings', () => {
  const world = useWorld();

  it('OP-1 HS-10 shows each budget with a bar, and says what happens where it is nearly full', async () => {
    const ada = await world.signUp(withAxe);
    const { body: session } = await world.server.call('POST', '/auth/login', { body: ada.credentials });
    const token = session.access_token;
    const { body: me } = await world.server.call('GET', '/auth/me', { token });
    await world.server.call('POST', '/agents', { token, body: { name: 'Bot' } });
    const { db, budgets } = world.server.platform;
    await db.insertInto('account_budgets').values({ account_id: me.user_id, budget: 'agents', value: 1 }).execute();
    await budgets.reload();

    await ada.go('settings');
    const { page, words } = ada;
    const { usage } = words.settings;
    const card = page.getByRole('heading', { name: usage.title, exact: true });
    await card.waitFor();
    await card.scrollIntoViewIfNeeded();
    for (const name of BUDGET_NAMES) {
      await page.getByRole('progressbar', { name: BUDGETS[name].text.en, exact: true }).waitFor();
    }
    const agents = page.getByRole('progressbar', { name: BUDGETS.agents.text.en, exact: true });
    expect(await agents.evaluate((bar) => (bar as HTMLProgressElement).value)).toBe(1);
    await page.getByText(fill(usage.line, { used: '1', limit: '1' }), { exact: true }).waitFor();
    await page.getByText(fill(usage.nearlyFull, { what: BUDGETS.agents.refused.en }), { exact: true }).waitFor();
    await expectForEveryone(ada, 'what an account uses');
    await ada.close();
  });
});
