import { readFileSync } from 'node:fs';
import type { Manifest } from '@parley/documents';
import { agentRoutes, SYSTEM_AGENT_ID, webhookRoutes } from '@parley/protocol';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Person, type Program, startProgram, wordsOf } from './scene.ts';

const example = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../examples/manifests/${name}.json`, import.meta.url), 'utf8')) as Manifest;
const DEMO_BOT = example('demobot');
const NEXT = example('demobot-next');

let server: TestServer;
let program: Program;
let ada: Person;
beforeAll(async () => {
  server = await startTestServer();
  program = await startProgram(server);
});
afterAll(async () => {
  await program.stop();
  await server.drop();
});
beforeEach(async () => {
  ada = await (await Person.join(server)).meet();
});
afterEach(() => ada.client.close());

describe('SA-1 a manifest is updated in conversation', () => {
  it('SA-1 form, findings, comparison, confirmation, prompt, result; in Chinese', async () => {
    const { agentId } = await ada.own('DemoBot', DEMO_BOT);
    await ada.say('更新 DemoBot 的 Capability Manifest');
    const form = await ada.card();
    expect(form).toMatchObject({ subtype: 'form', title: 'DemoBot 的能力清单' });
    await ada.answer(form, 'go', { manifest: '{ "schema_version": "1.0" }' });
    const again = await ada.card();
    expect(wordsOf(again)).toMatch(/有效的能力清单.*permission_scopes/su);
    await ada.answer(again, 'go', { manifest: JSON.stringify(NEXT, null, 2) });
    const diff = await ada.card();
    expect(diff.subtype).toBe('approval');
    expect(wordsOf(diff)).toContain('不兼容：');
    expect(ada.asked).toEqual([]);
    await ada.answer(diff, 'go');
    expect(await ada.text()).toMatch(/DemoBot 的能力清单现为第 2 版.*重新同意/u);
    expect(ada.asked.map(({ tool, level }) => [tool.name, level])).toEqual([['update_manifest', 'high']]);
    expect(ada.asked[0]!.note).toContain('DemoBot');
    expect(await ada.read(agentId)).toMatchObject({ capability_manifest: NEXT, capability_manifest_version: 2 });
  });

  it('SA-1 a manifest that changes nothing for anybody says so; the first one has nothing to be compared with', async () => {
    const { agentId } = await ada.own('Fresh');
    await ada.say("update Fresh's manifest");
    await ada.answer(await ada.card(), 'go', { manifest: JSON.stringify(DEMO_BOT) });
    const first = await ada.card();
    expect(wordsOf(first)).toContain('This agent’s first manifest.');
    await ada.answer(first, 'go');
    expect(await ada.text()).toBe('Done. Fresh now has version 1 of its capability manifest.');
    await ada.say('update the manifest of fresh');
    await ada.answer(await ada.card(), 'go', { manifest: JSON.stringify(DEMO_BOT) });
    expect(await ada.text()).toContain('already has');
    expect((await ada.read(agentId)).capability_manifest_version).toBe(1);
  });

  it('SA-1 refused on the card or by the device, nothing changes', async () => {
    const { agentId } = await ada.own('DemoBot', DEMO_BOT);
    const compare = async () => {
      await ada.say('update DemoBot’s manifest');
      await ada.answer(await ada.card(), 'go', { manifest: JSON.stringify(NEXT) });
      return ada.card();
    };
    await ada.answer(await compare(), 'cancel');
    expect(await ada.text()).toBe('All right, nothing was changed.');
    expect(ada.asked).toEqual([]);
    ada.decide = (prompt) => prompt.deny();
    await ada.answer(await compare(), 'go');
    expect(await ada.text()).toContain('you denied it on your device');
    expect(ada.asked).toHaveLength(1);
    expect((await ada.read(agentId)).capability_manifest_version).toBe(1);
  });

  it('RL-4 a manifest that was changed meanwhile is compared again, not overwritten', async () => {
    const { agentId } = await ada.own('DemoBot', DEMO_BOT);
    await ada.say('update DemoBot’s manifest');
    await ada.answer(await ada.card(), 'go', { manifest: JSON.stringify(NEXT) });
    const stale = await ada.card();
    const other = { ...DEMO_BOT, agent_version: '7.7.7' };
    await ada.device.api.call(agentRoutes.updateAgent, { params: { agent_id: agentId }, body: other as never });
    await ada.answer(stale, 'go');
    expect(await ada.text()).toContain('Someone else changed the manifest');
    await ada.answer(await ada.card(), 'go');
    expect(await ada.text()).toContain('version 3');
  });

  it('SA-1 a card answered twice, or after a restart, changes nothing and says so', async () => {
    const { agentId } = await ada.own('DemoBot', DEMO_BOT);
    await ada.say('update DemoBot’s manifest');
    const form = await ada.card();
    await program.restart();
    await ada.answer(form, 'go', { manifest: JSON.stringify(NEXT) });
    expect(await ada.text()).toMatch(/卡片已失效.*no longer open/su);
    await ada.say('rotate the token of DemoBot');
    const card = await ada.card();
    await ada.answer(card, 'cancel');
    expect(await ada.text()).toBe('All right, nothing was changed.');
    await ada.answer(card, 'go');
    expect(await ada.text()).toContain('no longer open');
    expect((await ada.read(agentId)).capability_manifest_version).toBe(1);
    expect(ada.asked).toEqual([]);
  });

  it('SA-1 asks which agent is meant where several could be', async () => {
    const [one, two] = [await ada.own('Weather', DEMO_BOT), await ada.own('Weather', DEMO_BOT)];
    await ada.say('update Weather’s manifest');
    const choice = await ada.card();
    expect(choice.blocks[0]).toMatchObject({ tag: 'select', options: [{}, {}] });
    expect(wordsOf(choice)).toContain(one.agentId);
    await ada.answer(choice, 'go', { agent: two.agentId });
    await ada.answer(await ada.card(), 'go', { manifest: JSON.stringify(NEXT) });
    await ada.answer(await ada.card(), 'go');
    expect(await ada.text()).toContain('version 2');
    expect((await ada.read(one.agentId)).capability_manifest_version).toBe(1);
    expect((await ada.read(two.agentId)).capability_manifest_version).toBe(2);
  });
});

describe('SA-2 everything else', () => {
  it('SA-2 creates an agent whose token only the device shows', async () => {
    await ada.say('创建一个叫 天气助手 的 Agent');
    const form = await ada.card();
    await ada.answer(form, 'go', { name: '天气助手', description: '', visibility: 'private' });
    expect(await ada.text()).toContain('天气助手 已创建');
    expect(ada.secrets).toMatchObject([{ kind: 'agent_token', agentName: '天气助手' }]);
    const { agentId, secret } = ada.secrets[0]!;
    expect((await server.call('GET', `/agents/${agentId}`, { token: secret })).body.visibility).toBe('private');
    expect(ada.asked.map(({ tool }) => tool.name)).toEqual(['create_agent']);
  });

  it('SA-2 switches to a webhook after asking a second time; its secret stays on the device', async () => {
    const bot = await ada.own('DemoBot', DEMO_BOT);
    const read = () => ada.device.api.call(webhookRoutes.getWebhook, { params: { agent_id: bot.agentId } });
    await ada.say('switch DemoBot to a webhook at ftp://x or so');
    await ada.text();
    await ada.say('switch DemoBot to webhook');
    await ada.answer(await ada.card(), 'go', { url: 'http://bot.example/hook' });
    const again = await ada.card();
    expect(wordsOf(again)).toContain('This isn’t an https:// address.');
    await ada.answer(again, 'go', { url: 'https://bot.example/hook' });
    const second = await ada.card();
    expect(second.subtype).toBe('approval');
    expect(wordsOf(second)).toMatch(/keys that don’t change.*"danger"/su);
    await expect(read()).rejects.toMatchObject({ status: 404 });
    await ada.answer(second, 'go');
    expect(await ada.text()).toMatch(/now go to https:\/\/bot\.example\/hook\. Your device shows the signing secret/);
    expect((await read()).url).toBe('https://bot.example/hook');
    const { secret } = ada.secrets[0]!;
    const { messages } = ada.device.conversations.timeline(ada.conversationId).getSnapshot();
    expect(JSON.stringify(messages)).not.toContain(secret);
    expect(ada.asked.map(({ tool, note }) => [tool.name, note?.includes('bot.example')])).toEqual([
      ['set_webhook', true],
    ]);
  });

  it('SA-2 lists agents and relations without asking, and says what it can do', async () => {
    await ada.own('DemoBot', DEMO_BOT);
    await ada.say('列出我的 Agent');
    expect((await ada.card()).blocks[0]).toMatchObject({
      tag: 'table',
      rows: [['DemoBot', '第 1 版', 'websocket', '仅自己', '正常']],
    });
    await ada.say('which agents have I added?');
    const relations = await ada.card();
    expect(wordsOf(relations)).toMatch(/Hashee.*hashee:agents\.read/su);
    await ada.say('help');
    expect(await ada.text()).toContain('rotate the token');
    await ada.say('今天天气怎么样');
    expect(await ada.text()).toMatch(/没有听懂.*更换 DemoBot/su);
    expect(ada.asked).toEqual([]);
  });

  it('SA-2 attack: someone who asks about another person’s agent gets nothing of it', async () => {
    const eve = await (await Person.join(server)).meet();
    try {
      const bot = await ada.own('Secret Project', DEMO_BOT);
      await eve.own('Mine');
      for (const wish of ['update Secret Project’s manifest', 'rotate the token of Secret Project']) {
        await eve.say(wish);
        expect(await eve.text()).toBe('You have no agent called “Secret Project”. Yours: Mine.');
      }
      await eve.say(`rotate the token of ${bot.agentId}`);
      expect(await eve.text()).toContain('You have no agent');
      // A choice that was never offered.
      await eve.say('rotate token');
      await eve.answer(await eve.card(), 'go', { agent: bot.agentId });
      expect(await eve.text()).toBe('All right, nothing was changed.');
      expect(eve.asked).toEqual([]);
      expect((await ada.read(bot.agentId)).capability_manifest_version).toBe(1);
    } finally {
      await eve.client.close();
    }
  });
});

describe('SA-1 in every account', () => {
  it('RL-10 is granted by a signature of the device, what it reads silently, the rest asking each time', () => {
    const relation = ada.device.relations.getSnapshot().find(({ agentId }) => agentId === SYSTEM_AGENT_ID)!;
    expect(relation).toMatchObject({ needsSignature: false, needsReview: false, status: 'active' });
    expect(Object.fromEntries(relation.scopes.map(({ id, level, granted }) => [id, granted && level]))).toEqual({
      'hashee:agents.read': 'low',
      'hashee:relations.read': 'low',
      'hashee:agents.write': 'high',
      'hashee:tokens': 'high',
      'hashee:webhooks': 'high',
    });
    expect(ada.device.relations.history(relation.relationId)).toHaveLength(1);
  });

  it('RL-7 what is taken back, it says', async () => {
    const { relationId } = ada.device.relations.getSnapshot().find(({ agentId }) => agentId === SYSTEM_AGENT_ID)!;
    await ada.device.relations.revokeScope(relationId, 'hashee:agents.read');
    await ada.say('list my agents');
    expect(await ada.text()).toContain('You haven’t allowed me to do this');
  });
});
