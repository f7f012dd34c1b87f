import { type Params, ParleyError } from '@parley/base';
import { classifyNetworkFailure, type NetworkFailure, networkText } from '@parley/protocol';
import { ERRORS } from '@parley/protocol/errors';

/** The ways in which a skill can fail (SI-4). */
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
  /** The values for the sentence of the code. */
  readonly params?: Params;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The HTTP status of the answer, if there was one. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** Contains no credential, whatever a provider put in its answer. */
export class SkillError extends ParleyError<SkillErrorCode> {
  readonly details: Readonly<Record<string, unknown>>;
  readonly status?: number;
  /**
   * Why an `ENDPOINT_UNREACHABLE` happened, if that is known. It is not for strangers, who could use it to scan a
   * network.
   */
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
