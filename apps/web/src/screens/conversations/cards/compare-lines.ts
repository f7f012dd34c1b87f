export interface ComparedLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Beyond this many pairs of lines the differences are not looked for: all of it is old, or new. */
const MAX_PAIRS = 4_000_000;

/** Compares two texts line by line: the fewest lines are removed and added. */
export function compareLines(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const line = (kind: ComparedLine['kind']) => (text: string) => ({ kind, text });
  return [
    ...before.slice(0, start).map(line('same')),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(line('same')),
  ];
}

function compareMiddle(before: readonly string[], after: readonly string[]): ComparedLine[] {
  const removed = (text: string): ComparedLine => ({ kind: 'removed', text });
  const added = (text: string): ComparedLine => ({ kind: 'added', text });
  if (before.length * after.length > MAX_PAIRS) return [...before.map(removed), ...after.map(added)];
  const width = after.length + 1;
  /** How many lines are the same from here on. */
  const common = new Uint32Array((before.length + 1) * width);
  for (let a = before.length - 1; a >= 0; a--) {
    for (let b = after.length - 1; b >= 0; b--) {
      const here = a * width + b;
      common[here] =
        before[a] === after[b] ? common[here + width + 1]! + 1 : Math.max(common[here + width]!, common[here + 1]!);
    }
  }
  const lines: ComparedLine[] = [];
  let [a, b] = [0, 0];
  while (a < before.length && b < after.length) {
    const here = a * width + b;
    if (before[a] === after[b]) {
      lines.push({ kind: 'same', text: before[a]! });
      a++;
      b++;
    } else if (common[here + width]! >= common[here + 1]!) lines.push(removed(before[a++]!));
    else lines.push(added(after[b++]!));
  }
  return [...lines, ...before.slice(a).map(removed), ...after.slice(b).map(added)];
}
