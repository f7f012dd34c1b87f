import { isIP } from 'node:net';
import { classifyAddress } from '@parley/guarded-fetch';
import { operationRoutes } from '@parley/protocol';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { type Db, isMigrated } from '../storage/database.ts';
import { RequestError } from './request-error.ts';
import type { Request, Router } from './router.ts';

interface OperationDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** True once the server finishes running requests and takes no new ones. */
  readonly isDraining: () => boolean;
}

/** Registers health, readiness and metrics, for operators. */
export function registerOperations(router: Router, { db, log, metrics, isDraining }: OperationDeps): void {
  router.add(operationRoutes.getHealth, async () => ({ status: 'ok' as const }));

  router.add(operationRoutes.getReady, async () => {
    if (isDraining()) throw new RequestError('UNAVAILABLE');
    const migrated = await isMigrated(db).catch((error: unknown) => {
      log.warn({ err: error }, 'not ready: the database does not answer');
      return false;
    });
    if (!migrated) throw new RequestError('UNAVAILABLE');
    return { status: 'ready' as const };
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
