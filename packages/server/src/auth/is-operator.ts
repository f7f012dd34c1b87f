import type { FastifyRequest } from 'fastify';
import { PREFIX } from './agent-token.ts';
import { type AuthDeps, authenticate, readBearer } from './authenticate.ts';

/**
 * Is this the request of an operator, as far as can be found out within that time? Those with the token of an agent are none, and
 * nothing is asked about them.
 */
export async function isOperator(deps: AuthDeps, request: FastifyRequest, limitMs: number): Promise<boolean> {
  const find = async () => {
    const token = readBearer(request);
    if (token === undefined || token.startsWith(PREFIX)) return false;
    const caller = await authenticate(deps, token);
    return caller.kind === 'human' && caller.role === 'admin';
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  return Promise.race([find().catch(() => false), late]).finally(() => clearTimeout(timer));
}
