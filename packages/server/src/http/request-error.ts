import type { ErrorCode, ErrorParams } from '@parley/protocol';

interface FailureOptions {
  /** Where the registry lists several. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields that stand beside `error` in the reply, for callers that can use them: findings, a ledger head. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A request that cannot be done, with a code of the registry (TR-7). Told apart by `code`. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;
  readonly options: FailureOptions;

  constructor(code: ErrorCode, params: ErrorParams = {}, options: FailureOptions = {}) {
    super(code, { cause: options.cause });
    this.code = code;
    this.params = params;
    this.options = options;
  }
}
