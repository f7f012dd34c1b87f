import { describe, expect, it } from 'vitest';
import { parseIntent } from './intents.ts';

const TABLE: readonly (readonly [text: string, intent: object | undefined])[] = [
  ['更新 DemoBot 的 Capability Manifest', { kind: 'update_manifest', name: 'DemoBot' }],
  ["update DemoBot's manifest", { kind: 'update_manifest', name: 'DemoBot' }],
  ['Update DemoBot’s capability manifest.', { kind: 'update_manifest', name: 'DemoBot' }],
  ['please update the manifest of Demo Bot', { kind: 'update_manifest', name: 'Demo Bot' }],
  ['Hashee, push a new manifest for “Demo Bot”!', { kind: 'update_manifest', name: 'Demo Bot' }],
  ['请更新DemoBot的能力清单', { kind: 'update_manifest', name: 'DemoBot' }],
  ['帮我修改「天气助手」的 manifest', { kind: 'update_manifest', name: '天气助手' }],
  ['把 天气助手 的清单更新一下', { kind: 'update_manifest', name: '天气助手' }],
  ['update manifest', { kind: 'update_manifest' }],
  ['更新能力清单', { kind: 'update_manifest' }],

  ['create an agent called Weather', { kind: 'create_agent', name: 'Weather' }],
  ['create agent Weather', { kind: 'create_agent', name: 'Weather' }],
  ['make a new bot', { kind: 'create_agent' }],
  ['new agent', { kind: 'create_agent' }],
  ['创建一个叫 天气助手 的 Agent', { kind: 'create_agent', name: '天气助手' }],
  ['新建智能体 天气助手', { kind: 'create_agent', name: '天气助手' }],
  ['创建 Agent', { kind: 'create_agent' }],

  ['rotate the token of DemoBot', { kind: 'rotate_token', name: 'DemoBot' }],
  ["rotate DemoBot's token", { kind: 'rotate_token', name: 'DemoBot' }],
  ['I need a coffee', undefined],
  ['a new token for DemoBot', { kind: 'rotate_token', name: 'DemoBot' }],
  ['轮换 DemoBot 的 token', { kind: 'rotate_token', name: 'DemoBot' }],
  ['给 DemoBot 换一个新的令牌', { kind: 'rotate_token', name: 'DemoBot' }],
  ['重置令牌', { kind: 'rotate_token' }],

  ['switch DemoBot to webhook', { kind: 'set_webhook', name: 'DemoBot' }],
  [
    'switch DemoBot to a webhook at https://bot.example/hook',
    { kind: 'set_webhook', name: 'DemoBot', url: 'https://bot.example/hook' },
  ],
  ['set up a webhook for Demo Bot', { kind: 'set_webhook', name: 'Demo Bot' }],
  ['把 DemoBot 切换到 webhook', { kind: 'set_webhook', name: 'DemoBot' }],
  [
    '将 DemoBot 改为 webhook：https://bot.example/hook',
    { kind: 'set_webhook', name: 'DemoBot', url: 'https://bot.example/hook' },
  ],
  ['为 DemoBot 设置 webhook', { kind: 'set_webhook', name: 'DemoBot' }],

  ['list my agents', { kind: 'list_agents' }],
  ['Show me all my agents', { kind: 'list_agents' }],
  ['which agents do I own?', { kind: 'list_agents' }],
  ['列出我的 Agent', { kind: 'list_agents' }],
  ['我有哪些智能体？', { kind: 'list_agents' }],
  ['which agents have I added?', { kind: 'list_relations' }],
  ['list relations', { kind: 'list_relations' }],
  ['我添加了哪些 Agent？', { kind: 'list_relations' }],
  ['查看我的授权', { kind: 'list_relations' }],

  ['help', { kind: 'help' }],
  ['?', { kind: 'help' }],
  ['Hello!', { kind: 'help' }],
  ['你好', { kind: 'help' }],
  ['你能做什么？', { kind: 'help' }],
  ['您能做什么？', { kind: 'help' }],
  ['更换 DemoBot 的令牌', { kind: 'rotate_token', name: 'DemoBot' }],
  ['更新 DemoBot 的能力清单', { kind: 'update_manifest', name: 'DemoBot' }],
  ['cancel', { kind: 'cancel' }],
  ['算了', { kind: 'cancel' }],

  ['what is the weather', undefined],
  ['今天天气怎么样', undefined],
  ['', undefined],
];

describe('SA-1 requests', () => {
  it.each(TABLE)('SA-1 understands %j', (text, intent) => {
    expect(parseIntent(text)).toEqual(intent);
  });

  it('SA-1 full-width letters and spaces around are nothing special', () => {
    expect(parseIntent('  ｕｐｄａｔｅ　ＤｅｍｏＢｏｔ’s　ｍａｎｉｆｅｓｔ ')).toEqual({
      kind: 'update_manifest',
      name: 'DemoBot',
    });
  });

  it('SA-1 attack: long or tangled texts end at once and mean nothing', () => {
    expect(parseIntent(`update ${'x '.repeat(100_000)} manifest`)).toBeUndefined();
    expect(parseIntent(`${'把 '.repeat(160)}的 token`)).toBeUndefined();
    expect(parseIntent(`${'please '.repeat(70)}!`)).toBeUndefined();
  });

  it('SA-1 a name is cut to what a name can be', () => {
    const intent = parseIntent(`rotate the token of ${'n'.repeat(200)}`);
    expect(intent).toEqual({ kind: 'rotate_token', name: 'n'.repeat(64) });
  });
});
