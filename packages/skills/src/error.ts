import {
  classifyNetworkFailure,
  ERRORS,
  type ErrorParams,
  errorText,
  type NetworkFailure,
  networkText,
} from '@parley/protocol';

/** What can become of a skill (SI-4). */
export type SkillErrorCode =
  | 'VALIDATION_ERROR'
  | 'AUTH_REQUIRED'
  | 'PERMISSION_DENIED'
  | 'SKILL_NOT_FOUND'
  | 'EXECUTION_TIMEOUT'
  | 'ENDPOINT_UNREACHABLE'
  | 'VERSION_INCOMPATIBLE'
  | 'RATE_LIMITED'
  | 'EXECUTION_FAILED'
  | 'EXECUTION_CANCELLED'
  | 'OUTPUT_INVALID'
  | 'ADDRESS_BLOCKED';

export interface SkillErrorOptions {
  /** What the sentence of the code needs. */
  readonly params?: ErrorParams;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Of the answer that was the reason. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** Told apart by `code`. Holds no credential, whatever a provider put in its answer. */
export class SkillError extends Error {
  readonly code: SkillErrorCode;
  /** Whether the same call may succeed later, unchanged. */
  readonly retry: boolean;
  readonly params: ErrorParams;
  readonly details: Readonly<Record<string, unknown>>;
  readonly status?: number;
  /** Of `ENDPOINT_UNREACHABLE`: why, where that is known. Not for strangers, who could find out what is where. */
  readonly network?: NetworkFailure;

  constructor(code: SkillErrorCode, options: SkillErrorOptions = {}) {
    const { params = {}, details = {}, status, cause } = options;
    const network = code === 'ENDPOINT_UNREACHABLE' ? classifyNetworkFailure(cause) : undefined;
    const why = network === undefined ? '' : ` ${networkText(network, 'en')}`;
    super(`${errorText(code, 'en', params)}${why}`, cause === undefined ? {} : { cause });
    this.name = 'SkillError';
    this.code = code;
    this.retry = ERRORS[code].retry;
    this.params = params;
    this.details = details;
    if (status !== undefined) this.status = status;
    if (network !== undefined) this.network = network;
  }
}
