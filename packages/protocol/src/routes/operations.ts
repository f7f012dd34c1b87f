import { defineRoute, type RouteContract } from '../route.ts';
import * as Type from '../schema/type.ts';
import { everyone } from './access.ts';

const tag = 'operations';
const limit = { body: 1_024, perMinute: 600, by: 'address' } as const;

export const getHealth = defineRoute({
  method: 'GET',
  path: '/health',
  summary: 'The process is up',
  tag,
  status: 200,
  reply: Type.Object({ status: Type.Literal('ok') }),
  limit,
  access: everyone(200),
});

export const getReady = defineRoute({
  method: 'GET',
  path: '/ready',
  summary: 'Requests can be answered: the database is there and migrated, and the server is not about to stop',
  tag,
  status: 200,
  reply: Type.Object({ status: Type.Literal('ready') }),
  limit,
  access: everyone(200),
});

/** Open to loopback (not through a proxy) and to operators; 403 for everyone else. */
export const getMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  summary: 'Figures for Prometheus; for loopback and operators',
  tag,
  status: 200,
  reply: Type.String(),
  limit,
  access: everyone(200),
});

export const OPERATION_ROUTES: readonly RouteContract[] = [getHealth, getReady, getMetrics];
