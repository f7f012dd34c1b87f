import { digestFiles } from '@parley/bundles';
import { type BundleValidation, toValidationReply, validateBundle } from '@parley/documents/bundle';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import { chooseFiles, STDIN } from '../input.ts';
import type { Words } from '../messages/index.ts';
import { formatValidation } from './format-validation.ts';
import { runtimesFor } from './runtimes.ts';
import { loadLocal, type Source } from './source.ts';

/** Validates a manifest or a bundle's folder at all six levels (9.2). */
export async function validate(file: string = STDIN, words: Words, program: string): Promise<CommandResult> {
  chooseFiles([file], `${program} validate`);
  const source = await loadLocal(file, words.locale);
  const validation = source.rejected ?? (await check(source, words));
  return {
    exit: validation.valid ? EXIT.fine : EXIT.bad,
    json: toValidationReply(validation),
    text: (paint) => formatValidation(source, validation, { words, paint }),
  };
}

async function check({ manifest, kitFiles }: Source, { locale }: Words): Promise<BundleValidation> {
  const runtimes = runtimesFor(manifest);
  const kitDigests = new Map([...kitFiles].map(([id, files]) => [id, `sha256:${digestFiles(files)}`]));
  return validateBundle(manifest, { locale, kitDigests, ...(runtimes === undefined ? {} : { runtimes }) });
}

/** The result of every command that was given an invalid bundle: `{ error, validation }` (BA-2). */
export function refuseInvalid(source: Source, validation: BundleValidation, words: Words): CommandResult {
  const message = words.say('bundle.has_errors', { errors: words.count('errors', validation.errors.length) });
  return {
    exit: EXIT.bad,
    json: { error: { code: 'BUNDLE_INVALID', message }, validation: toValidationReply(validation) },
    text: () => '',
    stderr: (paint) => `${formatValidation(source, validation, { words, paint })}${paint('red', message)}\n`,
  };
}
