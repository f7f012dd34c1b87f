import { describe, expect, it } from 'vitest';
import { DEMO_MANIFEST, type Person, useWorld } from './harness/index.ts';

/** Every answer that a browser would write into its console as an error. */
function watchRefusals({ page }: Person): string[] {
  const refusals: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refusals.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return refusals;
}

describe('SA-1, HS-10 a server by itself', () => {
  const world = useWorld();

  it('SA-1 without the system agent or any other: every screen is whole, and nothing is asked for that is not there', async () => {
    const ada = await world.arrive();
    const refusals = watchRefusals(ada);
    await ada.signUp();
    const { page, words } = ada;
    await page.getByText(words.conversations.empty, { exact: true }).waitFor();
    for (const [path, name, text] of [
      ['agents', 'agents', words.agents.none],
      ['permissions', 'permissions', words.permissions.none],
      ['audit', 'audit', words.audit.none],
      ['settings', 'settings', words.settings.devices.current],
      ['developer', 'developer', words.developer.none],
      ['bundles', 'bundles', words.bundles.none],
      ['skills', 'skills', words.skills.none],
    ] as const) {
      await ada.go(path);
      await page.getByRole('heading', { level: 1, name: words[name].title, exact: true }).waitFor();
      await page.getByText(text, { exact: true }).first().waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    // Someone's first agent, on every one of its pages.
    const { body: session } = await world.server.call('POST', '/auth/login', { body: ada.credentials });
    const { body: agent } = await world.server.call('POST', '/agents', {
      token: session.access_token,
      body: { name: 'First', capability_manifest: DEMO_MANIFEST },
    });
    await ada.go(`developer/${agent.agent_id}`);
    await page.getByRole('heading', { level: 1, name: 'First', exact: true }).waitFor();
    await ada.sees(page.getByRole('tab').first());
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
      await ada.sees(page.getByRole('tabpanel').getByText(/\w/).first());
    }
    await ada.go('');
    await page.getByText(words.conversations.empty, { exact: true }).waitFor();
    // Whether there is a webhook is a question that 404 answers; who leaves the page early does not hear it.
    expect(refusals.filter((refusal) => refusal !== `404 /agents/${agent.agent_id}/webhook`)).toEqual([]);
  });
});
