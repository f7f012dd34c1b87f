import type { BodyOf, EventOf, ParamsOf, QueryOf, ReplyOf, RouteContract } from '@parley/protocol';
import type { ServerClock } from './server-clock.ts';

/** A route of ours called by its contract: what it wants is checked by the compiler, what comes back by the contract. */
export interface Api {
  readonly baseUrl: string;
  call<const R extends RouteContract>(contract: R, input?: CallInput<R>): Promise<ReplyOf<R>>;
  /** For sockets; refreshed when it is about to expire. */
  token(): Promise<string>;
  /** The server's time, as its replies give it. */
  readonly clock: ServerClock;
}

export interface CallInput<R> {
  readonly params?: ParamsOf<R>;
  readonly query?: QueryOf<R>;
  readonly body?: BodyOf<R>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called for each event on the way to the reply, where the route sends any. Only silence counts against the timeout. */
  readonly onEvent?: (event: EventOf<R>) => void;
}
