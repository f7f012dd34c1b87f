/** A position in a text. It moves forward, except where a caller moves it back. */
export class Cursor {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.at >= this.#text.length;
  }

  looksAt(text: string): boolean {
    return this.#text.startsWith(text, this.at);
  }

  /** Takes one character (a whole code point); empty at the end. */
  take(): string {
    const point = this.#text.codePointAt(this.at);
    const char = point === undefined ? '' : String.fromCodePoint(point);
    this.at += char.length;
    return char;
  }

  eat(text: string): boolean {
    const found = this.looksAt(text);
    if (found) this.at += text.length;
    return found;
  }

  takeWhile(accepts: (char: string) => boolean): string {
    const start = this.at;
    while (!this.done && accepts(this.#text.charAt(this.at))) this.at += 1;
    return this.#text.slice(start, this.at);
  }

  /** Returns the text before `end` and moves behind it. Without `end` it returns undefined and does not move. */
  takeUntil(end: string): string | undefined {
    const found = this.#text.indexOf(end, this.at);
    if (found < 0) return undefined;
    const taken = this.#text.slice(this.at, found);
    this.at = found + end.length;
    return taken;
  }
}

export function isDigit(char: string): boolean {
  return char.length === 1 && char >= '0' && char <= '9';
}

export function isLetter(char: string): boolean {
  return char.length === 1 && ((char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z'));
}
