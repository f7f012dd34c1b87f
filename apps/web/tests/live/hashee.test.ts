import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HasheeAgent } from '@parley/agent';
import { createMemoryStore } from '@parley/messenger';
import { ensureLocalAgent } from '@parley/server';
import { startHashee } from '@parley/system-agent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_MANIFEST, type Locale, useWorld } from './harness/index.ts';

const ROOT = new URL('../../../../', import.meta.url);
const MANIFEST = JSON.parse(readFileSync(new URL('packages/system-agent/manifest.json', ROOT), 'utf8'));
const NEXT = { ...DEMO_MANIFEST, agent_version: '2.0.0', tools: DEMO_MANIFEST.tools.slice(0, 1) };

const SAY = {
  en: {
    update: 'update Weather’s manifest',
    field: 'Manifest (JSON)',
    check: 'Check and compare',
    wrong: 'This isn’t a valid manifest yet:',
    apply: 'Apply',
    done: 'Done. Weather now has version 2 of its capability manifest.',
    rotate: 'rotate the token of Weather',
    make: 'Create a new token',
    rotated: /Weather has a new token/,
  },
  'zh-CN': {
    update: '更新 Weather 的能力清单',
    field: '能力清单（JSON）',
    check: '校验并比较',
    wrong: '这还不是有效的能力清单：',
    apply: '应用',
    done: '已完成：Weather 的能力清单现为第 2 版。',
    rotate: '更换 Weather 的令牌',
    make: '生成新的令牌',
    rotated: /Weather 有了新的令牌/,
  },
} as const;

describe('SA-1 Hashee in the browser', () => {
  const world = useWorld();
  let hashee: HasheeAgent;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-hashee-'));
    const options = { name: 'Hashee', manifest: MANIFEST, tokenFile: join(folder, 'token'), system: true };
    const account = (await ensureLocalAgent(world.server.platform, options))!;
    rmSync(folder, { recursive: true });
    hashee = await startHashee({ ...account, baseUrl: world.server.url, keystore: createMemoryStore() });
  });
  afterAll(() => hashee?.disconnect());

  it.each<Locale>(['en', 'zh-CN'])(
    'SA-1 a manifest by its form, and a token that only the page shows, in %s',
    async (language) => {
      const say = SAY[language];
      const ada = await world.signUp({ language });
      const { page } = ada;
      const { body: session } = await world.server.call('POST', '/auth/login', { body: ada.credentials });
      const token = session.access_token;
      const { body: agent } = await world.server.call('POST', '/agents', {
        token,
        body: { name: 'Weather', visibility: 'private', capability_manifest: DEMO_MANIFEST },
      });
      const read = async () => (await world.server.call('GET', `/agents/${agent.agent_id}`, { token })).body;

      // It is there without being looked for.
      await page.getByRole('link', { name: /Hashee/ }).click();
      await ada.thread.getByText(/I(’m| am) Hashee/).waitFor();

      await ada.say(say.update);
      await page.getByRole('textbox', { name: say.field, exact: true }).fill('{ "tools": 5 }');
      await ada.button(say.check).click();
      await ada.thread.getByText(say.wrong, { exact: true }).waitFor();
      await page
        .getByRole('textbox', { name: say.field, exact: true })
        .last()
        .fill(JSON.stringify(NEXT, null, 2));
      await ada.button(say.check).last().click();
      await ada.button(say.apply).click();
      await ada.prompt.getByText('Weather', { exact: true }).first().waitFor();
      expect((await read()).capability_manifest_version).toBe(1);
      await ada.answer('allow');
      await ada.thread.getByText(say.done, { exact: true }).waitFor();
      expect(await read()).toMatchObject({ capability_manifest_version: 2, capability_manifest: NEXT });

      await ada.say(say.rotate);
      await ada.button(say.make).click();
      await ada.answer('allow');
      const secret = await page.getByTestId('secret').textContent();
      expect(secret).toMatch(/^hsk_[0-9A-Za-z]{40}$/);
      await ada.button(ada.words.parts.secretKept).click();
      await ada.thread.getByText(say.rotated, { exact: true }).waitFor();
      expect((await world.server.call('GET', `/agents/${agent.agent_id}`, { token: secret! })).body.warnings).toEqual(
        [],
      );
      expect(await page.content()).not.toContain(secret);
      await ada.reload();
      await ada.thread.getByText(say.rotated, { exact: true }).waitFor();
      expect(await page.content()).not.toContain(secret);
    },
  );
});
