const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour is
const COLOUR = /\u001b\[[\d;]*m/g;
const CLOSING = '，。、；：？！）】”';
/** A piece that is not torn apart: a word with the spaces before it, or a wide character; either with what closes it. */
const PIECE = new RegExp(`(?:\\s*(?:(?!${WIDE.source})\\S)+|${WIDE.source})[${CLOSING}]*|\\s+`, 'g');

/** Columns in a terminal: most Chinese characters take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text.replace(COLOUR, '')) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** Breaks lines at spaces and between Chinese characters, which have none; line breaks in the text are kept. */
export function wrap(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns, ''))
    .join('\n');
}

/** Whole output fitted to a terminal: what goes on in the next line is indented, so that it reads as one. */
export function fit(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) =>
      displayWidth(line) <= columns ? [line] : wrapLine(line, columns, `${/^ */.exec(line)![0]}    `),
    )
    .join('\n');
}

function wrapLine(line: string, columns: number, hang: string): string[] {
  const lines: string[] = [];
  let current = '';
  for (const [piece] of line.matchAll(PIECE)) {
    if (current.trim() !== '' && displayWidth(current) + displayWidth(piece.trimEnd()) > columns) {
      lines.push(current.trimEnd());
      current = hang + piece.trimStart();
    } else {
      current += piece;
    }
  }
  return [...lines, current.trimEnd()];
}
