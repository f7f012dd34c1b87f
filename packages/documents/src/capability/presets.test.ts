import { describe, expect, it } from 'vitest';
import { SENSITIVITIES, type Sensitivity } from './manifest.ts';
import { compareSensitivity, effectiveSensitivity, PRESET_SCOPES } from './presets.ts';

describe('CM-11 preset scopes', () => {
  it('are four, each with its level and its names', () => {
    expect(
      [...PRESET_SCOPES].map(([id, { sensitivity, label }]) => [id, sensitivity, label['zh-CN'], label.en]),
    ).toEqual([
      ['notification:send', 'low', '发送通知', 'Send notifications'],
      ['filesystem:read', 'medium', '读取本地文件', 'Read local files'],
      ['clipboard:read', 'medium', '读取剪贴板', 'Read the clipboard'],
      ['location:read', 'high', '读取您的位置', 'Read your location'],
    ]);
  });

  it('have a description in both languages', () => {
    for (const { description } of PRESET_SCOPES.values()) {
      expect(description.en).toMatch(/^[A-Z].+\.$/);
      expect(description['zh-CN']).toMatch(/\p{Script=Han}.*。$/u);
    }
  });

  it.each<[string, Sensitivity[]]>([
    ['notification:send', ['low', 'medium', 'high']],
    ['filesystem:read', ['medium', 'medium', 'high']],
    ['clipboard:read', ['medium', 'medium', 'high']],
    ['location:read', ['high', 'high', 'high']],
    ['shell:exec', ['low', 'medium', 'high']],
    ['toString', ['low', 'medium', 'high']],
  ])('%s declared low, medium and high is treated as %j', (id, expected) => {
    expect(SENSITIVITIES.map((sensitivity) => effectiveSensitivity({ id, sensitivity }))).toEqual(expected);
  });

  it('orders low before medium before high', () => {
    expect(compareSensitivity('low', 'medium')).toBeLessThan(0);
    expect(compareSensitivity('medium', 'high')).toBeLessThan(0);
    expect(compareSensitivity('high', 'low')).toBeGreaterThan(0);
    expect(compareSensitivity('medium', 'medium')).toBe(0);
  });
});
