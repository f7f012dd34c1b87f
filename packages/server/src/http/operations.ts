import { isIP } from 'node:net';
import { classifyAddress } from '@parley/guarded-fetch';
import { operationRoutes } from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { type Checks, isReady } from './readiness.ts';
import { RequestError } from './request-error.ts';
import type { Request, Router } from './router.ts';

interface OperationDeps {
  readonly readiness: () => Promise<Checks>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Answers in less than a second. */
  readonly isOperator: (request: FastifyRequest) => Promise<boolean>;
  /** True once the server finishes running requests and takes no new ones. */
  readonly isDraining: () => boolean;
}

/** Registers health, readiness and metrics, for operators. Each is answered while the database is dark (OP-9). */
export function registerOperations(router: Router, deps: OperationDeps): void {
  const { readiness, log, metrics, isDraining } = deps;
  const isTrusted = async (request: Request<unknown>) => isLocal(request) || deps.isOperator(request.raw);

  router.addForAnyone(operationRoutes.getHealth, async () => ({ status: 'ok' as const }));

  router.addForAnyone(operationRoutes.getReady, async (request) => {
    // Both are found out at the same time, because the answer comes within a second.
    const trusted = isTrusted(request);
    // Others are told that it is not ready, but not what is wrong with it.
    const refuse = async (reasons: object) =>
      new RequestError('UNAVAILABLE', {}, { details: (await trusted) ? { ...reasons } : {} });
    if (isDraining()) throw await refuse({ draining: true });
    const checks = await readiness();
    if (isReady(checks)) return { status: 'ready' as const };
    log.warn({ checks }, 'not ready');
    throw await refuse({ checks });
  });

  router.addForAnyone(operationRoutes.getMetrics, async (request) => {
    if (!(await isTrusted(request))) throw new RequestError('FORBIDDEN');
    request.setHeader('content-type', metrics.contentType);
    return metrics.print();
  });
}

const FORWARDING = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'];

/** A proxy on this machine is on loopback too, but its headers name the client. */
function isLocal({ raw, headers }: Request<unknown>): boolean {
  if (FORWARDING.some((name) => headers[name] !== undefined)) return false;
  const address = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return isIP(address) !== 0 && classifyAddress(address) === 'loopback';
}
