import { displayText } from '@parley/documents';
import wrapAnsi from 'wrap-ansi';
import { displayWidth } from '../../fit-text.ts';

/** The mark before each line that someone else wrote. */
export const BAR = '│';

const MAX_LINE = 4_000;
const MAX_SPACES = 40;

/**
 * Makes the text of an agent or another person harmless, line by line: it cannot move the cursor, change colours or hide
 * anything. Spaces are kept as far as code and tables need them.
 */
export function untrustedLines(text: string, maxLines = 400): string[] {
  const lines = text.split(/\r\n|[\n\r]/);
  const shown = lines.slice(0, maxLines).map(untrustedLine);
  return lines.length > maxLines ? [...shown, `… (+${lines.length - maxLines})`] : shown;
}

function untrustedLine(line: string): string {
  const head = line.slice(0, MAX_LINE);
  const seen = head
    .replaceAll('\t', '  ')
    .replaceAll(/[^ ]+/g, (word) => displayText(word, MAX_LINE))
    .replaceAll(/ {2,}/g, (spaces) => spaces.slice(0, MAX_SPACES))
    .trimEnd();
  return head.length < line.length ? `${seen}…` : seen;
}

/** Puts a bar before every line, so that a stranger's text cannot look like a line of ours. */
export function quote(lines: readonly string[], bar: string, columns: number): string {
  const width = Math.max(10, columns - displayWidth(bar) - 1);
  return lines
    .flatMap((line) => breakLine(line, width))
    .map((line) => `${bar} ${line}\n`)
    .join('');
}

/** If the terminal wrapped the lines, the rest would begin without the bar. */
function breakLine(line: string, columns: number): string[] {
  const indent = /^ */.exec(line)![0].slice(0, Math.floor(columns / 2));
  const rows = wrapAnsi(line.trimStart(), columns - indent.length, { hard: true });
  return rows.split('\n').map((row) => indent + row);
}
