import stringWidth from 'string-width';
import { wrapLine } from './wrap-text.ts';

/** Counts terminal cells: a Chinese character or an emoji takes two, a colour or a combining mark none. */
export const displayWidth = (text: string): number => stringWidth(text);

/** Wraps the whole output to the terminal. Continued lines are indented. */
export function fitText(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (displayWidth(line) <= columns) return [line];
      return wrapLine(line, { columns, measure: displayWidth, indent: `${/^ */.exec(line)![0]}    ` });
    })
    .join('\n');
}
