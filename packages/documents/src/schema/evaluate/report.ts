import type { Finding } from '../../finding.ts';
import type { Json } from '../../json/value.ts';
import type { ArgumentCode } from '../messages.ts';

/** Ends the search: enough has been found. */
export class Enough extends Error {}

export interface Bound {
  readonly keyword: string;
  readonly sign: '≥' | '>' | '≤' | '<';
  /** Undefined where the schema does not set it. */
  readonly limit: number | undefined;
}

/** Gathers findings, each once, up to a number. */
export class Report {
  readonly findings: Finding[] = [];
  private readonly seen = new Set<string>();
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  add(code: ArgumentCode, path: string, params: Readonly<Record<string, Json>> = {}): void {
    const key = JSON.stringify([code, path, params]);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.findings.push({ code, severity: 'error', path, params });
    if (this.findings.length >= this.max) throw new Enough();
  }

  /** Adds a finding for each bound that `value` is outside of. */
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
