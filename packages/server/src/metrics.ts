import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Figures for Prometheus. Labels are few and fixed: each id or address in one would be another series. */
export interface Metrics {
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly sockets: Gauge<'kind'>;
  readonly messages: Counter;
  readonly deliveries: Counter<'outcome'>;
  readonly jobFailures: Counter<'task'>;
  readonly contentType: string;
  print(): Promise<string>;
}

/** Creates one registry per server, because a process may run several. */
export function createMetrics(pool: pg.Pool): Metrics {
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
    contentType: registry.contentType,
    print: () => registry.metrics(),
  };
}

/** Call it before any route is added: a hook applies only to later routes. */
export function measureRequests(app: FastifyInstance, { requests }: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    requests.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000);
  });
}
