import type { Violation } from '@parley/documents/skill';
import { checkFiles } from '../check-files.ts';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';
import { loadSkill } from './load.ts';

export interface ValidateOptions {
  readonly development?: boolean;
}

/** Validates descriptor files (SD-5). */
export async function validateSkills(
  files: readonly string[],
  { development = false }: ValidateOptions,
  words: Words,
): Promise<CommandResult> {
  let isForDevelopment = false;
  const outcome = await checkFiles(files, {
    command: 'parley skill validate',
    words,
    load: async (file) => {
      const loaded = await loadSkill(file, { development, locale: words.locale });
      isForDevelopment ||= loaded.isForDevelopment;
      return loaded;
    },
    toJson: (loaded) => ({
      violations: loaded?.violations.map(toViolationJson) ?? [],
      warnings: loaded?.warnings.map(toViolationJson) ?? [],
    }),
  });
  const stderr = () => (isForDevelopment ? `${words.say('skill.development')}\n` : '');
  return { ...outcome, stderr };
}

export function toViolationJson({ field, expected, actual, message }: Violation) {
  return { field, expected, actual, message };
}
