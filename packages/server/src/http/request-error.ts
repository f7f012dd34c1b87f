import { ParleyError } from '@parley/base';
import { ERRORS, type ErrorCode, type ErrorParams } from '@parley/protocol';

interface RequestErrorOptions {
  /** The status, where the registry lists several. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields next to `error` in the reply, for callers that can use them: findings, a ledger head. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
  /** The limit that refused it, for the metrics: a fixed name, such as `rate` or that of a budget. */
  readonly limit?: string | undefined;
}

/** A refused request, with a code of the wire registry (TR-7) and what HTTP adds to it. */
export class RequestError extends ParleyError<ErrorCode> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly limit: string | undefined;

  constructor(code: ErrorCode, params: ErrorParams = {}, options: RequestErrorOptions = {}) {
    super(code, ERRORS[code], { params, cause: options.cause });
    this.name = 'RequestError';
    this.status = options.status ?? ERRORS[code].http[0];
    this.headers = options.headers ?? {};
    this.details = options.details;
    this.limit = options.limit;
  }
}

export function rateLimited(seconds: number, limit: string): RequestError {
  const wait = Math.ceil(seconds);
  const headers = { 'retry-after': String(wait) };
  return new RequestError('RATE_LIMITED', { retry_after_seconds: wait }, { headers, limit });
}
