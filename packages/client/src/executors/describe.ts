import type { Locale } from '@parley/base';
import { displayValue, type JsonObject } from '@parley/documents';
import type { CallDescription, Executor } from './types.ts';

// What the shipped tools do, in our words and never in an agent's (WC-12).

/** Nobody has checked the arguments for this: an executor that trips over them has no sentence, and the person is asked. */
export function describeCall(executor: Executor, args: JsonObject, locale: Locale): CallDescription | undefined {
  try {
    return executor.describe?.(args, locale);
  } catch {
    return undefined;
  }
}

type Words<Values extends readonly string[]> = Readonly<
  Record<Locale, (...values: Values) => { readonly wants: string; readonly act: string }>
>;

/** The whole of it is among the values; a title of many lines would push them away. */
const MAX_VALUE = 100;
/** No value ends the quotation that it stands in: neither does what looks like its mark, such as two apostrophes. */
const QUOTES = /["“”„‟«»「」『』〝〞〟＂❝❞🙶🙷🙸﹁﹂﹃﹄｢｣⹂″‶〃ʺ˝˶ˮ״]|(?:['‘’‚‛′‵ʹʼ＇`´][\u{fe0e}\u{fe0f}]*){2,}/gu;

/**
 * Defines a sentence with holes, in every language. What fills them may be anyone's: it is cut and made safe to show, and
 * a sentence that has it in “” cannot be extended by it.
 */
export function defineDescription<Values extends readonly string[]>(
  words: Words<Values>,
): (locale: Locale, ...values: Values) => CallDescription {
  return (locale, ...values) => words[locale](...(values.map(shorten) as unknown as Values));
}

export const fitQuotation = (value: string): string => value.replaceAll(QUOTES, "'");

function shorten(value: string): string {
  const { text, cut } = displayValue(fitQuotation(value), MAX_VALUE);
  return cut === 0 ? text : `${text}… (+${cut})`;
}

/** Its end says more than its beginning: the name of a file, whose host it is. */
function keepEnd(value: string): string {
  const letters = [...value];
  const isShort = (text: string) => displayValue(text, MAX_VALUE).cut === 0;
  if (letters.length <= MAX_VALUE && isShort(value)) return value;
  // Shown, a hidden character takes the room of eight, an emoji that of two.
  let start = Math.max(1, letters.length - MAX_VALUE + 1);
  while (!isShort(`…${letters.slice(start).join('')}`)) start++;
  return `…${letters.slice(start).join('')}`;
}

/** A web address: the host in its ASCII form, which no look-alike letter survives, and apart from it what follows. */
interface Address {
  /** With the scheme where that is not HTTPS, and never with a user name, which looks like a host. */
  readonly host: string;
  readonly path: string;
}

export function readAddress(url: unknown): Address | undefined {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return undefined;
  const { protocol, host, origin, pathname, search } = parsed;
  const path = `${pathname}${search}`;
  return { host: keepEnd(protocol === 'https:' ? host : origin), path: path === '/' ? '' : path };
}

/** In a sentence, after the host. */
const quotePath = (path: string) => (path === '' ? '' : `: “${path}”`);
const quotePathInChinese = (path: string) => (path === '' ? '' : `：“${path}”`);

export const describeLocation = defineDescription({
  en: () => ({ wants: 'read your location', act: 'share location' }),
  'zh-CN': () => ({ wants: '读取您的位置', act: '共享位置' }),
});

export const describeClipboard = defineDescription({
  en: () => ({ wants: 'read what you last copied', act: 'share what I copied' }),
  'zh-CN': () => ({ wants: '读取您最近复制的内容', act: '共享复制的内容' }),
});

export const describeNotification = defineDescription({
  en: (title: string) => ({ wants: `show you the notification “${title}”`, act: 'show it' }),
  'zh-CN': (title: string) => ({ wants: `向您显示通知“${title}”`, act: '显示通知' }),
});

export const describeChosenFile = defineDescription({
  en: () => ({ wants: 'read a file that you choose', act: 'choose a file' }),
  'zh-CN': () => ({ wants: '读取您选择的一个文件', act: '选择文件' }),
});

const describePath = defineDescription({
  en: (path: string) => ({ wants: `read the file “${path}”`, act: 'share the file' }),
  'zh-CN': (path: string) => ({ wants: `读取文件“${path}”`, act: '共享文件' }),
});

export const describeFile = (locale: Locale, path: string): CallDescription => describePath(locale, keepEnd(path));

export const describePage = defineDescription({
  en: (host: string, path: string) => ({ wants: `open a page on ${host}${quotePath(path)}`, act: 'open it' }),
  'zh-CN': (host: string, path: string) => ({
    wants: `打开 ${host} 的网页${quotePathInChinese(path)}`,
    act: '打开',
  }),
});

export const describeUpload = defineDescription({
  en: (host: string, path: string) => ({ wants: `send data to ${host}${quotePath(path)}`, act: 'send it' }),
  'zh-CN': (host: string, path: string) => ({
    wants: `向 ${host} 发送数据${quotePathInChinese(path)}`,
    act: '发送',
  }),
});
