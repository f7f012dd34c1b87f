import type { Message } from '@parley/documents';
import { displayName, displaySentence } from './display.ts';
import { locatePositions, type Position } from './locate-positions.ts';
import type { Words } from './messages/index.ts';
import type { Paint } from './paint.ts';

/** A file that was read, with its findings. */
export interface CheckedFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly findings: readonly Message[];
}

const COLOUR = { error: 'red', warning: 'yellow' } as const;

/** Formats the findings of one file in the order of lines, each as `file:line:column: severity: sentence [CODE]`. */
export function formatFindings(checked: CheckedFile, words: Words, paint: Paint): string {
  const file = displayName(checked.file);
  const lines = locateFindings(checked).map(({ finding, position }) => {
    const place = position === undefined ? file : `${file}:${position.line}:${position.column}`;
    const severity = paint(COLOUR[finding.severity], words.say(`severity.${finding.severity}`));
    const detail = [finding.code, displayName(finding.path)].filter((part) => part !== '').join(' ');
    return `${paint('bold', place)}: ${severity}: ${displaySentence(finding.message)} ${paint('dim', `[${detail}]`)}\n`;
  });
  return lines.join('');
}

interface LocatedFinding {
  readonly finding: Message;
  readonly position: Position | undefined;
}

function locateFindings({ bytes, findings }: CheckedFile): LocatedFinding[] {
  const text = new TextDecoder().decode(bytes);
  const located = findings.map((finding) => ({ finding, position: statedPosition(finding, bytes) }));
  const missing = located.filter(({ position }) => position === undefined);
  const found = locatePositions(
    text,
    missing.map(({ finding }) => finding.path),
  );
  return located
    .map(({ finding, position }) => ({ finding, position: position ?? found.get(finding.path) }))
    .sort((a, b) => order(a) - order(b));
}

/** If the text is not JSON, the parser knows the position best. */
function statedPosition({ params }: Message, bytes: Uint8Array): Position | undefined {
  const { line, column, offset } = params;
  if (typeof line === 'number' && typeof column === 'number') return { line, column };
  if (typeof offset !== 'number') return undefined;
  const before = new TextDecoder().decode(bytes.subarray(0, offset)).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

function order({ position }: LocatedFinding): number {
  return position === undefined ? 0 : position.line * 1e6 + Math.min(position.column, 1e6 - 1);
}

/** Formats the counts, such as “2 errors, 1 warning”. */
export function countFindings(findings: readonly Message[], words: Words): string {
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  const warnings = findings.length - errors;
  return [errors > 0 ? words.count('errors', errors) : '', warnings > 0 ? words.count('warnings', warnings) : '']
    .filter((part) => part !== '')
    .join(words.say('list.separator'));
}
