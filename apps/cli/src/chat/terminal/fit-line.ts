import wrapAnsi from 'wrap-ansi';
import { displayWidth, fitText } from '../../fit-text.ts';

/** Breaks at exactly this width, also within words. Characters stay whole, and colours begin again on each line. */
function breakHard(text: string, columns: number): string[] {
  return wrapAnsi(text, columns, { hard: true, wordWrap: false, trim: false }).split('\n');
}

/** The part of a line that fits, with a sign that there was more. */
export function truncate(line: string, columns: number): string {
  return displayWidth(line) <= columns ? line : `${breakHard(line, columns - 1)[0]}…`;
}

const segmenter = new Intl.Segmenter();

/** What is drawn of a typed line that is longer than the screen is wide: a window that holds the cursor. */
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

/** Whole lines of which none is wider than the screen: left to the terminal, the rest would begin like a line of ours. */
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
