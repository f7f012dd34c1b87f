import { statfs } from 'node:fs/promises';
import { findPackage } from '@parley/base/node';
import { authRoutes, passkeyRoutes } from '@parley/protocol';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { LogFile } from './log/log-file.ts';

/** Figures for Prometheus (OP-14). Labels are few and fixed: each id or address in one would be another series. */
export interface Metrics {
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly sockets: Gauge<'kind'>;
  readonly messages: Counter;
  readonly deliveries: Counter<'outcome'>;
  readonly jobFailures: Counter<'task'>;
  /** By the fixed name of the limit. A RequestError that names its `limit` is counted where it is sent. */
  readonly refusals: Counter<'limit'>;
  readonly signInFailures: Counter<'method'>;
  /** Runs of retention that deleted nothing, because the clock was not believed (OP-13). */
  readonly distrustedClocks: Counter<'reason'>;
  readonly contentType: string;
  print(): Promise<string>;
}

export interface MetricsDeps {
  readonly pool: pg.Pool;
  /** For questions that are asked whenever somebody reads the figures; with a short time limit. */
  readonly aside: pg.Pool;
  readonly logFile: LogFile;
  readonly dataDir: string | undefined;
}

const { version } = findPackage(import.meta.url);

/** Ready to run, by task; counted no further than there is a point in. */
const WAITING_WEBHOOKS = `select count(*)::integer as agents from webhook_queues
  where due_at <= now() and (leased_until is null or leased_until < now())`;
const WAITING_JOBS = `
  select t.identifier as task, count(*)::int as jobs
  from (select task_id from graphile_worker._private_jobs
    where locked_at is null and run_at <= now() and attempts < max_attempts limit 100000) j
  join graphile_worker._private_tasks t on t.id = j.task_id group by 1`;

/** Creates one registry per server, because a process may run several. */
export function createMetrics({ pool, aside, logFile, dataDir }: MetricsDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'parley_database_connections',
    help: 'Connections to the database',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'awaited' }, pool.waitingCount);
    },
  });
  new Gauge({
    name: 'parley_jobs_waiting',
    help: 'Jobs that could run and wait for a worker',
    labelNames: ['task'],
    registers,
    async collect() {
      this.reset();
      // A database that does not answer in time leaves this one figure out.
      const { rows } = await aside.query(WAITING_JOBS).catch(() => ({ rows: [] }));
      for (const { task, jobs } of rows) this.set({ task }, jobs);
    },
  });
  new Gauge({
    name: 'parley_webhooks_waiting',
    help: 'Agents with deliveries that are due and wait for their turn',
    registers,
    async collect() {
      this.reset();
      const { rows } = await aside.query(WAITING_WEBHOOKS).catch(() => ({ rows: [] }));
      for (const { agents } of rows) this.set(agents);
    },
  });
  if (dataDir !== undefined) {
    new Gauge({
      name: 'parley_disk_bytes',
      help: 'Room on the disk of the data folder',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        const disk = await statfs(dataDir).catch(() => undefined);
        if (disk === undefined) return;
        this.set({ state: 'free' }, disk.bavail * disk.bsize);
        this.set({ state: 'total' }, disk.blocks * disk.bsize);
      },
    });
  }
  new Gauge({
    name: 'parley_build_info',
    help: 'The version that runs; the value is always 1',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  new Counter({
    name: 'parley_log_lines_dropped_total',
    help: 'Lines of the log that could not be written',
    registers,
    collect() {
      this.reset();
      this.inc(logFile.dropped());
    },
  });
  return {
    requests: new Histogram({
      name: 'parley_http_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    sockets: new Gauge({ name: 'parley_sockets', help: 'Open sockets', labelNames: ['kind'], registers }),
    messages: new Counter({ name: 'parley_messages_total', help: 'Messages stored by the relay', registers }),
    deliveries: new Counter({
      name: 'parley_webhook_attempts_total',
      help: 'Attempts to deliver to a webhook',
      labelNames: ['outcome'],
      registers,
    }),
    jobFailures: new Counter({
      name: 'parley_job_failures_total',
      help: 'Jobs that ended in an error, to be tried again',
      labelNames: ['task'],
      registers,
    }),
    distrustedClocks: new Counter({
      name: 'parley_retention_refusals_total',
      help: 'Runs of retention that deleted nothing because the clock was not believed',
      labelNames: ['reason'],
      registers,
    }),
    refusals: new Counter({
      name: 'parley_refusals_total',
      help: 'Requests and frames that a limit refused',
      labelNames: ['limit'],
      registers,
    }),
    signInFailures: new Counter({
      name: 'parley_sign_in_failures_total',
      help: 'Attempts to sign in that were refused',
      labelNames: ['method'],
      registers,
    }),
    contentType: registry.contentType,
    print: () => registry.metrics(),
  };
}

const SIGN_INS: Readonly<Record<string, string>> = {
  [authRoutes.login.path]: 'password',
  [passkeyRoutes.passkeyLoginVerify.path]: 'passkey',
  [authRoutes.refresh.path]: 'refresh',
};
const REFUSED: ReadonlySet<number> = new Set([401, 403]);

/** Call it before any route is added: a hook applies only to later routes. */
export function measureRequests(app: FastifyInstance, { requests, signInFailures }: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    requests.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000);
    const signIn = SIGN_INS[route];
    if (signIn !== undefined && REFUSED.has(reply.statusCode)) signInFailures.inc({ method: signIn });
  });
}
