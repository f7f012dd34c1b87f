import { isParleyError, type Params, ParleyError } from '@parley/base';
import { ERRORS, START_ERRORS, startError } from './errors.ts';

/** The server does not start; lists every reason that could be found at once. */
export class StartErrors extends ParleyError<'NOT_STARTED'> {
  readonly errors: readonly ParleyError[];

  constructor(errors: readonly ParleyError[]) {
    super('NOT_STARTED', ERRORS.NOT_STARTED);
    this.name = 'StartErrors';
    this.errors = errors;
  }
}

/** Returns the reasons that an error stands for, or undefined for an unexpected error. */
export function listStartErrors(error: unknown): readonly ParleyError[] | undefined {
  if (error instanceof StartErrors) return error.errors;
  return isParleyError(error) && Object.hasOwn(START_ERRORS, error.code) ? [error] : undefined;
}

/** A reason as one process reports it to another. */
export interface StartProblem {
  readonly code: keyof typeof START_ERRORS;
  readonly params: Params;
}

export function toProblem({ code, params }: ParleyError): StartProblem {
  return { code: code as StartProblem['code'], params };
}

export function fromProblem({ code, params }: StartProblem): ParleyError {
  return startError(code, { params });
}
