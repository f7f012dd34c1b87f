/** What a JSON parser can expect at a position. The sentences are in the locale tables. */
export type Expected =
  | 'value'
  | 'key'
  | 'colon'
  | 'comma_or_brace'
  | 'comma_or_bracket'
  | 'end'
  | 'digit'
  | 'closing_quote'
  | 'escape'
  | 'hex_digit'
  | 'escaped_control';

/** Thrown by the functions below and caught by `scan`; it never leaves this folder. */
export class JsonSyntaxError extends Error {
  readonly at: number;
  readonly expected: Expected;

  constructor(at: number, expected: Expected) {
    super(expected);
    this.at = at;
    this.expected = expected;
  }
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SMALL_E = 0x65;
const SMALL_U = 0x75;
const BACKSLASH = 0x5c;
const LOWER_CASE = 0x20;
export const QUOTE = 0x22;
const SHORT_STRING = 24;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be found
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/g;

export function skipSpace(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return at;
    at++;
  }
}

export function skipWord(text: string, at: number): number {
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, at)) return at + word.length;
  throw new JsonSyntaxError(at, 'value');
}

export function startsNumber(code: number): boolean {
  return code === MINUS || isDigit(code);
}

export function skipNumber(text: string, at: number): number {
  if (text.charCodeAt(at) === MINUS) at++;
  at = text.charCodeAt(at) === ZERO ? at + 1 : skipDigits(text, at);
  if (text.charCodeAt(at) === POINT) at = skipDigits(text, at + 1);
  if ((text.charCodeAt(at) | LOWER_CASE) === SMALL_E) {
    const sign = text.charCodeAt(at + 1);
    at = skipDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at;
}

function skipDigits(text: string, at: number): number {
  if (!isDigit(text.charCodeAt(at))) throw new JsonSyntaxError(at, 'digit');
  do at++;
  while (isDigit(text.charCodeAt(at)));
  return at;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/**
 * Returns the offset after the closing quote; it is negative if the text between differs from the string: an escape, a
 * surrogate.
 */
export function skipString(text: string, at: number): number {
  let literal = true;
  let longAt = ++at + SHORT_STRING;
  for (; ; at++) {
    if (at === longAt) at = findSpecial(text, at);
    const code = text.charCodeAt(at);
    if (code === QUOTE) return literal ? at + 1 : -at - 1;
    if (code === BACKSLASH) {
      at = skipEscape(text, at + 1);
      longAt = at + SHORT_STRING;
      literal = false;
    } else if (code >= 0xd800 && code <= 0xdfff) {
      longAt = at + SHORT_STRING;
      literal = false;
    } else if (!(code >= SPACE)) {
      throw new JsonSyntaxError(at, at >= text.length ? 'closing_quote' : 'escaped_control');
    }
  }
}

/** Two to three times as fast as checking each character, but only if the next special one is far. */
function findSpecial(text: string, at: number): number {
  SPECIAL.lastIndex = at;
  return SPECIAL.test(text) ? SPECIAL.lastIndex - 1 : text.length;
}

/** Returns the offset of the escape's last character. */
function skipEscape(text: string, at: number): number {
  if (text.charCodeAt(at) === SMALL_U) {
    for (let index = 1; index <= 4; index++) {
      if (!/^[\da-f]/i.test(text.charAt(at + index))) throw new JsonSyntaxError(at + index, 'hex_digit');
    }
    return at + 4;
  }
  if (at >= text.length || !'"\\/bfnrt'.includes(text.charAt(at))) throw new JsonSyntaxError(at, 'escape');
  return at;
}
