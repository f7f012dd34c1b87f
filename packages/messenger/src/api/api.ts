import type {
  BodyOf,
  EventOf,
  NetworkFailure,
  ParamsOf,
  QueryOf,
  ReplyOf,
  RouteContract,
  WireError,
} from '@parley/protocol';

/** A route of ours called by its contract: what it wants is checked by the compiler, what comes back by the contract. */
export interface Api {
  readonly baseUrl: string;
  call<const R extends RouteContract>(contract: R, input?: CallInput<R>): Promise<ReplyOf<R>>;
  /** For sockets; refreshed when it is about to expire. */
  token(): Promise<string>;
}

export interface CallInput<R> {
  readonly params?: ParamsOf<R>;
  readonly query?: QueryOf<R>;
  readonly body?: BodyOf<R>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Told on the way to the reply, where the route does that. What is told may take long; silence may not. */
  readonly onEvent?: (event: EventOf<R>) => void;
}

interface ApiFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly wire?: WireError;
  readonly retryAfterMs?: number;
  readonly network?: NetworkFailure | undefined;
  readonly cause?: unknown;
}

/** The server's own words (TR-7), or `UNREACHABLE` if it could not be asked. Neither it nor its causes hold a secret. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly wire: WireError | undefined;
  readonly retryAfterMs: number | undefined;
  /** Of `UNREACHABLE`: why, where that is known. */
  readonly network: NetworkFailure | undefined;

  constructor(failure: ApiFailure) {
    super(failure.message, failure.cause === undefined ? {} : { cause: failure.cause });
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.wire = failure.wire;
    this.retryAfterMs = failure.retryAfterMs;
    this.network = failure.network;
  }
}
