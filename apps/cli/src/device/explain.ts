import { isParleyError } from '@parley/base';
import { ApiError } from '@parley/messenger';
import { explainApi } from '../account/explain.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Words } from '../messages/index.ts';

/** What goes wrong with the device of this machine, in the person's language. Anything else goes on as it is. */
export function explainDevice(error: unknown, words: Words): unknown {
  if (isParleyError(error) && /^(?:STORE|BACKUP)_/.test(error.code)) {
    const text = error.explain(words.locale);
    const isPerson = error.code.startsWith('BACKUP');
    return new Failure(error.code, isPerson ? EXIT.bad : EXIT.environment, { key: 'device.text', params: { text } });
  }
  if (isParleyError(error) && !(error instanceof ApiError)) {
    const text = error.explain(words.locale);
    const hint = error.code === 'OTHER_ACCOUNT' ? [{ key: 'device.forget_first' } as const] : [];
    return new Failure(error.code, EXIT.bad, { key: 'device.text', params: { text } }, ...hint);
  }
  return explainApi(error, words, 'parley');
}
