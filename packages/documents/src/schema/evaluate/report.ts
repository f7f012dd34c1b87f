import { equalJson } from '../../json/equal.ts';
import type { Finding } from '../../json/finding.ts';
import type { Json } from '../../json/value.ts';
import type { ArgumentCode } from '../messages.ts';
import type { Run } from './run.ts';

/** Ends the search when enough has been found. */
export class FindingLimitReached extends Error {}

export interface Bound {
  readonly keyword: string;
  readonly sign: '≥' | '>' | '≤' | '<';
  /** Undefined if the schema does not set it. */
  readonly limit: number | undefined;
}

/** Collects findings without duplicates, up to a limit. */
export class Report {
  readonly findings: Finding[] = [];
  private readonly run: Run;
  private readonly max: number;

  constructor(run: Run, max: number) {
    this.run = run;
    this.max = max;
  }

  add(code: ArgumentCode, path: string, params: Readonly<Record<string, Json>> = {}): void {
    // A path is as long as the names in the value: a hundred of them could be a hundred times its size.
    this.run.spendOnText(4 * path.length);
    const isSame = (other: Finding) => other.code === code && other.path === path && equalJson(other.params, params);
    if (this.findings.some(isSame)) return;
    this.findings.push({ code, severity: 'error', path, params });
    if (this.findings.length >= this.max) throw new FindingLimitReached();
  }

  /** Adds a finding for each bound that `value` violates. */
  addBounds(code: ArgumentCode, path: string, value: number, bounds: readonly Bound[]): void {
    for (const { keyword, sign, limit } of bounds) {
      if (limit !== undefined && !keeps(value, sign, limit)) {
        this.add(code, path, { keyword, limit, bound: `${sign} ${limit}` });
      }
    }
  }
}

function keeps(value: number, sign: Bound['sign'], limit: number): boolean {
  switch (sign) {
    case '≥':
      return value >= limit;
    case '>':
      return value > limit;
    case '≤':
      return value <= limit;
    case '<':
      return value < limit;
  }
}
