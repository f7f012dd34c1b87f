import { isParleyError } from '@parley/base';
import { ApiError } from '@parley/messenger';
import { EXIT, Failure } from '../failure.ts';
import type { Words } from '../messages/index.ts';

const ENVIRONMENT = new Set(['UNREACHABLE', 'REPLY_INVALID', 'RATE_LIMITED']);

/** What a server refused, in the person's language. Anything else is a mistake of ours and goes on as it is. */
export function explainApi(error: unknown, { locale }: Words, program: string): unknown {
  if (!isParleyError(error)) return error;
  const { code } = error;
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 401 && code !== 'LOGIN_FAILED') {
    return new Failure('NOT_SIGNED_IN', EXIT.bad, { key: 'account.expired', params: { command: `${program} login` } });
  }
  const text = error.explain(locale);
  const exit = ENVIRONMENT.has(code) || status >= 500 ? EXIT.environment : EXIT.bad;
  // A status of 0: nobody was there to refuse.
  return new Failure(code, exit, { key: status === 0 ? 'account.failed' : 'account.refused', params: { text } });
}
