import { createErrorFactory, isParleyError, type ParleyError } from '@parley/base';
import { ERRORS, type ErrorCode } from '@parley/protocol/errors';

/** A failed operation on a workspace, with a code of the wire's registry. Bad input is a returned value instead. */
export const bundleError = createErrorFactory(ERRORS);

export const isBundleError = (error: unknown): error is ParleyError<ErrorCode> =>
  isParleyError(error) && Object.hasOwn(ERRORS, error.code);
