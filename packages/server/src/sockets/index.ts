import type { FastifyInstance } from 'fastify';
import type { Auth } from '../auth/index.ts';
import type { Platform } from '../platform.ts';

export interface Sockets {
  /** Tells everyone to come back later and closes. */
  close(): Promise<void>;
}

export function attachSockets(_app: FastifyInstance, _platform: Platform, _auth: Auth): Sockets {
  return { close: async () => {} };
}
