import { ALL_TEXTS } from '../../../src/all-texts.ts';
import { isolate } from '../../../src/i18n/isolate.ts';

export type Locale = 'en' | 'zh-CN';
export type Words = { readonly [Name in keyof typeof ALL_TEXTS]: (typeof ALL_TEXTS)[Name]['en'] };

/** What the page says, in one language: tests look for the words a person would. */
export function wordsOf(locale: Locale): Words {
  const texts = Object.entries(ALL_TEXTS).map(([name, table]) => [name, table[locale]]);
  return Object.fromEntries(texts) as Words;
}

/** A sentence with its holes filled. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => isolate(String(values[name])));
}
