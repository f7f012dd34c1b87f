export interface Piece {
  readonly text: string;
  /** Where a link leads, as a browser reads it: in ASCII. */
  readonly href?: string;
}

/**
 * Han, Kana and Hangul end a bare address: sentences in these scripts go on without a space. So do hidden characters,
 * which would be no part of it on paper.
 */
const BARE =
  /(?<![A-Za-z0-9_])https?:\/\/[^\s<>"`\p{C}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff00-\uffef]+/giu;
const AT_THE_END = new Set(".,;:!?'*_~");
const PAIRS = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** Cuts a text into plain pieces and the addresses in it. Every character is in one of them. */
export function findLinks(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(BARE)) {
    const address = trimAddress(match);
    const href = readAddress(address);
    if (href === undefined) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: address, href });
    end = index + address.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/**
 * What follows an address in a sentence is no part of it; nor is a bracket that it is in. Character by character: a
 * pattern that looks for its end, or counting again for each bracket, takes minutes for a hundred thousand of them.
 */
function trimAddress(address: string): string {
  const surplus = new Map([...PAIRS].map(([close, open]) => [close, count(address, close) - count(address, open)]));
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    const over = surplus.get(last) ?? 0;
    if (over > 0) surplus.set(last, over - 1);
    else if (!AT_THE_END.has(last)) break;
  }
  return address.slice(0, end);
}

const count = (text: string, character: string) => text.split(character).length - 1;

/** Undefined for what leads nowhere that a person may be sent. */
export function readAddress(address: string): string | undefined {
  if (!/^(https?|mailto):/i.test(address)) return undefined;
  try {
    return new URL(address).href;
  } catch {
    return undefined;
  }
}

/** The part that says whose it is. */
export function hostOf(href: string): string {
  const { protocol, host, pathname } = new URL(href);
  return protocol === 'mailto:' ? pathname : host;
}

/** A name of the DNS. Not more labels than these, so that one that never ends is not read again from each of them. */
const NAME = /(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}(?:xn--[a-z0-9-]{1,59}|\p{L}{2,24})(?![\p{L}\p{N}])/giu;
const IP = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|\[[\da-f:.]{2,45}\]/gi;
/** What is not seen, or stands on a letter: between the letters of a name it would make two of it. */
const UNSEEN = /[\p{Cf}\p{DI}\p{M}]/gu;
/** Full stops to a browser, or to the eye (the confusables of Unicode). NFKC makes more of them the ASCII one. */
const DOTS = /[\u3002\u0660\u06f0\u0701\u0702\ua4f8\ua60e\u{10a50}\u{1d16d}]/gu;

/**
 * Does the text of a link name another place than the one it leads to? A path may look like a name; it is none. A full
 * stop of Chinese counts as a dot, also between two sentences: that the host is shown in vain does no harm.
 */
export function namesAnother(label: string, href: string): boolean {
  const own = nameOf(href);
  const text = label.normalize('NFKC').replace(UNSEEN, '').replace(DOTS, '.');
  // An address may stand behind anything: a bracket, a quotation mark, a word and a colon.
  const authorities = text.split(/\s+|:[/\\]+|[/\\]{2,}/).map((part) => part.split(/[/?#]/, 1)[0]!);
  const named = authorities.flatMap((authority) => [...authority.matchAll(NAME), ...authority.matchAll(IP)]);
  // Nor is each a name of the DNS: `localhost`, one number.
  const led = findLinks(text).flatMap((piece) => (piece.href === undefined ? [] : [nameOf(piece.href)]));
  return [...named.map(([name]) => withoutWww(name)), ...led].some((name) => name !== own);
}

const nameOf = (href: string) => withoutWww(hostOf(href).replace(/^.*@|:\d+$/g, ''));
const withoutWww = (host: string) => host.toLowerCase().replace(/^www\./, '');

/** Whose page a program would open. It takes spaces before an address, and line breaks within, for nothing. */
export function webHostOf(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const { protocol, host } = new URL(value);
  return protocol === 'http:' || protocol === 'https:' ? host : undefined;
}
