import { isFetchError } from '@parley/guarded-fetch';
import { SkillError } from '../skill-error.ts';

/** Turns an error of the guarded fetch into one for users of skills. Any other error is thrown again. */
export function fromFetchError(cause: unknown, reason?: string): SkillError {
  if (!isFetchError(cause)) throw cause;
  switch (cause.code) {
    case 'FETCH_BLOCKED':
      return new SkillError('ADDRESS_BLOCKED', { cause });
    case 'FETCH_TIMEOUT':
      return new SkillError('EXECUTION_TIMEOUT', { cause });
    case 'FETCH_REDIRECT_REFUSED':
      return new SkillError('ENDPOINT_UNREACHABLE', { details: { reason: reason ?? 'redirect_refused' }, cause });
    case 'FETCH_UNREACHABLE':
      return new SkillError('ENDPOINT_UNREACHABLE', { details: reason === undefined ? {} : { reason }, cause });
  }
}
