import { ParleyError } from '@parley/base';
import { MESSENGER_ERRORS, type Problem } from '@parley/messenger';
import { ERRORS } from './errors.ts';

const ENTRIES = {
  identity_changed: MESSENGER_ERRORS.IDENTITY_CHANGED,
  weaker_mode: MESSENGER_ERRORS.WEAKER_MODE,
  device_list: ERRORS.DEVICE_LIST,
  row: ERRORS.ROW,
  members: ERRORS.MEMBERS,
  clock: ERRORS.CLOCK,
  undecryptable: ERRORS.UNDECRYPTABLE,
  gone: ERRORS.GONE,
  unsent: ERRORS.UNSENT,
  store: ERRORS.STORE,
  connection: ERRORS.CONNECTION,
} as const satisfies Record<Exclude<Problem['kind'], 'handler' | 'over'>, unknown>;

/**
 * Converts a problem for `onError`: the error of a handler stays as it is, any other problem has its details as params.
 */
export function toReportedError(problem: Exclude<Problem, { kind: 'over' }>): unknown {
  if (problem.kind === 'handler') return problem.error;
  const { kind, ...details } = problem;
  const { error: cause, ...params } = { error: undefined, ...details };
  return new ParleyError(kind.toUpperCase(), ENTRIES[kind], { params, cause });
}
