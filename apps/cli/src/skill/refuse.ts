import { EXIT } from '../failure.ts';
import { formatFindings } from '../manifest/findings.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { displayName } from '../show.ts';
import { type LoadedSkill, toFindings } from './load.ts';
import { wireViolation } from './validate.ts';

/** A command that needs a valid descriptor, and was given another. */
export function refuseInvalid(loaded: LoadedSkill, words: Words): Outcome {
  const { file, bytes, violations } = loaded;
  const message = words.say('skill.invalid', { file: displayName(file) });
  return {
    exit: EXIT.bad,
    json: { error: { code: 'VALIDATION_ERROR', message, violations: violations.map(wireViolation) } },
    text: () => '',
    complaints: (paint) =>
      `${formatFindings({ file, bytes, findings: toFindings(loaded) }, words, paint)}${paint('red', message)}\n`,
  };
}
