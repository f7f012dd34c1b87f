import { isParleyError } from '@parley/base';
import { isBundleError } from '@parley/bundles';
import { displayText } from '@parley/documents';
import { explainApi } from '../account/explain.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Words } from '../messages/index.ts';

const ENVIRONMENT: ReadonlySet<string> = new Set(['WORKSPACE_BUSY', 'MIRROR_UNAVAILABLE']);

/** Why a bundle command could not do it. Anything else is a mistake of ours and goes on as it is. */
export function explainBundle(error: unknown, words: Words, program: string): unknown {
  if (isBundleError(error)) {
    const exit = ENVIRONMENT.has(error.code) ? EXIT.environment : EXIT.bad;
    return new Failure(error.code, exit, {
      key: 'bundle.refused',
      params: { text: error.explain(words.locale, (value) => displayText(String(value))) },
    });
  }
  if (isParleyError(error) && error.code.startsWith('STORE_')) {
    const text = error.explain(words.locale);
    return new Failure(error.code, EXIT.environment, { key: 'bundle.refused', params: { text } });
  }
  const { code, syscall, path = '' } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return explainApi(error, words, program);
  if (code === 'ENOENT')
    return new Failure('FOLDER_NOT_FOUND', EXIT.environment, { key: 'bundle.no_folder', params: { file: path } });
  return new Failure('FILE_UNUSABLE', EXIT.environment, { key: 'file.unusable', params: { file: path, reason: code } });
}
