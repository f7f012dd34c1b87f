import { defineRoute, type RouteContract } from '../route.ts';
import * as Type from '../schema/type.ts';
import { everyone } from './access.ts';

const tag = 'documentation';
const limit = { body: 1024, perMinute: 60, by: 'address' } as const;
const page = { tag, status: 200, limit, access: everyone(200), method: 'GET' } as const;

export const getOpenApi = defineRoute({
  ...page,
  path: '/openapi.json',
  summary: 'This description, as OpenAPI 3.1',
  reply: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
});

export const getDocs = defineRoute({
  ...page,
  path: '/docs',
  summary: 'This description, to be read',
  reply: Type.String(),
});

export const getDocsStyle = defineRoute({
  ...page,
  path: '/docs/style.css',
  summary: 'How that page looks',
  reply: Type.String(),
});

export const DOCUMENTATION_ROUTES: readonly RouteContract[] = [getOpenApi, getDocs, getDocsStyle];
