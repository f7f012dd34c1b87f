import type { Json } from '../../json/value.ts';
import { EvaluatedMembers } from './evaluated-members.ts';
import type { Run } from './run.ts';
import type { Test } from './test.ts';

type Composite = object;

/** The answers of one test in one run. */
interface Answers {
  /** While a scalar is checked no other value is, so it is enough to remember the last one. */
  scalar: Json | undefined;
  scalarPasses: boolean;
  readonly composites: Map<Composite, boolean>;
  /** The members that it marks; undefined if the test fails. */
  readonly marking: Map<Composite, readonly number[] | undefined>;
}

/**
 * The answers of a run. `allOf` or `$ref` may lead to one subschema and one value in exponentially many ways, and all
 * of them have the same answer.
 */
class Memo {
  readonly #tests = new Map<Test, Answers>();

  ask(test: Test, value: Json, run: Run, marks: EvaluatedMembers | undefined): boolean {
    const answers = this.#answersOf(test);
    if (typeof value !== 'object' || value === null) return askScalar(test, value, run, answers);
    if (marks !== undefined) return askMarking(test, value, run, { answers, marks });
    let passes = answers.composites.get(value);
    if (passes === undefined) {
      passes = test(value, run);
      answers.composites.set(value, passes);
    }
    return passes;
  }

  #answersOf(test: Test): Answers {
    let answers = this.#tests.get(test);
    if (answers === undefined) {
      answers = { scalar: undefined, scalarPasses: false, composites: new Map(), marking: new Map() };
      this.#tests.set(test, answers);
    }
    return answers;
  }
}

const memos = new WeakMap<Run, Memo>();

export function memoOf(run: Run): Memo {
  let memo = memos.get(run);
  if (memo === undefined) {
    memo = new Memo();
    memos.set(run, memo);
  }
  return memo;
}

function askScalar(test: Test, value: Json, run: Run, answers: Answers): boolean {
  if (typeof value === 'string') run.spendOnText(value.length);
  if (answers.scalar !== value) {
    answers.scalarPasses = test(value, run);
    answers.scalar = value;
  }
  return answers.scalarPasses;
}

/** Uses marks of its own: members that others marked before would not show. */
function askMarking(
  test: Test,
  value: Json & Composite,
  run: Run,
  { answers, marks }: { answers: Answers; marks: EvaluatedMembers },
): boolean {
  let places = answers.marking.get(value);
  if (places === undefined && !answers.marking.has(value)) {
    run.spend(marks.size);
    const own = new EvaluatedMembers(marks.size);
    places = test(value, run, own) ? own.places : undefined;
    answers.marking.set(value, places);
  }
  if (places === undefined) return false;
  run.spend(places.length);
  for (const place of places) marks.add(place);
  return true;
}
