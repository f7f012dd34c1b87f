import { type Human, requireHuman } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Request } from '../http/router.ts';

/** A person who operates the server, and the address that their request came from, for the log. */
export interface Operator extends Human {
  readonly address: string;
}

export function requireOperator({ caller, address }: Pick<Request<unknown>, 'caller' | 'address'>): Operator {
  const human = requireHuman(caller);
  if (human.role !== 'admin') throw new RequestError('FORBIDDEN');
  return { ...human, address };
}
