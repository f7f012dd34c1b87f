import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { formatFindings } from '../findings.ts';
import type { Words } from '../messages/index.ts';
import type { LoadedSkill } from './load.ts';
import { toViolationJson } from './validate.ts';

/** The result of a command that needs a valid descriptor and was given an invalid one. */
export function refuseInvalid(loaded: LoadedSkill, words: Words): CommandResult {
  const { file, violations } = loaded;
  const message = words.say('skill.invalid', { file: displayName(file) });
  return {
    exit: EXIT.bad,
    json: { error: { code: 'VALIDATION_ERROR', message, violations: violations.map(toViolationJson) } },
    text: () => '',
    stderr: (paint) => `${formatFindings(loaded, words, paint)}${paint('red', message)}\n`,
  };
}
