import { readFileSync } from 'node:fs';
import type { Language } from './collect-texts.ts';

interface Forbidden {
  readonly word: string;
  readonly pattern: RegExp;
  /** Makers may be told the names of their fields; everyone else may not. */
  readonly forPeopleOnly: boolean;
}
export interface Glossary {
  readonly forbidden: readonly Forbidden[];
  /** Latin words that may stand in a Chinese sentence. */
  readonly latin: ReadonlySet<string>;
}

const FILES = { en: 'glossary.md', 'zh-CN': 'glossary.zh-CN.md' } as const;
const FOR_PEOPLE = { en: '## In texts for people', 'zh-CN': '## 面向用户的文字' } as const;
const LATIN = '## 中文句子中可用的拉丁词';

/** The check and the page that people read are one: what stands in the third column is forbidden. */
export function readGlossary(language: Language): Glossary {
  const page = readFileSync(new URL(`../../../../docs/${FILES[language]}`, import.meta.url), 'utf8');
  return parseGlossary(page, language);
}

export function parseGlossary(page: string, language: Language): Glossary {
  const forbidden: Forbidden[] = [];
  const latin = new Set<string>();
  let heading = '';
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) heading = line;
    if (heading === LATIN && line.startsWith('- ')) {
      const [, names = ''] = line.split('：');
      for (const name of names.split(',')) latin.add(name.trim());
    }
    const not = /^\|/.test(line) ? line.split(/(?<!\\)\|/)[3] : undefined;
    for (const [, word] of (not ?? '').matchAll(/`([^`]+)`/g)) {
      forbidden.push({
        word: word!,
        pattern: toPattern(word!, language),
        forPeopleOnly: heading === FOR_PEOPLE[language],
      });
    }
  }
  return { forbidden, latin };
}

function toPattern(word: string, language: Language): RegExp {
  const written = /^\/(.+)\/$/.exec(word)?.[1];
  if (written !== undefined) return new RegExp(written, 'u');
  const literal = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return language === 'en' ? new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'iu') : new RegExp(literal, 'u');
}
