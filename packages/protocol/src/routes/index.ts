import type { RouteContract } from '../route.ts';
import { AGENT_ROUTES } from './agents.ts';
import { RELATION_ROUTES } from './relations.ts';

/** Every route there is: the authorisation table (TR-8) and the API's description are made from it. */
export const ROUTES: readonly RouteContract[] = [...AGENT_ROUTES, ...RELATION_ROUTES];
