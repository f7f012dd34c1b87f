import type { ErrorCode } from '@parley/protocol';

/** A failed operation on a workspace; bad input is a returned value instead. Told apart by `code`. */
export class BundleError extends Error {
  readonly code: ErrorCode;
  readonly retry: boolean;
  /** For the sentence of the error registry. */
  readonly params: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: { retry?: boolean; params?: Record<string, string>; cause?: unknown } = {}) {
    const { params = {}, cause, retry = false } = options;
    super([code, ...Object.values(params)].join(': '), cause === undefined ? {} : { cause });
    this.code = code;
    this.retry = retry;
    this.params = params;
  }
}
