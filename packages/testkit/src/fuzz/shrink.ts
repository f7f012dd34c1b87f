import { createJudges } from '../judge/judge.ts';
import { shrink } from '../shrink.ts';
import type { Failure, Subject } from './subject.ts';

/** Returns the same failure with as little around it as possible. */
export function shrinkFailure(subject: Subject, failure: Failure): Failure {
  const { kind, pair, earlier, ...parts } = failure;
  const fails = (candidate: typeof parts, before: Failure['earlier']) => {
    try {
      return holds(subject, { ...candidate, kind, pair, earlier: before });
    } catch {
      return false;
    }
  };
  const kept = fails(parts, []) ? [] : earlier;
  const smaller = shrink(parts, (candidate) => fails(candidate, kept));
  return { kind, pair, ...smaller, earlier: kept };
}

function holds(subject: Subject, { kind, before, after, instance, earlier }: Failure): boolean {
  const old = createJudges(before);
  if (kind === 'wrong verdict') return old.verdict(instance) === !subject.check(before)(instance);
  const now = createJudges(after);
  const compare = subject.open();
  for (const pair of earlier) compare(pair.before, pair.after);
  const said = compare(before, after);
  if (said === undefined) return false;
  if (kind === 'not the same') return said.same && old.verdict(instance) === false && now.verdict(instance) === true;
  if (kind === 'unsound') return said.silent && old.verdict(instance) === true && now.verdict(instance) === false;
  return said.witnesses.some((witness) => old.verdict(witness) === false || now.verdict(witness) === true);
}
