import { type Change, type ChangeGroup, groupChanges, type ManifestDiff } from '@parley/documents';
import { displayName, displaySentence } from '../display.ts';
import type { Position } from '../locate-positions.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { plainWidth } from '../plain-width.ts';

/** What every function that formats a line needs. */
export interface Pen {
  readonly words: Words;
  readonly paint: Paint;
  readonly files: Readonly<Record<Change['side'], { readonly name: string; at(path: string): Position | undefined }>>;
}

/** Formats a diff for a terminal: first the verdict, then each tool, with breaking changes before the others. */
export function formatDiff(diff: ManifestDiff, pen: Pen): string {
  const { words, paint, files } = pen;
  const title = paint('bold', [files.old.name, files.new.name].map(displayName).join(' → '));
  if (diff.changes.length === 0) return `${title}\n${paint('green', words.say('diff.same'))}\n`;
  const groups = groupChanges(diff.changes, words.locale).map((group) => formatGroup(group, pen));
  return `${title}\n${formatVerdict(diff, pen)}\n\n${groups.join('\n')}\n${formatSummary(diff, pen)}`;
}

function formatVerdict(diff: ManifestDiff, { words, paint }: Pen): string {
  if (!diff.breaking) return paint('green', words.say('diff.silent'));
  const scopes = diff.scopesRequiringReauth.map(displayName).join(words.say('list.separator'));
  return paint('red', scopes === '' ? words.say('diff.breaking') : words.say('diff.breaking_scopes', { scopes }));
}

const MARKS = {
  breaking: { symbol: '✗', style: 'red' },
  notice: { symbol: '●', style: 'yellow' },
  none: { symbol: '·', style: 'dim' },
} as const;
const NAMES = Object.keys(MARKS) as (keyof typeof MARKS)[];

function formatGroup({ title, changes }: ChangeGroup, pen: Pen): string {
  const sorted = changes.toSorted((a, b) => rank(a) - rank(b));
  return `${pen.paint('bold', title)}\n${sorted.map((change) => formatChange(change, pen)).join('')}`;
}

function markOf(change: Change): keyof typeof MARKS {
  if (change.breaking) return 'breaking';
  return change.consent === 'notice' ? 'notice' : 'none';
}

function rank(change: Change): number {
  return NAMES.indexOf(markOf(change));
}

function formatChange(change: Change, { words, paint, files }: Pen): string {
  const mark = markOf(change);
  const { symbol, style } = MARKS[mark];
  const width = Math.max(...NAMES.map((name) => plainWidth(words.say(`diff.mark.${name}`))));
  const word = words.say(`diff.mark.${mark}`);
  const label = `${paint(style, `${symbol} ${word}`)}${' '.repeat(width - plainWidth(word))}`;
  const { name, at } = files[change.side];
  const position = at(change.path);
  const place = position === undefined ? displayName(name) : `${displayName(name)}:${position.line}:${position.column}`;
  return `  ${label}  ${displaySentence(change.message)}\n    ${paint('dim', `${place} ${change.code}`)}\n`;
}

function formatSummary(diff: ManifestDiff, { words, paint }: Pen): string {
  const breaking = diff.changes.filter((change) => change.breaking).length;
  const summary = words.say('diff.summary', {
    breaking: words.count('breaking', breaking),
    others: words.count('other', diff.changes.length - breaking),
    policy: diff.policy,
  });
  return `${summary}\n${paint('dim', `${diff.oldHash} →\n${diff.newHash}`)}\n`;
}
