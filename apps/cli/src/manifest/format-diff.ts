import type { Change, ManifestDiff } from '@parley/documents';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { displayName, displaySentence } from '../show.ts';

interface Pen {
  readonly words: Words;
  readonly paint: Paint;
}

/** The diff for a terminal: the verdict first, then tool by tool, whatever is breaking before the rest. */
export function formatDiff(diff: ManifestDiff, files: readonly [string, string], pen: Pen): string {
  const { words, paint } = pen;
  const title = paint('bold', files.map(displayName).join(' → '));
  if (diff.changes.length === 0) return `${title}\n${paint('green', words.say('diff.same'))}\n`;
  const groups = groupChanges(diff.changes).map((group) => formatGroup(group, pen));
  return `${title}\n${formatVerdict(diff, pen)}\n\n${groups.join('\n')}\n${formatSummary(diff, pen)}`;
}

function formatVerdict(diff: ManifestDiff, { words, paint }: Pen): string {
  if (!diff.breaking) return paint('green', words.say('diff.silent'));
  const scopes = diff.scopesRequiringReauth.map(displayName).join(words.say('list.separator'));
  return paint('red', scopes === '' ? words.say('diff.breaking') : words.say('diff.breaking_scopes', { scopes }));
}

interface Group {
  readonly kind: 'tool' | 'scope' | 'rest';
  readonly name: string;
  readonly changes: Change[];
}

const KINDS: readonly Group['kind'][] = ['tool', 'scope', 'rest'];

function groupChanges(changes: readonly Change[]): Group[] {
  const groups = new Map<string, Group>();
  for (const change of changes) {
    const kind = change.tool !== undefined ? 'tool' : change.scope !== undefined ? 'scope' : 'rest';
    const name = change.tool ?? change.scope ?? '';
    const group = groups.get(`${kind} ${name}`) ?? { kind, name, changes: [] };
    group.changes.push(change);
    groups.set(`${kind} ${name}`, group);
  }
  const breaks = (group: Group) => Number(group.changes.some((change) => change.breaking));
  return [...groups.values()].sort((a, b) => breaks(b) - breaks(a) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

const MARKS = {
  breaking: { symbol: '✗', style: 'red' },
  notice: { symbol: '●', style: 'yellow' },
  none: { symbol: '·', style: 'dim' },
} as const;

function formatGroup(group: Group, pen: Pen): string {
  const { words, paint } = pen;
  const heading = words.say(`diff.group.${group.kind}`, { name: displayName(group.name) });
  const sorted = group.changes.toSorted((a, b) => rank(a) - rank(b));
  return `${paint('bold', heading)}\n${sorted.map((change) => formatChange(change, pen)).join('')}`;
}

function markOf(change: Change): keyof typeof MARKS {
  if (change.breaking) return 'breaking';
  return change.consent === 'notice' ? 'notice' : 'none';
}

function rank(change: Change): number {
  return Object.keys(MARKS).indexOf(markOf(change));
}

function formatChange(change: Change, { words, paint }: Pen): string {
  const mark = markOf(change);
  const { symbol, style } = MARKS[mark];
  const label = paint(style, `${symbol} ${words.say(`diff.mark.${mark}`)}`);
  const lines = [
    `  ${label}  ${displaySentence(change.message)}`,
    `      ${paint('dim', `${change.code} ${displayName(change.path)}`.trimEnd())}`,
  ];
  if (change.witness !== undefined) {
    const witness = displaySentence(JSON.stringify(change.witness));
    lines.push(`      ${words.say('diff.witness', { witness })}`);
  }
  return `${lines.join('\n')}\n`;
}

function formatSummary(diff: ManifestDiff, { words, paint }: Pen): string {
  const breaking = diff.changes.filter((change) => change.breaking).length;
  const summary = words.say('diff.summary', {
    breaking: words.count('breaking', breaking),
    others: words.count('other', diff.changes.length - breaking),
    policy: diff.policy,
  });
  return `${summary}\n${paint('dim', `${diff.oldHash}\n→ ${diff.newHash}`)}\n`;
}
