import { type Cursor, isDigit, isLetter } from './cursor.ts';
import { translateProperty } from './property.ts';

/** The WhiteSpace and LineTerminator of ECMA-262; RE2's own `\s` has five ASCII characters. */
export const SPACE =
  '\\x09-\\x0d\\x20\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
export const NOT_SPACE =
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x9f\\xa1-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

const CONTROLS: ReadonlyMap<string, number> = new Map(
  Object.entries({ '0': 0, a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 }),
);

/** Reads what follows a backslash: a code point, or a set of them as RE2 text that may stand between brackets. */
export function readEscape(cursor: Cursor): number | string | undefined {
  const char = cursor.take();
  switch (char) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
      return `\\${char}`;
    case 's':
      return SPACE;
    case 'S':
      return NOT_SPACE;
    case 'p':
    case 'P':
      return readProperty(cursor, char);
    case 'x':
      return cursor.eat('{') ? parseHex(cursor.takeUntil('}')) : readHex(cursor, 2);
    case 'u':
      return cursor.eat('{') ? parseHex(cursor.takeUntil('}')) : readUnit(cursor);
    case 'c': {
      const letter = cursor.take();
      return isLetter(letter) ? letter.charCodeAt(0) % 32 : undefined;
    }
    case '0':
      if (cursor.takeWhile(isDigit) !== '') return undefined;
  }
  // 1 to 9 are back-references, though RE2 reads `\12` as an octal number.
  const isPunctuation = char !== '' && char <= '\x7f' && !isDigit(char) && !isLetter(char);
  return isPunctuation ? char.charCodeAt(0) : CONTROLS.get(char);
}

function readProperty(cursor: Cursor, kind: string): string | undefined {
  if (cursor.eat('{')) {
    const name = translateProperty(cursor.takeUntil('}') ?? '');
    return name === undefined ? undefined : `\\${kind}{${name}}`;
  }
  const letter = cursor.take();
  return isLetter(letter) ? `\\${kind}${letter}` : undefined;
}

/** Two escaped halves of a surrogate pair are one code point. */
function readUnit(cursor: Cursor): number | undefined {
  const unit = readHex(cursor, 4);
  const end = cursor.at;
  if (unit === undefined || unit < 0xd800 || unit > 0xdbff || !cursor.eat('\\u')) return unit;
  const low = readHex(cursor, 4);
  if (low !== undefined && low >= 0xdc00 && low <= 0xdfff) return (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
  cursor.at = end;
  return unit;
}

function readHex(cursor: Cursor, digits: number): number | undefined {
  let text = '';
  while (text.length < digits && !cursor.done) text += cursor.take();
  return text.length === digits ? parseHex(text) : undefined;
}

function parseHex(text: string | undefined): number | undefined {
  let value = text === '' ? Number.NaN : 0;
  for (const digit of text ?? '?') value = value * 16 + (HEX_DIGITS.get(digit) ?? Number.NaN);
  return value <= 0x10ffff ? value : undefined;
}

const HEX_DIGITS: ReadonlyMap<string, number> = new Map(
  [...'0123456789abcdef0123456789ABCDEF'].map((digit, index) => [digit, index % 16]),
);
