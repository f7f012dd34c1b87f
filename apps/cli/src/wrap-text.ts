const CJK =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3000-\\u303f\\uff00-\\uff60\\uffe0-\\uffe6]';
const CLOSING = '，。、；：？！）】”';
/** A unit that is never broken: a word with the spaces before it, or a CJK character, each with its closing punctuation. */
const PIECE = new RegExp(`(?:\\s*(?:(?!${CJK})\\S)+|${CJK})[${CLOSING}]*|\\s+`, 'gu');

export interface WrapOptions {
  readonly columns: number;
  /** Returns the number of terminal cells that a text takes. */
  measure(text: string): number;
  /** Every line after the first begins with it. */
  readonly indent?: string;
}

/** Breaks a line at spaces and between CJK characters. `wrap-ansi` knows only spaces, which Chinese sentences do not have. */
export function wrapLine(line: string, { columns, measure, indent = '' }: WrapOptions): string[] {
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const [piece] of line.matchAll(PIECE)) {
    if (current.trim() !== '' && width + measure(piece.trimEnd()) > columns) {
      lines.push(current.trimEnd());
      current = indent + piece.trimStart();
      width = measure(current);
    } else {
      current += piece;
      width += measure(piece);
    }
  }
  return [...lines, current.trimEnd()];
}

/** Existing line breaks are kept. */
export function wrapText(text: string, options: WrapOptions): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, options))
    .join('\n');
}
