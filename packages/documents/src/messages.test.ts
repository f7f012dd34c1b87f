import { LOCALES, type Locale } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { CODES, PHRASES } from './codes.ts';
import { toMessage } from './messages.ts';
import { compileCheck } from './schema/evaluate.ts';
import { VALUES } from './schema/keywords.ts';
import { readSchema } from './schema/read.ts';

const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const unique = (names: readonly (string | undefined)[]) => [...new Set(names)];

describe('HS-6 texts of findings', () => {
  it.each(Object.entries(CODES))('%s has the same parameters in every language', (_, texts) => {
    for (const locale of LOCALES) expect(unique(placesOf(texts[locale]))).toEqual(unique(placesOf(texts.en)));
  });

  it.each(Object.entries({ ...CODES, ...PHRASES }))('%s is not empty, and Chinese where it should be', (key, texts) => {
    expect(texts.en).not.toBe('');
    expect(key === 'null' || /\p{Script=Han}/u.test(texts['zh-CN'])).toBe(true);
  });
});

describe('CM-15 sentences', () => {
  it('exist for every code in every language, with every parameter filled in', () => {
    for (const [key, { severity, en }] of Object.entries(CODES)) {
      const [code, reason] = key.split('.');
      const given = Object.fromEntries(placesOf(en).map((name) => [name!, `<${name}>`]));
      const params = reason === undefined ? given : { ...given, reason };
      for (const locale of LOCALES) {
        const { message } = toMessage({ code: code!, severity, path: '', params }, locale);
        expect(message).not.toMatch(/[{}]|undefined/);
        for (const name of placesOf(en)) expect(message).toContain(`<${name}>`);
      }
    }
  });

  it('exist for everything a schema keyword can expect', () => {
    const expected = [...Object.values(VALUES).map(([word]) => word), 'schema', 'schemas', 'map_of_schemas'];
    expect(expected.filter((word) => !Object.hasOwn(PHRASES, word))).toEqual([]);
  });

  it('put words for what was expected', () => {
    const finding = {
      code: 'FIELD_TYPE',
      severity: 'error',
      path: '/tools',
      params: { expected: 'array', actual: 'null' },
    } as const;
    expect(toMessage(finding, 'en').message).toBe('This must be an array, not null.');
    expect(toMessage(finding, 'zh-CN').message).toBe('此处应为数组，而不是null。');
  });

  it('show parameters from a document on one line, visible and short', () => {
    const params = { field: `\u202e{key}\n\u001b[31m${'x'.repeat(10_000)}` };
    const { message } = toMessage({ code: 'FIELD_UNKNOWN', severity: 'warning', path: '', params }, 'en');
    expect(message).toContain('"[U+202E]{key}␊␛[31mxxx');
    expect(message.length).toBeLessThan(400);
  });

  it('are a mistake of the caller where the code is unknown', () => {
    expect(() => toMessage({ code: 'NO_SUCH', severity: 'error', path: '', params: {} }, 'en')).toThrow(TypeError);
    expect(() => toMessage({ code: 'toString', severity: 'error', path: '', params: {} }, 'en')).toThrow(TypeError);
  });
});

it('CM-15 says in both languages what is wrong with arguments', () => {
  const root = readSchema({
    type: 'object',
    properties: { level: { enum: ['a', 2] }, name: { type: ['string', 'null'] } },
    additionalProperties: false,
  }).root!;
  const { findings } = compileCheck(root)({ level: 3, name: 4, more: 1 });
  const messages = (locale: Locale) => findings.map((finding) => toMessage(finding, locale).message).sort();
  expect(messages('en')).toEqual([
    'The value must be null or a string.',
    'The value must be one of: "a", 2.',
    'There’s no property with this name.',
  ]);
  expect(messages('zh-CN')).toEqual(
    ['值必须是null或字符串。', '值必须是以下之一："a", 2。', '没有这个名称的属性。'].sort(),
  );
});
