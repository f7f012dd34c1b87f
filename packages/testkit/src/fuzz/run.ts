import { createInstances } from '../instance/instances.ts';
import type { Json, JsonObject } from '../json.ts';
import { createJudges, type Judges } from '../judge/judge.ts';
import { createRandom, type Random } from '../random.ts';
import { editSchema } from '../schema/edit.ts';
import { makeSchema } from '../schema/make.ts';
import { Report } from './report.ts';
import type { FailureKind, Subject } from './subject.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly pairs: number;
  /** Of each silent pair; a breaking one gets a third of them. */
  readonly instances: number;
  /** The first pair, to see one again. */
  readonly from?: number;
  readonly maxFailures?: number;
  /** Asked before each pair. */
  readonly isOver?: (report: Report) => boolean;
}

/** Of so many pairs one is heard by both judges on every instance, to know how often they disagree. */
const HEARING = 16;

/**
 * DF-21: makes pairs of schemas and instances, and holds what the subject says of them against two independent judges.
 * Only what both judges say counts. The same options give the same run.
 */
export function fuzz(subject: Subject, options: FuzzOptions): Report {
  const report = new Report();
  const { seed, pairs, from = 0, maxFailures = 1 } = options;
  for (let pair = from; pair < from + pairs; pair++) {
    if (report.failures.length >= maxFailures || options.isOver?.(report)) break;
    const random = createRandom(seed, pair);
    const before = makeSchema(random);
    const after = editSchema(random, before);
    tryPair(subject, report, { random, pair, before, after, count: options.instances });
    report.pairs++;
  }
  return report;
}

interface Pair {
  readonly random: Random;
  readonly pair: number;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly count: number;
}

function tryPair(subject: Subject, report: Report, { random, pair, before, after, count }: Pair): void {
  const said = subject.compare(before, after);
  if (said === undefined) {
    report.refused++;
    return;
  }
  const old = createJudges(before);
  const now = createJudges(after);
  const fail = (kind: FailureKind, instance: Json, versions = { before, after }) =>
    report.failures.push({ kind, pair, ...versions, instance });

  let witnessed = false;
  for (const witness of said.witnesses) {
    if (old.verdict(witness) === false || now.verdict(witness) === true) fail('false witness', witness);
    else if (old.verdict(witness) && now.verdict(witness) === false) witnessed = true;
  }

  const own = [subject.check(before), subject.check(after)] as const;
  const instances = createInstances(random, before, after);
  const accepted: Json[] = [];
  let shown = false;
  for (let left = said.silent ? count : Math.ceil(count / 3); left > 0; left--) {
    const value = instances.next(accepted);
    const opinions = [old.first(value), now.first(value)] as const;
    report.instances++;
    if (opinions[0]) {
      report.accepted++;
      if (accepted.length < 20) accepted.push(value);
    }
    if (pair % HEARING === 0) hear(report, [old, now], value);
    for (const [side, judge] of [old, now].entries()) {
      const opinion = own[side]!(value);
      const schema = side === 0 ? before : after;
      if (opinion !== opinions[side] && judge.verdict(value) === !opinion)
        fail('wrong verdict', value, { before: schema, after: schema });
    }
    if (!opinions[0] || opinions[1] || old.verdict(value) !== true || now.verdict(value) !== false) continue;
    shown = true;
    if (!said.silent) continue;
    fail('unsound', value);
    break;
  }
  if (said.silent) report.silent++;
  else report.addBreaking(witnessed ? 'witnessed' : shown ? 'shown' : 'doubtful', said.undecided);
}

function hear(report: Report, judges: readonly Judges[], value: Json): void {
  for (const judge of judges) {
    const second = judge.second(value);
    if (second === undefined) continue;
    report.compared++;
    if (second !== judge.first(value)) report.disagreed++;
  }
}
