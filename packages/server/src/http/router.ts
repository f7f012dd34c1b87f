import type { Readable } from 'node:stream';
import { createRateWindow } from '@parley/base';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteContract } from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS, type Caller, callerKey } from './caller.ts';
import { networkOf } from './network-of.ts';
import { RequestError, rateLimited } from './request-error.ts';

export interface Request<R> {
  readonly caller: Caller;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly headers: FastifyRequest['headers'];
  readonly address: string;
  readonly id: string;
  readonly log: FastifyRequest['log'];
  /** Sets a header of the reply. */
  setHeader(name: string, value: string | readonly string[]): void;
  readonly raw: FastifyRequest;
}

/** A handler returns a stream if the reply is sent while it is made. */
type Handler<R> = (request: Request<R>) => Promise<ReplyOf<R> | Readable>;

export interface Router {
  add<R extends RouteContract>(contract: R, handler: Handler<R>): void;
  readonly app: FastifyInstance;
}

/** The most counters at a time; each lives for one minute. */
const MAX_COUNTERS = 100_000;

/** Registers contracts: authentication, rate limit, size limit and validation come with each. */
export function createRouter(
  app: FastifyInstance,
  authenticate: (request: FastifyRequest) => Promise<Caller>,
  now: () => Date,
): Router {
  const rates = createRateWindow({ windowMs: 60_000, maxKeys: MAX_COUNTERS, now: () => now().getTime() });
  return {
    app,
    add: (contract, handler) => {
      const { method, path, params, query, body, limit, status } = contract;
      app.route({
        method,
        url: path,
        bodyLimit: limit.body,
        schema: {
          ...(params ? { params } : {}),
          ...(query ? { querystring: query } : {}),
          ...(body ? { body } : {}),
        },
        onRequest: async (request) => {
          const count = (who: string) => {
            const wait = rates.take(`${method} ${path} ${who}`, limit.perMinute) / 1_000;
            if (wait > 0) throw rateLimited(wait);
          };
          const caller = await authenticate(request).catch((error: unknown) => {
            // Signing in must not fail because the client still sends an old token.
            if (error instanceof RequestError && contract.access.revoked !== 401) return ANONYMOUS;
            // Someone who guesses tokens is counted as anonymous.
            if (error instanceof RequestError) count(networkOf(request.ip));
            throw error;
          });
          (request as WithCaller).caller = caller;
          count(limit.by === 'caller' && caller.kind !== 'anonymous' ? callerKey(caller) : networkOf(request.ip));
          if (caller.kind === 'anonymous' && contract.access.anonymous === 401)
            throw new RequestError('UNAUTHENTICATED');
        },
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const result = await handler({
            caller: (request as WithCaller).caller,
            params: request.params as never,
            query: request.query as never,
            body: request.body as never,
            headers: request.headers,
            address: request.ip,
            id: request.id,
            log: request.log,
            setHeader: (name, value) => void reply.header(name, value),
            raw: request,
          });
          reply.status(status);
          return status === 204 ? reply.send() : reply.send(result);
        },
      });
    },
  };
}

type WithCaller = FastifyRequest & { caller: Caller };
