import type { Format } from '../format.ts';
import type { SchemaNode } from '../node.ts';
import type { Pattern } from '../pattern.ts';
import type { Run } from './run.ts';

export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}

/** The number of automaton states that are visited in about the time of one step. */
const THREADS_PER_STEP = 8;

export function matches(pattern: Pattern, text: string, run: Run): boolean {
  run.spend(1 + Math.floor((text.length * pattern.cost) / THREADS_PER_STEP));
  return pattern.test(text);
}

export function hasFormat(format: Format, text: string, run: Run): boolean {
  run.spend(format.steps(text.length));
  return format.test(text);
}

export function compileText(node: SchemaNode): ((text: string, run: Run) => boolean) | undefined {
  const { pattern, format, minLength: least = 0, maxLength: most = Number.POSITIVE_INFINITY } = node;
  const hasLength = node.minLength !== undefined || node.maxLength !== undefined;
  if (!hasLength && pattern === undefined && format === undefined) return undefined;

  const fits = (text: string, run: Run): boolean => {
    const units = text.length;
    // A code point is one or two units, so most texts need no count.
    if (units <= most && units >= 2 * least) return true;
    if (units < least || units > 2 * most) return false;
    run.spendOnText(units);
    const points = countCodePoints(text);
    return points >= least && points <= most;
  };
  if (pattern === undefined && format === undefined) return fits;
  return (text, run) => {
    if (hasLength && !fits(text, run)) return false;
    if (pattern !== undefined && !matches(pattern, text, run)) return false;
    return format === undefined || hasFormat(format, text, run);
  };
}
