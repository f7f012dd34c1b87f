import { fillText, type Locale } from '@parley/base';
import { fillOwnCommands } from '../own-command.ts';
import { en } from './en.ts';
import { zhCN } from './zh-CN.ts';

export type MessageKey = keyof typeof en;
type Counted<Key> = Key extends `count.${infer Noun}.one` ? Noun : never;

/** The sentences of one language. */
export interface Words {
  readonly locale: Locale;
  say(key: MessageKey, params?: Readonly<Record<string, string | number>>): string;
  /** “1 error”, “2 errors”. */
  count(noun: Counted<MessageKey>, n: number): string;
}

const TABLES: Readonly<Record<Locale, Readonly<Record<MessageKey, string>>>> = { en, 'zh-CN': zhCN };

export function wordsFor(locale: Locale): Words {
  const table = TABLES[locale];
  const say: Words['say'] = (key, params = {}) => fillText(fillOwnCommands(table[key]), params);
  return { locale, say, count: (noun, n) => say(`count.${noun}.${n === 1 ? 'one' : 'many'}`, { n }) };
}
