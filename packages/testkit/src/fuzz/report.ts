import type { Failure } from './subject.ts';

/** The statistics of a run. */
export class Report {
  pairs = 0;
  /** Pairs with a schema that the subject refuses. */
  refused = 0;
  silent = 0;
  /** Silent pairs that the subject called the same. */
  same = 0;
  breaking = 0;
  /** Breaking pairs with a witness that both judges confirm. */
  witnessed = 0;
  /** Breaking pairs without a witness for which some instance shows that they are. */
  shown = 0;
  /** Breaking pairs without either: they break by name (DF-2), or perhaps were only not proven. */
  doubtful = 0;
  /** Doubtful pairs that the subject could not decide. */
  undecided = 0;
  instances = 0;
  /** Instances that the old schema accepts. */
  accepted = 0;
  /** Verdicts of both judges that were compared, and those that differed. */
  compared = 0;
  disagreed = 0;
  /** Where doubtful pairs were not decided, and how often. */
  readonly reasons = new Map<string, number>();
  readonly failures: Failure[] = [];

  addBreaking(how: 'witnessed' | 'shown' | 'doubtful', reasons: readonly string[]): void {
    this.breaking++;
    this[how]++;
    if (how !== 'doubtful') return;
    if (reasons.length > 0) this.undecided++;
    for (const reason of new Set(reasons)) this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  addHearing(first: boolean, second: boolean | undefined): void {
    if (second === undefined) return;
    this.compared++;
    if (second !== first) this.disagreed++;
  }

  topReasons(count: number): [string, number][] {
    return [...this.reasons].sort((a, b) => b[1] - a[1]).slice(0, count);
  }
}
