import { isParleyError, type Params, ParleyError } from '@parley/base';
import { ERRORS, START_ERRORS, startError } from './errors.ts';

/** The server does not start, for every reason that could be found at once. */
export class StartErrors extends ParleyError<'NOT_STARTED'> {
  readonly errors: readonly ParleyError[];

  constructor(errors: readonly ParleyError[]) {
    super('NOT_STARTED', ERRORS.NOT_STARTED);
    this.name = 'StartErrors';
    this.errors = errors;
  }
}

/** The reasons not to start that an error stands for; undefined if it is something else, a mistake of ours. */
export function listStartErrors(error: unknown): readonly ParleyError[] | undefined {
  if (error instanceof StartErrors) return error.errors;
  return isParleyError(error) && Object.hasOwn(START_ERRORS, error.code) ? [error] : undefined;
}

/** A reason as one process tells it to another. */
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
