import type { Json } from '@parley/documents';

/** What a tool gave, as a person would name it. `other` has no name. */
export type ResultView =
  | { readonly kind: 'nothing' | 'shown' | 'other' }
  | { readonly kind: 'text'; readonly text: string; readonly bytes: number }
  | { readonly kind: 'file'; readonly bytes: number }
  | { readonly kind: 'place'; readonly latitude: number; readonly longitude: number; readonly accuracy?: number }
  | { readonly kind: 'page'; readonly status: number; readonly body: string; readonly truncated: boolean };

/** The shape decides, not the name of the tool: a result of another device may have any. */
export function readResult(result: Json | undefined): ResultView {
  if (result === undefined || result === null) return { kind: 'nothing' };
  if (typeof result === 'string') return toText(result);
  if (typeof result !== 'object' || Array.isArray(result)) return { kind: 'other' };
  const { latitude, longitude, accuracy, status_code, body, truncated, content, encoding, shown } = result as Record<
    string,
    Json
  >;
  // What has more in it than is named here is shown as it is.
  const only = (...names: string[]) => Object.keys(result).every((name) => names.includes(name));
  if (typeof latitude === 'number' && typeof longitude === 'number' && only('latitude', 'longitude', 'accuracy'))
    return { kind: 'place', latitude, longitude, ...(typeof accuracy === 'number' ? { accuracy } : {}) };
  if (typeof status_code === 'number' && typeof body === 'string')
    return { kind: 'page', status: status_code, body, truncated: truncated === true };
  if (typeof content === 'string' && only('content', 'encoding')) {
    if (encoding === 'base64') return { kind: 'file', bytes: Math.floor((content.replace(/=+$/, '').length * 3) / 4) };
    return toText(content);
  }
  return shown === true && only('shown') ? { kind: 'shown' } : { kind: 'other' };
}

const toText = (text: string): ResultView => ({ kind: 'text', text, bytes: new TextEncoder().encode(text).length });

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** Reads the title of a page. The page's policy lets nobody parse strange HTML, so it is looked for in the text. */
export function readTitle(html: string): string {
  const [, title = ''] = /<title(?:\s[^>]{0,1000})?>([^<]{0,2000})/i.exec(html) ?? [];
  const text = title.replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{2,4});/gi, (all, name: string) => {
    if (!name.startsWith('#')) return NAMED.get(name.toLowerCase()) ?? all;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
  return text.replaceAll(/\s+/g, ' ').trim();
}
