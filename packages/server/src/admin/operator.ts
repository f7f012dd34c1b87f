import { requireFresh } from '../accounts/reauthenticate.ts';
import { type Human, requireHuman } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Request } from '../http/router.ts';
import type { Platform } from '../platform.ts';

/** A person who operates the server, and the address that their request came from, for the log. */
export interface Operator extends Human {
  readonly address: string;
}

export function requireOperator({ caller, address }: Pick<Request<unknown>, 'caller' | 'address'>): Operator {
  const human = requireHuman(caller);
  if (human.role !== 'admin') throw new RequestError('FORBIDDEN');
  return { ...human, address };
}

/**
 * For whatever takes something away from an account, or takes it over: with a stolen session someone could make an operator
 * of their own, who then makes a link for the first one's account (OP-15).
 */
export async function requireFreshOperator(
  platform: Platform,
  request: Pick<Request<unknown>, 'caller' | 'address'>,
): Promise<Operator> {
  const operator = requireOperator(request);
  await requireFresh(platform, operator);
  return operator;
}
