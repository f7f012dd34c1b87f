import { displayWidth, fit } from '../../width.ts';

/** The part of a text that fits, in columns. Colours are kept and ended. */
export function clip(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let width = 0;
  let shown = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour is
  for (const [piece] of text.matchAll(/\u001b\[[\d;]*m|./gsu)) {
    const isColour = piece.length > 1 && piece.startsWith('\u001b');
    const next = isColour ? 0 : displayWidth(piece);
    if (width + next > columns - 1) break;
    width += next;
    shown += piece;
  }
  return `${shown}…${shown.includes('\u001b') ? '\u001b[0m' : ''}`;
}

/** What of a line is drawn when it is longer than the screen is wide: a window that holds the cursor. */
export function scroll(text: string, cursor: number, columns: number): { shown: string; column: number } {
  const flat = (part: string) => part.replaceAll('\n', '⏎');
  const before = flat(text.slice(0, cursor));
  const column = displayWidth(before);
  if (column < columns) return { shown: take(before + flat(text.slice(cursor)), columns), column };
  let start = 0;
  let width = column;
  const characters = [...before];
  while (width >= columns - 1) width -= displayWidth(characters[start++]!);
  const kept = characters.slice(start).join('');
  return { shown: take(`…${kept}${flat(text.slice(cursor))}`, columns), column: width + 1 };
}

function take(text: string, columns: number): string {
  let width = 0;
  let shown = '';
  for (const character of text) {
    width += displayWidth(character);
    if (width > columns) break;
    shown += character;
  }
  return shown;
}

/** Whole lines of which none is wider than the screen: left to the terminal, the rest would begin like a line of ours. */
export function confine(text: string, columns: number): string {
  const lines = fit(text, columns).split('\n');
  return lines.flatMap((line) => (displayWidth(line) <= columns ? [line] : breakHard(line, columns))).join('\n');
}

function breakHard(line: string, columns: number): string[] {
  const indent = `${/^ */.exec(line)![0].slice(0, columns / 4)}    `;
  const parts: string[] = [];
  let current = '';
  let width = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour is
  for (const [piece] of line.matchAll(/\u001b\[[\d;]*m|./gsu)) {
    const next = displayWidth(piece);
    if (width + next > columns) {
      parts.push(current);
      current = indent;
      width = indent.length;
    }
    current += piece;
    width += next;
  }
  return [...parts, current];
}
