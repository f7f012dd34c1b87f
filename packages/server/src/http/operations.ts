import { isIP } from 'node:net';
import { classifyAddress } from '@parley/guarded-fetch';
import { operationRoutes } from '@parley/protocol';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { type Checks, isReady } from './readiness.ts';
import { RequestError } from './request-error.ts';
import type { Request, Router } from './router.ts';

interface OperationDeps {
  readonly readiness: () => Promise<Checks>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** True once the server finishes running requests and takes no new ones. */
  readonly isDraining: () => boolean;
}

/** Registers health, readiness and metrics, for operators. */
export function registerOperations(router: Router, { readiness, log, metrics, isDraining }: OperationDeps): void {
  router.add(operationRoutes.getHealth, async () => ({ status: 'ok' as const }));

  router.add(operationRoutes.getReady, async (request) => {
    // Others are told that it is not ready, but not what is wrong with it.
    const refuse = (reasons: object) => {
      const details = isLocal(request) || isOperator(request) ? reasons : {};
      return new RequestError('UNAVAILABLE', {}, { details: { ...details } });
    };
    if (isDraining()) throw refuse({ draining: true });
    const checks = await readiness();
    if (isReady(checks)) return { status: 'ready' as const };
    log.warn({ checks }, 'not ready');
    throw refuse({ checks });
  });

  router.add(operationRoutes.getMetrics, async (request) => {
    if (!isLocal(request) && !isOperator(request)) throw new RequestError('FORBIDDEN');
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

function isOperator({ caller }: Request<unknown>): boolean {
  return caller.kind === 'human' && caller.role === 'admin';
}
