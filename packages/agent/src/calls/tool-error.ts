import { isParleyError, ParleyError } from '@parley/base';
import { ApiError, MESSENGER_ERRORS, type MessengerErrorCode } from '@parley/messenger';
import {
  DENIED_REASONS,
  type DeniedReason,
  ERROR_REASONS,
  type ErrorCode,
  type ErrorReason,
  type ToolResponse,
  ERRORS as WIRE_ERRORS,
} from '@parley/protocol';
import { ERRORS } from '../errors.ts';
import { defaultReason, reasonOf } from '../messages/tool-response.ts';

/**
 * `denied`: the device or its user did not want to; `error`: it could not be asked or run; `timeout`: nobody answered
 * within the total time, whether it ran is not known.
 */
export type ToolErrorStatus = 'denied' | 'error' | 'timeout';

const CODES = { denied: 'TOOL_DENIED', error: 'TOOL_FAILED', timeout: 'TOOL_UNANSWERED' } as const satisfies Record<
  ToolErrorStatus,
  keyof typeof ERRORS
>;

/** Found out here, where no device or server has said anything. */
const OWN_REASONS = {
  no_answer: { en: 'The device did not answer in time; whether the tool ran is not known.' },
  disconnected: { en: 'The agent was disconnected before the device answered.' },
} as const;

/**
 * Those of TC-4 and TC-5, two of our own, and the codes of a request to the server that failed. Closed, so that the
 * compiler finds a misspelt `case`.
 */
export type ToolErrorReason = DeniedReason | ErrorReason | keyof typeof OWN_REASONS | ErrorCode | MessengerErrorCode;

interface ToolErrorFields {
  readonly status: ToolErrorStatus;
  readonly reason: ToolErrorReason;
  readonly callId: string;
  readonly toolName: string;
  readonly message?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Why a tool call gave no result (SK-3). Branch on `status` and `reason`. */
export class ToolError extends ParleyError<(typeof CODES)[ToolErrorStatus]> {
  readonly status: ToolErrorStatus;
  readonly reason: ToolErrorReason;
  readonly callId: string;
  readonly toolName: string;
  /** The reason as a sentence, in the device's own words where it gave any. */
  readonly detail: string;
  /** When another call has a chance: of RATE_LIMITED, and of a refusal that time alone ends (CG-14). */
  readonly retryAfterMs: number | undefined;

  constructor({ status, reason, callId, toolName, message, retryAfterMs, cause }: ToolErrorFields) {
    const sentence = message ?? describe(reason);
    const detail = sentence === undefined ? reason : `${reason}: ${sentence}`;
    const retry = isParleyError(cause) ? cause.retry : retryAfterMs === undefined ? undefined : true;
    super(CODES[status], ERRORS[CODES[status]], { params: { tool: toolName, detail }, cause, retry });
    this.name = 'ToolError';
    this.status = status;
    this.reason = reason;
    this.callId = callId;
    this.toolName = toolName;
    this.detail = sentence ?? reason;
    this.retryAfterMs = retryAfterMs;
  }
}

const REASONS: Readonly<Record<string, { readonly en: string }>> = {
  ...DENIED_REASONS,
  ...ERROR_REASONS,
  ...OWN_REASONS,
};

function describe(reason: string): string | undefined {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason]!.en : undefined;
}

/** Undefined if it went well. */
export function errorOf(response: ToolResponse, toolName: string): ToolError | undefined {
  const { status, call_id: callId, message, retry_after_ms: retryAfterMs } = response;
  if (status === 'ok') return undefined;
  const told = reasonOf(response)!;
  if (isReason(told)) return new ToolError({ status, reason: told, callId, toolName, message, retryAfterMs });
  // A device of someone else's may have reasons of its own; they are shown, but they are nothing to branch on.
  const sentence = [told, message].filter((text) => text !== undefined).join(': ');
  return new ToolError({ status, reason: defaultReason(status), callId, toolName, message: sentence, retryAfterMs });
}

const isReason = (text: string): text is DeniedReason | ErrorReason =>
  Object.hasOwn(DENIED_REASONS, text) || Object.hasOwn(ERROR_REASONS, text);

/** A failed request or a refused send as the error of the call; the keystore's errors and all others stay what they are. */
export function asToolError(error: unknown, named: { readonly callId: string; readonly toolName: string }): unknown {
  const isStoreError = !(error instanceof ApiError) && isParleyError(error) && error.code.startsWith('STORE_');
  if (!isParleyError(error) || isStoreError) return error;
  const { code, message } = error;
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  return new ToolError({ status: 'error', reason: reasonOfCode(code), message, retryAfterMs, cause: error, ...named });
}

/** A code that a newer server made up is in the message and in `cause`. */
function reasonOfCode(code: string): ErrorCode | MessengerErrorCode {
  const isKnown = Object.hasOwn(MESSENGER_ERRORS, code) || Object.hasOwn(WIRE_ERRORS, code);
  return isKnown ? (code as ErrorCode | MessengerErrorCode) : 'TOOL_PLATFORM_ERROR';
}
