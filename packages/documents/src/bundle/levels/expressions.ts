import { checkCondition } from '../condition/check.ts';
import type { LevelReport } from '../reports.ts';

/**
 * The limit for all expressions of a bundle together: parsing a hostile one takes some 20 µs per character, and anyone
 * may send one.
 */
const MAX_TOTAL = 20_000;

/** Checks the expressions of one bundle, up to a limit that they share. */
export class Expressions {
  #left = MAX_TOTAL;

  check(source: string, variables: readonly string[], path: string, report: LevelReport): void {
    this.#left -= source.length;
    const problem =
      this.#left < 0 ? { reason: 'too_many', detail: String(MAX_TOTAL) } : checkCondition(source, variables);
    if (problem === undefined) return;
    report.push({ code: 'EXPRESSION_INVALID', severity: 'error', path, params: { ...problem } });
  }
}
