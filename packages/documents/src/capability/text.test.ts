import { LOCALES } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { baseManifest } from '../../tests/manifest-vectors.ts';
import type { PermissionScope, Tool } from './manifest.ts';
import { scopeText, toolText } from './text.ts';

const scope = (fields: Partial<PermissionScope> = {}): PermissionScope => ({
  id: 'network:http',
  label_i18n_key: 'scope.network.label',
  sensitivity: 'medium',
  ...fields,
});
const tool = (fields: Partial<Tool> = {}): Tool => ({ ...baseManifest().tools[0]!, ...fields });

describe('CM-12 words for a scope', () => {
  it('are the fallback, else the i18n key, else the id', () => {
    expect(scopeText(scope({ label_fallback: 'Fetch pages' }), 'en')).toEqual({ label: 'Fetch pages' });
    expect(scopeText(scope(), 'en')).toEqual({ label: 'scope.network.label' });
    expect(scopeText(scope({ label_i18n_key: ' ' }), 'en')).toEqual({ label: 'network:http' });
  });

  it('skip a fallback nobody could see', () => {
    expect(scopeText(scope({ label_fallback: '  ' }), 'en').label).toBe('scope.network.label');
    expect(scopeText(scope({ label_fallback: { en: '', de: 'Seiten laden' } }), 'en').label).toBe('Seiten laden');
    expect(scopeText(scope({ label_fallback: {} }), 'en').label).toBe('scope.network.label');
  });

  it('have a description where the scope has one', () => {
    expect(scopeText(scope({ description_fallback: 'Why' }), 'en').description).toBe('Why');
    expect(scopeText(scope({ description_i18n_key: 'scope.why' }), 'en').description).toBe('scope.why');
    expect(scopeText(scope({ description_fallback: 'Why', description_i18n_key: 'k' }), 'en').description).toBe('Why');
  });

  it('of a preset are built in', () => {
    expect(scopeText(scope({ id: 'location:read' }), 'zh-CN')).toEqual({
      label: '读取您的位置',
      description: '获取此设备所在的位置，并告知 Agent。',
    });
    expect(scopeText(scope({ id: 'location:read' }), 'en').label).toBe('Read your location');
  });

  it('of a preset cannot be replaced by a manifest that plays it down', () => {
    const harmless = scope({ id: 'location:read', label_fallback: 'Harmless', description_fallback: 'Nothing' });
    for (const locale of LOCALES)
      expect(scopeText(harmless, locale)).toEqual(scopeText(scope({ id: 'location:read' }), locale));
  });
});

describe('CM-12 choice of a language', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['the exact locale', { en: 'E', zh: 'Z', 'zh-CN': 'ZC', 'en-GB': 'G' }, 'E', 'ZC'],
    ['the language', { zh: 'Z', 'zh-TW': 'T', 'en-GB': 'G' }, 'G', 'Z'],
    ['simplified before traditional', { 'zh-Hant': 'T', 'zh-Hans': 'S', 'zh-HK': 'H' }, 'H', 'S'],
    ['another region of the language', { 'zh-TW': 'T', fr: 'F' }, 'F', 'T'],
    ['English for Chinese readers', { fr: 'F', en: 'E' }, 'E', 'E'],
    ['whatever there is', { fr: 'F', de: 'D' }, 'D', 'D'],
    ['tags in any case and with underscores', { EN_us: 'E', ZH_cn: 'Z' }, 'E', 'Z'],
    ['no language that only begins alike', { enm: 'M', zha: 'Z', aa: 'A' }, 'A', 'A'],
  ])('takes %s', (_, label_fallback, en, zh) => {
    expect(LOCALES.map((locale) => scopeText(scope({ label_fallback }), locale).label)).toEqual([en, zh]);
  });

  it('does not depend on the order of keys, which the hash does not cover', () => {
    const forwards = scope({ label_fallback: { fr: 'F', de: 'D', it: 'I' } });
    const backwards = scope({ label_fallback: { it: 'I', de: 'D', fr: 'F' } });
    for (const locale of LOCALES) expect(scopeText(forwards, locale)).toEqual(scopeText(backwards, locale));
  });
});

describe('CM-12 words for a tool', () => {
  it('are the fallback, else the i18n key, else the name', () => {
    expect(toolText(tool({ description_fallback: { en: 'Reads', 'zh-CN': '读取' } }), 'zh-CN')).toBe('读取');
    expect(toolText(tool(), 'en')).toBe('tool.read_file.description');
    expect(toolText(tool({ description_i18n_key: ' ' }), 'en')).toBe('read_file');
  });
});

describe('CM-12 hostile words', () => {
  it('cannot fake lines, hide or fill the screen', () => {
    const { label, description } = scopeText(
      scope({ label_fallback: `Safe\n\u202e${'x'.repeat(5_000)}`, description_fallback: 'y'.repeat(5_000) }),
      'en',
    );
    expect(label).toMatch(/^Safe␊\[U\+202E\]x+…$/);
    expect(label.length).toBe(80);
    expect(description?.length).toBe(400);
    expect(toolText(tool({ description_fallback: '\u001b]0;title\u0007' }), 'en')).toBe('␛]0;title␇');
  });
});
