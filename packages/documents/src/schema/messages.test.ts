import { LOCALES } from '@parley/base';
import { expect, test } from 'vitest';
import { ARGUMENT_MESSAGES } from './messages.ts';

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test('HS-6 every finding about arguments has a text in each language, with the same parameters', () => {
  for (const [code, texts] of Object.entries(ARGUMENT_MESSAGES)) {
    expect(Object.keys(texts).sort(), code).toEqual([...LOCALES].sort());
    expect(placeholders(texts['zh-CN']), code).toEqual(placeholders(texts.en));
    expect(texts['zh-CN'], code).toMatch(/\p{Script=Han}/u);
  }
});
