import { isFetchError } from '@parley/guarded-fetch';
import { SkillError } from '../skill-error.ts';

/** What a failed request means to whoever uses a skill. Throws on what is no error of the guarded fetch. */
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
