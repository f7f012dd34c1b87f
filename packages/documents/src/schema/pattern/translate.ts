import { Cursor, isDigit, isLetter } from './cursor.ts';
import { NOT_SPACE, readEscape, SPACE } from './escape.ts';

const DOT = '[^\\n\\r\\x{2028}\\x{2029}]';
const EVERYTHING = '\\x00-\\x{10ffff}';
const MAX_REPEAT = 1000;
/** No code point above this one has two cases. */
const LAST_CASED = 0x1e943;

export interface Translation {
  readonly text: string;
  /** At least the number of instructions that RE2 will make of `text`; more if it is slow to compile. */
  readonly weight: number;
}

/**
 * Rewrites a pattern so that RE2 gives it the meaning of ECMA-262 (unicode mode), and keeps what only RE2 knows.
 * Returns undefined if RE2 would silently read something else; other errors are left to RE2.
 */
export function translatePattern(source: string): Translation | undefined {
  const translator = new Translator(source);
  while (!translator.done) if (!translator.readToken()) return undefined;
  return translator;
}

interface Group {
  weight: number;
  /** The weight of the last atom, which a repetition repeats. */
  last: number;
  dotAll: boolean;
}

class Translator implements Translation {
  text = '';
  readonly #cursor: Cursor;
  /**
   * The outermost group counts what every program has: failure, match, one captured group, and a jump if that is empty.
   */
  readonly #groups: Group[] = [{ weight: 5, last: 0, dotAll: false }];
  #ignoresCase = false;
  #sawEmptyClass = false;

  constructor(source: string) {
    this.#cursor = new Cursor(source);
  }

  get done(): boolean {
    return this.#cursor.done;
  }

  get weight(): number {
    return this.#group.weight;
  }

  get #group(): Group {
    return this.#groups.at(-1)!;
  }

  readToken(): boolean {
    const char = this.#cursor.take();
    switch (char) {
      case '\\':
        return this.#readEscape();
      case '[':
        return this.#readClass();
      case '(':
        return this.#openGroup();
      case ')':
        return this.#closeGroup();
      case '|':
        this.#group.weight += 2;
        this.text += char;
        return true;
      case '*':
      case '+':
      case '?':
        return this.#repeat(char, 1);
      case '{':
        return this.#readCount();
      case '.':
        return this.#add(this.#group.dotAll ? char : DOT);
      case ']':
        // `[]a]` starts with an empty class in ECMA-262; in RE2 it is a class of two characters.
        return !this.#sawEmptyClass && this.#add('\\]');
      default:
        return this.#add(char);
    }
  }

  #readEscape(): boolean {
    const cursor = this.#cursor;
    if (cursor.eat('s')) return this.#add(`[${SPACE}]`);
    if (cursor.eat('S')) return this.#add(`[^${SPACE}]`);
    for (const assertion of ['b', 'B', 'A', 'z']) if (cursor.eat(assertion)) return this.#add(`\\${assertion}`);
    if (cursor.eat('Q')) {
      const quotation = cursor.takeUntil('\\E') ?? cursor.takeWhile(() => true);
      for (const char of quotation) this.#add(hex(char.codePointAt(0)!));
      return true;
    }
    const meaning = readEscape(cursor);
    if (meaning === undefined) return false;
    return typeof meaning === 'number' ? this.#add(hex(meaning)) : this.#add(meaning, this.#weigh(meaning));
  }

  #readClass(): boolean {
    const cursor = this.#cursor;
    const negated = cursor.eat('^');
    let items = '';
    let weight = 1;
    while (!cursor.eat(']')) {
      const low = this.#readClassAtom();
      if (low === undefined) return false;
      if (typeof low === 'string') {
        items += low;
        weight += this.#weigh(low);
        continue;
      }
      const high = !cursor.looksAt('-]') && cursor.eat('-') ? this.#readClassAtom() : low;
      if (typeof high !== 'number' || high < low) return false;
      items += `${hex(low)}-${hex(high)}`;
      if (this.#ignoresCase) weight += Math.min(high - low, LAST_CASED) / 64;
    }
    if (items !== '') return this.#add(`[${negated ? '^' : ''}${items}]`, weight);
    this.#sawEmptyClass = true;
    return this.#add(`[${negated ? '' : '^'}${EVERYTHING}]`);
  }

  #readClassAtom(): number | string | undefined {
    const cursor = this.#cursor;
    if (cursor.eat('\\')) return cursor.eat('b') ? 8 : readEscape(cursor);
    const start = cursor.at;
    if (cursor.eat('[:')) {
      const sign = cursor.eat('^') ? '^' : '';
      const name = cursor.takeWhile(isLetter);
      if (name !== '' && cursor.eat(':]')) return `[:${sign}${name}:]`;
      cursor.at = start;
    }
    return cursor.take().codePointAt(0);
  }

  #readCount(): boolean {
    const cursor = this.#cursor;
    const start = cursor.at;
    const min = cursor.takeWhile(isDigit);
    const comma = cursor.eat(',') ? ',' : '';
    const max = comma && cursor.takeWhile(isDigit);
    if (min === '' || !cursor.eat('}')) {
      cursor.at = start;
      return this.#add('\\{');
    }
    const times = Math.max(Number(min), Number(max));
    // RE2 reads a count with leading zeros as literal text.
    const end = max && Number(max);
    return times <= MAX_REPEAT && this.#repeat(`{${Number(min)}${comma}${end}}`, Math.max(times, 1));
  }

  /** Capturing groups would only slow RE2 down. */
  #openGroup(): boolean {
    const cursor = this.#cursor;
    const { dotAll } = this.#group;
    if (!cursor.eat('?')) return this.#push('(?:', dotAll);
    if (!cursor.eat('P<') && !cursor.eat('<')) return this.#readFlags();
    const name = cursor.takeUntil('>');
    return name !== undefined && this.#push(`(?P<${name}>`, dotAll, 2);
  }

  #readFlags(): boolean {
    let { dotAll } = this.#group;
    let on = true;
    for (let flags = '(?'; ; ) {
      const flag = this.#cursor.take();
      flags += flag;
      if (flag === ':') return this.#push(flags, dotAll);
      if (flag === ')') {
        this.#group.dotAll = dotAll;
        this.text += flags;
        return true;
      }
      if (flag === '-') on = false;
      else if (flag === 's') dotAll = on;
      else if (flag === 'i') this.#ignoresCase ||= on;
      else if (flag !== 'm' && flag !== 'U') return false;
    }
  }

  #push(text: string, dotAll: boolean, weight = 1): boolean {
    this.text += text;
    this.#groups.push({ weight, last: 0, dotAll });
    return true;
  }

  #closeGroup(): boolean {
    const closed = this.#groups.pop()!;
    return this.#groups.length > 0 && this.#add(')', closed.weight);
  }

  #add(text: string, weight = 1): boolean {
    this.text += text;
    this.#group.weight += weight;
    this.#group.last = weight;
    return true;
  }

  #repeat(text: string, times: number): boolean {
    const grown = (this.#group.last + 1) * times + 1;
    this.text += text;
    this.#group.weight += grown - this.#group.last;
    this.#group.last = grown;
    return true;
  }

  /** RE2 expands a property to some hundred ranges, and folds the case of a range character by character. */
  #weigh(set: string): number {
    if (set === NOT_SPACE) return this.#ignoresCase ? 2000 : 1;
    return set.startsWith('\\p') || set.startsWith('\\P') ? (this.#ignoresCase ? 128 : 32) : 1;
  }
}

function hex(point: number): string {
  return `\\x{${point.toString(16)}}`;
}
