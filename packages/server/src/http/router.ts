import type { Readable } from 'node:stream';
import { createRateWindow } from '@parley/base';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteContract } from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readBodyLength } from './body-length.ts';
import { ANONYMOUS, accountOf, type Caller, callerKey } from './caller.ts';
import { JsonText } from './json-text.ts';
import { networkOf } from './network-of.ts';
import { onGone } from './on-gone.ts';
import { RequestError, rateLimited } from './request-error.ts';
import { createUnsentReplies } from './unsent-replies.ts';

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
  /** Calls the listener once the reply has left, or nobody waits for it any more. */
  onGone(listener: () => void): void;
  readonly raw: FastifyRequest;
}

/** A handler returns a stream if the reply is sent while it is made. */
type Handler<R> = (request: Request<R>) => Promise<ReplyOf<R> | Readable | JsonText>;

export interface Router {
  add<R extends RouteContract>(contract: R, handler: Handler<R>): void;
  /**
   * For a handler that waits for something else than the database, or joins others in one statement: it would keep its
   * account's turns from those that need them.
   */
  addWithoutTurn<R extends RouteContract>(contract: R, handler: Handler<R>): void;
  /** For routes that answer while the database does not: nobody is asked whose the token is that came with the request. */
  addForAnyone<R extends RouteContract>(contract: R, handler: Handler<R>): void;
  readonly app: FastifyInstance;
}

export interface RouterDeps {
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  readonly elapsed: () => number;
  readonly budgets: AccountRates;
}
/** What an account may send, over all of its agents and addresses (OP-1). */
interface AccountRates {
  /** Throws if the account has sent too much. */
  take(accountId: string, amounts: { readonly frames_per_second: number; readonly bytes_per_second: number }): void;
  charge(accountId: string, amounts: { readonly bytes_per_second: number }): void;
  isLimited(accountId: string): boolean;
  /** Runs the work when it is the account's turn. */
  concurrent<Result>(
    accountId: string,
    name: 'connections',
    work: () => Promise<Result>,
    waiter: { readonly bytes: number; onGone(listener: () => void): () => void },
  ): Promise<Result>;
}

/** The most counters at a time; each lives for one minute. */
const MAX_COUNTERS = 100_000;
/** An account and all of its agents together may send so many times what one caller may. */
const ACCOUNT_SHARE = 10;
/** What an account's clients, or strangers of one network, may leave unread of their replies. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/** Registers contracts: authentication, rate limit, turns, size limit and validation come with each. */
export function createRouter(app: FastifyInstance, { authenticate, elapsed, budgets }: RouterDeps): Router {
  const rates = createRateWindow({ windowMs: 60_000, maxKeys: MAX_COUNTERS, now: elapsed });
  const unsent = createUnsentReplies(MAX_UNSENT_BYTES);
  const requireRoom = (request: FastifyRequest) => {
    const { caller } = request as WithCaller;
    if (caller.kind === 'anonymous' || budgets.isLimited(accountOf(caller))) unsent.requireRoom(readerOf(request));
  };
  const addRoute = <R extends RouteContract>(contract: R, handler: Handler<R>, kind: 'turn' | 'no turn' | 'anyone') => {
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
        const count = (who: string, perMinute = limit.perMinute) => {
          const wait = rates.take(`${method} ${path} ${who}`, perMinute) / 1_000;
          if (wait > 0) throw rateLimited(wait, 'rate');
        };
        const caller = await (kind === 'anyone' ? NOBODY : authenticate(request)).catch((error: unknown) => {
          // Signing in must not fail because the client still sends an old token.
          if (error instanceof RequestError && contract.access.revoked !== 401) return ANONYMOUS;
          // Someone who guesses tokens is counted as anonymous.
          if (error instanceof RequestError) count(networkOf(request.ip));
          throw error;
        });
        (request as WithCaller).caller = caller;
        count(limit.by === 'caller' && caller.kind !== 'anonymous' ? callerKey(caller) : networkOf(request.ip));
        if (caller.kind !== 'anonymous' && budgets.isLimited(accountOf(caller))) {
          // Otherwise an account with many agents would have as many times what one caller has.
          if (limit.by === 'caller') count(`account:${accountOf(caller)}`, ACCOUNT_SHARE * limit.perMinute);
          const bytes = Number(request.headers['content-length'] ?? 0);
          budgets.take(accountOf(caller), { frames_per_second: 1, bytes_per_second: bytes });
        }
        if (caller.kind === 'anonymous' && contract.access.anonymous === 401) throw new RequestError('UNAUTHENTICATED');
        if (kind !== 'anyone') requireRoom(request);
      },
      preValidation: async (request) => {
        const { caller } = request as WithCaller;
        // Its length was not announced, so it is known only now.
        if (caller.kind !== 'anonymous' && request.headers['transfer-encoding'] !== undefined)
          budgets.charge(accountOf(caller), { bytes_per_second: readBodyLength(request) });
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { caller } = request as WithCaller;
        const work = () =>
          handler({
            caller,
            params: request.params as never,
            query: request.query as never,
            body: request.body as never,
            headers: request.headers,
            address: request.ip,
            id: request.id,
            log: request.log,
            setHeader: (name, value) => void reply.header(name, value),
            onGone: (listener) => void onGone(request, reply, listener),
            raw: request,
          });
        const result = await (kind === 'turn' && caller.kind !== 'anonymous'
          ? budgets.concurrent(accountOf(caller), 'connections', work, waiterOf(request, reply))
          : work());
        // Many may have begun while there was room. What changed something is answered in any case.
        if (method === 'GET' && kind !== 'anyone') requireRoom(request);
        reply.status(status);
        if (status === 204) return reply.send();
        return result instanceof JsonText ? reply.type(JSON_TYPE).send(result.text) : reply.send(result);
      },
      onSend: async (request, reply, payload) => {
        if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return;
        const release = unsent.hold(readerOf(request), Buffer.byteLength(payload));
        onGone(request, reply, release);
      },
    });
  };
  return {
    app,
    add: (contract, handler) => addRoute(contract, handler, 'turn'),
    addWithoutTurn: (contract, handler) => addRoute(contract, handler, 'no turn'),
    addForAnyone: (contract, handler) => addRoute(contract, handler, 'anyone'),
  };
}

/** A request that waits keeps its body in memory, for as long as its client is there. */
function waiterOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    bytes: readBodyLength(request),
    onGone: (listener: () => void) => onGone(request, reply, listener),
  };
}

function readerOf(request: FastifyRequest): string {
  const { caller = ANONYMOUS } = request as Partial<WithCaller>;
  return caller.kind === 'anonymous' ? networkOf(request.ip) : accountOf(caller);
}

const NOBODY = Promise.resolve<Caller>(ANONYMOUS);
const JSON_TYPE = 'application/json; charset=utf-8';

type WithCaller = FastifyRequest & { caller: Caller };
