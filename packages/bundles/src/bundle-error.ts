import { createErrorFactory } from '@parley/base';
import { ERRORS } from '@parley/protocol/errors';

/** A failed operation on a workspace, with a code of the wire's registry. Bad input is a returned value instead. */
export const bundleError = createErrorFactory(ERRORS);
