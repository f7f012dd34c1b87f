const MAX_LENGTH = 200;

/**
 * Matches characters that a reader cannot see or that move the text around them: controls, line and paragraph
 * separators, bidi and other format characters, zero-width and filler characters, private use, lone surrogates.
 * Unassigned characters are not included: which they are depends on the platform's Unicode version. U+FE0E and U+FE0F
 * only choose a glyph.
 */
const UNSEEN = /(?![\u{fe0e}\u{fe0f}])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u{2800}]/u;
const UNSEEN_OR_SPACE = new RegExp(`${UNSEEN.source}|\\p{Zs}|[\\u{fe0e}\\u{fe0f}]`, 'u');
const UNSEEN_ALL = new RegExp(UNSEEN.source, 'gu');
/** Most texts match this, and need no change. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** True if no character of it is a space or hidden from a reader (CM-9). */
export function isPrintable(text: string): boolean {
  return !UNSEEN_OR_SPACE.test(text);
}

/**
 * Makes untrusted text fit to be shown: on one line, with nothing hidden, and at most `max` UTF-16 units long. Applying
 * it twice is the same as once.
 */
export function displayText(text: string, max = MAX_LENGTH): string {
  if (text.length <= max && PLAIN.test(text)) return text;
  const head = text.slice(0, max * 8);
  const seen = head
    .replaceAll(/\p{Zs}+/gu, ' ')
    .replaceAll(UNSEEN_ALL, makeVisible)
    .replaceAll(STACKED_MARKS, '$1')
    .trim();
  if (head.length === text.length && seen.length <= max) return seen;
  return `${cut(seen, max - 1)}…`;
}

export interface DisplayedValue {
  readonly text: string;
  /** How many characters (code points) at the end did not fit; 0 if all of it is shown. */
  readonly cut: number;
}

/** One piece of a value: a run of spaces, a mark on top of four others, or any one character. */
const PIECE = /([ \u3000])\1{4,}|(?<=\p{M}{4})(\p{M})|./gsu;
const UNSEEN_OR_ODD_SPACE = new RegExp(`${UNSEEN.source}|[^\\P{Zs} \\u3000]`, 'u');

/**
 * Shows an untrusted value to someone who decides about it. Unlike with `displayText` nothing is joined or dropped:
 * hidden characters are named, a run of spaces by its length, and what does not fit into `max` UTF-16 units is counted.
 */
export function displayValue(value: string, max: number): DisplayedValue {
  if (value.length <= max && PLAIN.test(value)) return { text: value, cut: 0 };
  let text = '';
  for (const { 0: piece, 1: space, 2: stacked, index } of value.matchAll(PIECE)) {
    const isNamed = stacked !== undefined || UNSEEN_OR_ODD_SPACE.test(piece);
    const shown = space === undefined ? (isNamed ? makeVisible(piece) : piece) : `[${piece.length} × ${nameOf(space)}]`;
    if (text.length + shown.length > max) return { text, cut: [...value.slice(index)].length };
    text += shown;
  }
  return { text, cut: 0 };
}

/** Joiners where writing needs them: inside an emoji, and between letters of a script that joins (Arabic, Indic). */
const JOINED =
  /(?<=\p{ExtPict}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{ExtPict})|(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Mlym}\p{scx=Sinh}][\p{M}]?)[\u200c\u200d](?=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Mlym}\p{scx=Sinh}])/gu;
const TYPED = new RegExp(`\\r\\n?|[\\n\\t]|(${JOINED.source})|(?<=\\p{M}{4})\\p{M}|${UNSEEN.source}`, 'gu');

/**
 * Shows a message as it was typed: its line breaks, tabs and spaces stay, and nothing is joined or dropped. Hidden
 * characters are named, but for joiners where writing needs them.
 */
export function displayLines(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(TYPED, (character, joiner: string | undefined) => {
    if (joiner !== undefined || character === '\n' || character === '\t') return character;
    return character.startsWith('\r') ? '\n' : makeVisible(character);
  });
}

function makeVisible(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `[${nameOf(character)}]`;
}

function nameOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

function cut(text: string, length: number): string {
  const high = text.charCodeAt(length - 1);
  return text.slice(0, high >= 0xd800 && high <= 0xdbff ? length - 1 : length).trimEnd();
}
