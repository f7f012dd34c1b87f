import type { FastifyRequest } from 'fastify';

const lengths = new WeakMap<FastifyRequest, number>();

export function noteBodyLength(request: FastifyRequest, bytes: number): void {
  lengths.set(request, bytes);
}

/** How many bytes the body had that was read; 0 without one. */
export function readBodyLength(request: FastifyRequest): number {
  return lengths.get(request) ?? 0;
}
