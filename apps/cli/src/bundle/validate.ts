import { digestFiles } from '@parley/bundles';
import { type BundleValidation, validateBundle } from '@parley/documents/bundle';
import { EXIT } from '../failure.ts';
import { STDIN } from '../input.ts';
import { chooseFiles } from '../manifest/load.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { explainBundle } from './explain.ts';
import { formatValidation } from './format-validation.ts';
import { runtimesFor } from './runtimes.ts';
import { loadLocal, type Source } from './source.ts';
import { wireValidation } from './wire.ts';

/** All six levels of a manifest or of a bundle's folder (9.2). */
export async function validate(file: string = STDIN, words: Words, program: string): Promise<Outcome> {
  chooseFiles([file], `${program} validate`);
  const source = await loadLocal(file, words.locale).catch((error: unknown) => {
    throw explainBundle(error, words, program);
  });
  const validation = source.rejected ?? (await check(source, words));
  return {
    exit: validation.valid ? EXIT.fine : EXIT.bad,
    json: wireValidation(validation),
    text: (paint) => formatValidation(source, validation, { words, paint }),
  };
}

async function check({ manifest, kitFiles }: Source, { locale }: Words): Promise<BundleValidation> {
  const runtimes = runtimesFor(manifest);
  const kitDigests = new Map([...kitFiles].map(([id, files]) => [id, `sha256:${digestFiles(files)}`]));
  return validateBundle(manifest, { locale, kitDigests, ...(runtimes === undefined ? {} : { runtimes }) });
}

/** A bundle with errors, whichever command met it: `{ error, validation }` (BA-2). */
export function refuseInvalid(source: Source, validation: BundleValidation, words: Words): Outcome {
  const message = words.say('bundle.has_errors', { errors: words.count('errors', validation.errors.length) });
  return {
    exit: EXIT.bad,
    json: { error: { code: 'BUNDLE_INVALID', message }, validation: wireValidation(validation) },
    text: () => '',
    complaints: (paint) => `${formatValidation(source, validation, { words, paint })}${paint('red', message)}\n`,
  };
}
