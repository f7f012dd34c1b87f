import { LOCALES } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { baseManifest } from '../../tests/manifest-vectors.ts';
import type { JsonObject } from '../json/value.ts';
import type { Manifest } from './manifest.ts';
import { effectiveSensitivity } from './presets.ts';
import { type ConsentPreview, type PreviewTool, preselectScopes, previewConsent } from './preview.ts';
import { renderPreview } from './preview-text.ts';
import { PREVIEW_TEXTS } from './preview-texts.ts';
import { validateManifest } from './validate.ts';

/** One scope of each level, one of them raised, one unused, one without words. */
function richManifest(): Manifest {
  const manifest = baseManifest();
  const [tool] = manifest.tools;
  return {
    ...manifest,
    tools: [
      { ...tool!, required: true, description_fallback: { en: 'Reads a file you name', 'zh-CN': '读取您指定的文件' } },
      {
        ...tool!,
        name: 'fetch_url',
        permission_scope: 'network:http',
        timeout_ms: 5000,
        input_schema: {
          type: 'object',
          properties: { url: { type: 'string', format: 'uri' }, method: { enum: ['GET', 'POST'] } },
          required: ['url'],
        },
      },
      {
        ...tool!,
        name: 'ping',
        permission_scope: 'network:http',
        input_schema: { type: 'object', additionalProperties: false },
      },
    ],
    permission_scopes: [
      { id: 'notification:send', label_i18n_key: 'k', sensitivity: 'low' },
      { id: 'filesystem:read', label_i18n_key: 'k', sensitivity: 'low' },
      { id: 'location:read', label_i18n_key: 'k', sensitivity: 'high' },
      { id: 'network:http', label_i18n_key: 'scope.network.label', sensitivity: 'medium' },
    ],
    capability_flags: { supports_streaming: true, supports_voice: false, supports_group_chat: true },
  };
}

function toolOf(input_schema: JsonObject): PreviewTool {
  const manifest = baseManifest();
  manifest.tools[0]!.input_schema = input_schema;
  return previewConsent(manifest, 'en').groups[0]!.scopes[0]!.tools[0]!;
}

const typeOf = (schema: JsonObject, $defs: JsonObject = {}) =>
  toolOf({ type: 'object', properties: { p: schema }, $defs }).parameters[0]!.type;
const scopesOf = (preview: ConsentPreview) => preview.groups.flatMap(({ scopes }) => scopes);

describe('CM-11 levels on the consent screen', () => {
  it('go from high to low by effective sensitivity, in the order of the manifest, without empty ones', () => {
    const { groups } = previewConsent(richManifest(), 'en');
    expect(groups.map(({ sensitivity, scopes }) => [sensitivity, scopes.map(({ id }) => id)])).toEqual([
      ['high', ['location:read']],
      ['medium', ['filesystem:read', 'network:http']],
      ['low', ['notification:send']],
    ]);
    expect(previewConsent(baseManifest(), 'en').groups.map(({ sensitivity }) => sensitivity)).toEqual(['medium']);
  });

  it('warn where a preset was declared below its level', () => {
    const scope = scopesOf(previewConsent(richManifest(), 'en')).find(({ id }) => id === 'filesystem:read');
    expect(scope?.warnings).toEqual([
      'The agent declares "Low sensitivity", but it’s treated as "Medium sensitivity".',
    ]);
    expect(scopesOf(previewConsent(baseManifest(), 'en'))[0]!.warnings).toEqual([]);
  });

  it('say when the person will be asked', () => {
    const behaviours = previewConsent(richManifest(), 'en').groups.map(({ behaviour }) => behaviour);
    expect(behaviours).toEqual([
      'asks you every time; without an answer within 30 seconds, it’s denied',
      'asks you the first time, then no longer in the same conversation on the same device until it hasn’t been used for 24 hours',
      'runs without asking you',
    ]);
  });

  it('have icons', () => {
    const { groups } = previewConsent(richManifest(), 'en');
    expect(groups.map(({ icon }) => icon)).toEqual(['shield-alert', 'shield-question', 'shield-check']);
    expect(scopesOf(previewConsent(richManifest(), 'en')).map(({ icon }) => icon)).toEqual([
      'map-pin',
      'folder',
      'globe',
      'bell',
    ]);
  });
});

describe('CM-12 scopes on the consent screen', () => {
  it('warn where there are no words, and where no tool needs the scope', () => {
    const scopes = scopesOf(previewConsent(richManifest(), 'en'));
    expect(scopes.map(({ id, warnings }) => [id, warnings])).toEqual([
      ['location:read', ['None of the agent’s tools uses this permission.']],
      ['filesystem:read', ['The agent declares "Low sensitivity", but it’s treated as "Medium sensitivity".']],
      ['network:http', ['The agent doesn’t give this permission a readable name.']],
      ['notification:send', ['None of the agent’s tools uses this permission.']],
    ]);
  });
});

describe('CM-5 tools on the consent screen', () => {
  it('stand under their scope, which cannot be left out if one of them is required', () => {
    const scopes = scopesOf(previewConsent(richManifest(), 'en'));
    expect(
      scopes.map(({ id, required, tools }) => [id, required, tools.map((tool) => [tool.name, tool.required])]),
    ).toEqual([
      ['location:read', false, []],
      ['filesystem:read', true, [['read_file', true]]],
      [
        'network:http',
        false,
        [
          ['fetch_url', false],
          ['ping', false],
        ],
      ],
      ['notification:send', false, []],
    ]);
  });

  it('have their time-out, 10,000 ms unless declared', () => {
    const tools = scopesOf(previewConsent(richManifest(), 'en')).flatMap((scope) => scope.tools);
    expect(tools.map(({ timeoutMs }) => timeoutMs)).toEqual([10_000, 5_000, 10_000]);
  });
});

describe('CM-6 parameters on the consent screen', () => {
  it('come required ones first, then by name, whatever the order of keys', () => {
    const properties = { c: true, b: true, a: true, d: true };
    expect(toolOf({ type: 'object', properties, required: ['d', 'b'] }).parameters).toEqual([
      { name: 'b', type: 'any value', required: true },
      { name: 'd', type: 'any value', required: true },
      { name: 'a', type: 'any value', required: false },
      { name: 'c', type: 'any value', required: false },
    ]);
  });

  it('tell whether further arguments pass', () => {
    expect(toolOf({ type: 'object' }).acceptsMore).toBe(true);
    expect(toolOf({ type: 'object', additionalProperties: false }).acceptsMore).toBe(false);
    expect(toolOf({ type: 'object', additionalProperties: { type: 'string' } }).acceptsMore).toBe(true);
    expect(toolOf({ type: 'object', additionalProperties: false, patternProperties: { '^x': true } }).acceptsMore).toBe(
      true,
    );
  });

  it.each<[JsonObject, string]>([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'uri' }, 'text, format uri'],
    [{ type: 'string', format: 'colour' }, 'text'],
    [{ type: 'integer' }, 'whole number'],
    [{ type: 'number' }, 'number'],
    [{ type: 'boolean' }, 'yes or no'],
    [{ type: ['string', 'null'] }, 'text or nothing'],
    [{ type: 'array' }, 'list'],
    [{ type: 'array', items: { type: 'string' } }, 'list of text'],
    [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }, 'list of list'],
    [{ type: 'object' }, 'group of values'],
    [{}, 'any value'],
    [{ enum: ['GET', 1, null] }, 'one of "GET", 1, null'],
    [{ const: 'x' }, 'one of "x"'],
    [{ enum: [1, 2, 3, 4, 5, 6, 7] }, 'one of 1, 2, 3, 4, 5, 6, …'],
    [{ $ref: '#/$defs/name' }, 'text'],
    [{ $ref: '#/$defs/chain' }, 'text'],
    [{ $ref: '#/$defs/tree' }, 'group of values'],
  ])('describes %j as %s', (schema, words) => {
    const $defs = {
      name: { type: 'string' },
      chain: { $ref: '#/$defs/name' },
      tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } },
    };
    expect(typeOf(schema, $defs)).toBe(words);
  });

  it('show hostile names and values harmlessly', () => {
    const tool = toolOf({ type: 'object', properties: { 'a\u202e\n': { enum: ['\u200b'.repeat(500)] } } });
    expect(tool.parameters[0]!.name).toBe('a[U+202E]␊');
    expect(tool.parameters[0]!.type.length).toBeLessThan(60);
  });
});

describe('CM-1 flags on the consent screen', () => {
  it('are told in words where they are true', () => {
    expect(previewConsent(richManifest(), 'en').flags).toEqual([
      { name: 'supports_streaming', text: 'shows its answers as it writes them' },
      { name: 'supports_group_chat', text: 'can join groups (tools never run there)' },
    ]);
    expect(previewConsent(baseManifest(), 'en').flags).toEqual([]);
  });
});

describe('CM-12 the consent screen as text', () => {
  it('reads well in English', () => {
    expect(renderPreview(previewConsent(richManifest(), 'en'))).toMatchInlineSnapshot(`
      "This agent (version 1.0.0) asks for 4 permissions.

      High sensitivity: asks you every time; without an answer within 30 seconds, it’s denied

        Read your location [location:read]
          Finds out where this device is and tells the agent.
          ! None of the agent’s tools uses this permission.

      Medium sensitivity: asks you the first time, then no longer in the same conversation on the same device until it hasn’t been used for 24 hours

        Read local files [filesystem:read] (required)
          Reads files on this device and sends their content to the agent.
          ! The agent declares "Low sensitivity", but it’s treated as "Medium sensitivity".
          - read_file (required): Reads a file you name
              path: text (required)

        scope.network.label [network:http]
          ! The agent doesn’t give this permission a readable name.
          - fetch_url: tool.read_file.description
              url: text, format uri (required)
              method: one of "GET", "POST"
              and any other values
          - ping: tool.read_file.description
              needs no values

      Low sensitivity: runs without asking you

        Send notifications [notification:send]
          Shows notifications on this device.
          ! None of the agent’s tools uses this permission.

      The agent also:
        - shows its answers as it writes them
        - can join groups (tools never run there)
      "
    `);
  });

  it('reads well in Chinese', () => {
    expect(renderPreview(previewConsent(richManifest(), 'zh-CN'))).toMatchInlineSnapshot(`
      "此 Agent（版本 1.0.0）请求 4 项权限。

      高敏感度：每次都会询问您；30 秒内没有答复即拒绝

        读取您的位置 [location:read]
          获取此设备所在的位置，并告知 Agent。
          ! Agent 没有任何工具使用此权限。

      中敏感度：首次会询问您，之后在同一设备的同一会话中不再询问；超过 24 小时未使用则重新询问

        读取本地文件 [filesystem:read]（必需）
          读取此设备上的文件，并把内容发送给 Agent。
          ! Agent 将此权限声明为“低敏感度”，但会按“中敏感度”处理。
          - read_file（必需）：读取您指定的文件
              path：文本（必填）

        scope.network.label [network:http]
          ! Agent 没有为此权限提供可读的名称。
          - fetch_url：tool.read_file.description
              url：文本，格式为 uri（必填）
              method："GET"、"POST" 之一
              以及任何其他参数
          - ping：tool.read_file.description
              没有参数

      低敏感度：直接执行，不询问您

        发送通知 [notification:send]
          在此设备上显示通知。
          ! Agent 没有任何工具使用此权限。

      此 Agent 还会：
        - 边写边显示回答
        - 加入群聊（群聊中不能使用工具）
      "
    `);
  });

  it('says so where nothing is asked for', () => {
    const manifest = { ...baseManifest(), tools: [], permission_scopes: [] };
    expect(renderPreview(previewConsent(manifest, 'en'))).toBe('This agent (version 1.0.0) asks for no permissions.\n');
    expect(renderPreview(previewConsent(manifest, 'zh-CN'))).toBe('此 Agent（版本 1.0.0）不请求任何权限。\n');
  });

  it('does not fill in places that a manifest brings', () => {
    const manifest = richManifest();
    manifest.permission_scopes[3]!.label_fallback = '{id}{count}$&';
    expect(renderPreview(previewConsent(manifest, 'en'))).toContain('  {id}{count}$& [network:http]\n');
  });

  it('is the same for manifests of one hash', () => {
    const reverse = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reverse);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, reverse(inner)]),
      );
    };
    const { manifest } = validateManifest(reverse(richManifest()));
    for (const locale of LOCALES) {
      expect(previewConsent(manifest!, locale)).toEqual(previewConsent(richManifest(), locale));
    }
  });
});

describe('CM-17 what is switched on beforehand', () => {
  it('is low and nothing else, by the level that counts, whether required or not', () => {
    const manifest = richManifest();
    for (const tool of manifest.tools) tool.required = true;
    const on = preselectScopes(previewConsent(manifest, 'en'));
    const low = manifest.permission_scopes.filter((scope) => effectiveSensitivity(scope) === 'low').map(({ id }) => id);
    expect(low.length).toBeGreaterThan(0);
    expect(on).toEqual(low);
    // A preset declared below its level is not low (CM-11).
    manifest.permission_scopes[0] = { ...manifest.permission_scopes[0]!, id: 'location:read', sensitivity: 'low' };
    expect(preselectScopes(previewConsent(manifest, 'en'))).not.toContain('location:read');
  });
});

describe('HS-6 words of the consent screen', () => {
  it('have the same keys and places in every language', () => {
    const shape = (words: unknown): unknown =>
      typeof words === 'string'
        ? [...words.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
        : Object.entries(words as object)
            .map(([key, inner]) => [key, shape(inner)])
            .sort();
    for (const locale of LOCALES) expect(shape(PREVIEW_TEXTS[locale])).toEqual(shape(PREVIEW_TEXTS.en));
  });
});
