import { createInstances } from '../instance/instances.ts';
import type { Json, JsonObject } from '../json.ts';
import { createJudges, type Judges } from '../judge/judge.ts';
import { createRandom, type Random } from '../random.ts';
import { makePairs, type Pair } from './pairs.ts';
import { Report } from './report.ts';
import type { Comparison, FailureKind, Subject } from './subject.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly pairs: number;
  /** The number of instances for each silent pair; a breaking one gets a third of them. */
  readonly instances: number;
  /** The number of the first pair, to repeat one. */
  readonly from?: number;
  readonly maxFailures?: number;
  /** Looks only for pairs that were wrongly called silent, or the same. */
  readonly hunt?: boolean;
  /** Called before each pair; true ends the run. */
  readonly isOver?: (report: Report) => boolean;
}

/** One of this many pairs is judged by both judges on every instance, to measure how often they disagree. */
const HEARING = 16;

/**
 * Makes pairs of schemas and instances, and compares the subject's verdicts with independent judges (DF-21). Only
 * verdicts that the judges agree on count. The same options give the same run.
 */
export function fuzz(subject: Subject, options: FuzzOptions): Report {
  const report = new Report();
  const { seed, pairs, from = 0, maxFailures = 1 } = options;
  for (let number = from; report.pairs < pairs; number++) {
    if (report.failures.length >= maxFailures || options.isOver?.(report)) break;
    const random = createRandom(seed, number);
    const compare = subject.open();
    const earlier: Pair[] = [];
    for (const { before, after } of makePairs(random)) {
      report.pairs++;
      const said = compare(before, after);
      if (said === undefined) report.refused++;
      else if (said.silent || !options.hunt)
        new Trial(report, { subject, options, random, number, before, after, earlier }).run(said);
      earlier.push({ before, after });
    }
  }
  return report;
}

interface Setting extends Pair {
  readonly subject: Subject;
  readonly options: FuzzOptions;
  readonly random: Random;
  readonly number: number;
  readonly earlier: readonly Pair[];
}

/** Tests one pair with the judges. */
class Trial {
  readonly #report: Report;
  readonly #setting: Setting;
  readonly #old: Judges;
  readonly #now: Judges;

  constructor(report: Report, setting: Setting) {
    this.#report = report;
    this.#setting = setting;
    this.#old = createJudges(setting.before);
    this.#now = createJudges(setting.after);
  }

  run(said: Comparison): void {
    const witnessed = this.#checkWitnesses(said.witnesses);
    const shown = this.#tryInstances(said.silent);
    if (said.same) this.#tryReverse();
    if (said.silent) this.#report.silent++;
    else this.#report.addBreaking(witnessed ? 'witnessed' : shown ? 'shown' : 'doubtful', said.undecided);
  }

  #fail(kind: FailureKind, instance: Json, { before, after }: Pair = this.#setting): void {
    const { number: pair, earlier } = this.#setting;
    this.#report.failures.push({ kind, pair, before, after, instance, earlier: [...earlier] });
  }

  #checkWitnesses(witnesses: readonly Json[]): boolean {
    let confirmed = false;
    for (const witness of witnesses) {
      const [accepted, kept] = [this.#old.verdict(witness), this.#now.verdict(witness)];
      if (accepted === false || kept === true) this.#fail('false witness', witness);
      else if (accepted && kept === false) confirmed = true;
    }
    return confirmed;
  }

  /** Does the old schema accept one of them and the new one reject it? */
  #tryInstances(silent: boolean): boolean {
    const { random, before, after, options } = this.#setting;
    const instances = createInstances(random, before, after);
    const accepted: Json[] = [];
    let shown = false;
    for (let left = silent ? options.instances : Math.ceil(options.instances / 3); left > 0; left--) {
      const value = instances.next(accepted);
      const [isAccepted, isKept] = [this.#old.first(value), this.#now.first(value)];
      this.#report.instances++;
      if (isAccepted) {
        this.#report.accepted++;
        if (accepted.length < 20) accepted.push(value);
      }
      if (!options.hunt) this.#compareVerdicts(value, isAccepted, isKept);
      if (!isAccepted || isKept || this.#old.verdict(value) !== true || this.#now.verdict(value) !== false) continue;
      shown = true;
      if (!silent) continue;
      this.#fail('unsound', value);
      break;
    }
    return shown;
  }

  /** Tests the other direction: the old schema must accept everything that the new one accepts. */
  #tryReverse(): void {
    const { random, before, after, options } = this.#setting;
    const instances = createInstances(random, after, before);
    const accepted: Json[] = [];
    this.#report.same++;
    for (let left = options.instances; left > 0; left--) {
      const value = instances.next(accepted);
      this.#report.instances++;
      if (!this.#now.first(value)) continue;
      if (accepted.length < 20) accepted.push(value);
      if (this.#old.first(value) || this.#now.verdict(value) !== true || this.#old.verdict(value) !== false) continue;
      this.#fail('not the same', value);
      break;
    }
  }

  #compareVerdicts(value: Json, isAccepted: boolean, isKept: boolean): void {
    const { before, after, number } = this.#setting;
    const sides: [Judges, JsonObject, boolean][] = [
      [this.#old, before, isAccepted],
      [this.#now, after, isKept],
    ];
    for (const [judges, schema, opinion] of sides) {
      const own = this.#check(schema)(value);
      if (own !== opinion && judges.verdict(value) === !own)
        this.#fail('wrong verdict', value, { before: schema, after: schema });
      if (number % HEARING === 0) this.#report.addHearing(opinion, judges.second(value));
    }
  }

  readonly #checks = new Map<JsonObject, (value: Json) => boolean>();

  #check(schema: JsonObject): (value: Json) => boolean {
    const check = this.#checks.get(schema) ?? this.#setting.subject.check(schema);
    this.#checks.set(schema, check);
    return check;
  }
}
