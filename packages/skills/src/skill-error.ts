import { type Params, ParleyError } from '@parley/base';
import { classifyNetworkFailure, type NetworkFailure, networkText } from '@parley/protocol';
import { ERRORS } from '@parley/protocol/errors';

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
  readonly params?: Params;
  readonly details?: Readonly<Record<string, unknown>>;
  /** HTTP's. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** Holds no credential, whatever a provider put in its answer. */
export class SkillError extends ParleyError<SkillErrorCode> {
  readonly details: Readonly<Record<string, unknown>>;
  readonly status?: number;
  /** Of `ENDPOINT_UNREACHABLE`: why, where that is known. Not for strangers, who could find out what is where. */
  readonly network?: NetworkFailure;

  constructor(code: SkillErrorCode, { params = {}, details = {}, status, cause }: SkillErrorOptions = {}) {
    super(code, ERRORS[code], { params, cause });
    this.name = 'SkillError';
    this.details = details;
    if (status !== undefined) this.status = status;
    const network = code === 'ENDPOINT_UNREACHABLE' ? classifyNetworkFailure(cause) : undefined;
    if (network === undefined) return;
    this.network = network;
    this.message += ` ${networkText(network, 'en')}`;
  }
}
