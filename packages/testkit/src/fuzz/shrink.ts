import { createJudges } from '../judge/judge.ts';
import { shrink } from '../shrink.ts';
import type { Failure, Subject } from './subject.ts';

/** The same failure with as little around it as possible. */
export function shrinkFailure(subject: Subject, failure: Failure): Failure {
  const { kind, pair } = failure;
  const { before, after, instance } = failure;
  const smaller = shrink({ before, after, instance }, (candidate) => {
    try {
      return holds(subject, { ...candidate, kind, pair });
    } catch {
      return false;
    }
  });
  return { kind, pair, ...smaller };
}

function holds(subject: Subject, { kind, before, after, instance }: Failure): boolean {
  const old = createJudges(before);
  if (kind === 'wrong verdict') return old.verdict(instance) === !subject.check(before)(instance);
  const now = createJudges(after);
  const said = subject.compare(before, after);
  if (said === undefined) return false;
  if (kind === 'unsound') return said.silent && old.verdict(instance) === true && now.verdict(instance) === false;
  return said.witnesses.some((witness) => isFalse(old.verdict(witness), now.verdict(witness)));
}

function isFalse(accepted: boolean | undefined, kept: boolean | undefined): boolean {
  return accepted === false || kept === true;
}
