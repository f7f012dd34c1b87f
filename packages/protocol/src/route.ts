import type { Static, TSchema } from 'typebox';

/** Who may call, named as in the authorisation table (TR-8). */
export const CALLERS = ['anonymous', 'stranger', 'other_agent', 'member', 'owner', 'self', 'revoked', 'admin'] as const;
/**
 * `stranger`: a signed-in person without any relation to the resource. `member`: a person with a relation to the agent,
 * or in the conversation. `owner`: the person the resource belongs to. `self`: the agent itself. `other_agent`: another
 * agent. `revoked`: a revoked token or session. `admin`: an operator who is none of the others.
 */
export type CallerKind = (typeof CALLERS)[number];

/**
 * A reply that is streamed as one JSON value a line: any number of `{ event }`, then either `{ reply }` as the contract
 * has it or `{ error }` (TR-7), and nothing after it. An empty line only keeps the connection alive.
 */
export const LINES_TYPE = 'application/x-ndjson';

export interface RouteLimit {
  /** The most bytes of the body. */
  readonly body: number;
  /** The most requests a minute. */
  readonly perMinute: number;
  /** Requests are counted by address, or by signed-in caller. */
  readonly by: 'address' | 'caller';
}

export interface RouteContract<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
  Event extends TSchema = TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, with `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The status and body of success. */
  readonly status: 200 | 201 | 202 | 204;
  readonly reply: Reply;
  /** The events that are streamed before the reply, to callers that accept `LINES_TYPE`. */
  readonly event?: Event;
  readonly limit: RouteLimit;
  /** The status that each kind of caller gets for a valid request to an existing resource. */
  readonly access: Readonly<Record<CallerKind, number>>;
}

/** Returns its argument and infers the types. */
export function defineRoute<
  const Params extends TSchema,
  const Query extends TSchema,
  const Body extends TSchema,
  const Reply extends TSchema,
  const Event extends TSchema,
>(contract: RouteContract<Params, Query, Body, Reply, Event>): RouteContract<Params, Query, Body, Reply, Event> {
  return contract;
}

export type ParamsOf<R> = R extends RouteContract<infer P, TSchema, TSchema, TSchema> ? Static<P> : never;
export type QueryOf<R> = R extends RouteContract<TSchema, infer Q, TSchema, TSchema> ? Static<Q> : never;
export type BodyOf<R> = R extends RouteContract<TSchema, TSchema, infer B, TSchema> ? Static<B> : never;
export type ReplyOf<R> = R extends RouteContract<TSchema, TSchema, TSchema, infer A> ? Static<A> : never;
export type EventOf<R> = R extends RouteContract<TSchema, TSchema, TSchema, TSchema, infer E> ? Static<E> : never;
