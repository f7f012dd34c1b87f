import wrapAnsi from 'wrap-ansi';
import { displayWidth, fitText } from '../../fit-text.ts';

/** Breaks a line at exactly this width, even inside words. Characters stay whole, and colours are repeated on each line. */
function breakHard(text: string, columns: number): string[] {
  return wrapAnsi(text, columns, { hard: true, wordWrap: false, trim: false }).split('\n');
}

/** Cuts a line to the width and marks that there was more. */
export function truncate(line: string, columns: number): string {
  return displayWidth(line) <= columns ? line : `${breakHard(line, columns - 1)[0]}…`;
}

const segmenter = new Intl.Segmenter();

/** Returns the part of a typed line that is drawn if it is wider than the screen: a window around the cursor. */
export function scrollToCursor(text: string, cursor: number, columns: number): { shown: string; column: number } {
  const oneLine = (part: string) => part.replaceAll('\n', '⏎');
  const [before, after] = [oneLine(text.slice(0, cursor)), oneLine(text.slice(cursor))];
  const column = displayWidth(before);
  const cut = (line: string) => breakHard(line, columns)[0]!;
  if (column < columns) return { shown: cut(before + after), column };
  let start = 0;
  let width = column;
  for (const { segment } of segmenter.segment(before)) {
    if (width < columns - 1) break;
    width -= displayWidth(segment);
    start += segment.length;
  }
  return { shown: cut(`…${before.slice(start)}${after}`), column: width + 1 };
}

/** Wraps lines to the width of the screen. If the terminal wrapped them, the rest could look like a line of ours. */
export function confine(text: string, columns: number): string {
  return fitText(text, columns)
    .split('\n')
    .flatMap((line) => {
      if (displayWidth(line) <= columns) return [line];
      const indent = `${/^ */.exec(line)![0].slice(0, columns / 4)}    `;
      const [first, ...rest] = breakHard(line, columns - indent.length);
      return [first!, ...rest.map((part) => indent + part)];
    })
    .join('\n');
}
