import { MESSENGER_ERRORS, type MessengerErrorCode } from '@parley/messenger';
import {
  DENIED_REASONS,
  type DeniedReason,
  ERROR_REASONS,
  ERRORS,
  type ErrorCode,
  type ErrorReason,
  type ToolResponse,
} from '@parley/protocol';

/**
 * `denied`: the device or its user did not want to; `error`: it could not be asked or run; `timeout`: nobody answered
 * within the total time, whether it ran is not known.
 */
export type ToolErrorStatus = 'denied' | 'error' | 'timeout';

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
export class ToolError extends Error {
  readonly status: ToolErrorStatus;
  readonly reason: ToolErrorReason;
  readonly callId: string;
  readonly toolName: string;
  /** Of RATE_LIMITED: when another call has a chance. */
  readonly retryAfterMs: number | undefined;

  constructor({ status, reason, callId, toolName, message, retryAfterMs, cause }: ToolErrorFields) {
    const words = message ?? describe(reason);
    super(`${toolName}: ${status}: ${reason}${words === undefined ? '' : `: ${words}`}`, { cause });
    this.name = 'ToolError';
    this.status = status;
    this.reason = reason;
    this.callId = callId;
    this.toolName = toolName;
    this.retryAfterMs = retryAfterMs;
  }
}

const WORDS: Readonly<Record<string, { readonly en: string }>> = {
  ...DENIED_REASONS,
  ...ERROR_REASONS,
  ...OWN_REASONS,
};

function describe(reason: string): string | undefined {
  return Object.hasOwn(WORDS, reason) ? WORDS[reason]!.en : undefined;
}

/** Undefined if it went well. */
export function errorOf(response: ToolResponse, toolName: string): ToolError | undefined {
  const { status, call_id: callId, message } = response;
  if (status === 'ok') return undefined;
  const told = reasonOf(response)!;
  if (isReason(told)) return new ToolError({ status, reason: told, callId, toolName, message });
  // A device of someone else's may have reasons of its own; they are words, not something to branch on.
  const words = [told, message].filter((text) => text !== undefined).join(': ');
  return new ToolError({ status, reason: defaultReason(status), callId, toolName, message: words });
}

const isReason = (text: string): text is DeniedReason | ErrorReason =>
  Object.hasOwn(DENIED_REASONS, text) || Object.hasOwn(ERROR_REASONS, text);

const defaultReason = (status: 'denied' | 'error') => (status === 'denied' ? 'user_refused' : 'TOOL_PLATFORM_ERROR');

/** The code of a failed request; one that a newer server made up is in the words and in `cause`. */
export function reasonOfCode(code: string): ErrorCode | MessengerErrorCode {
  const isKnown = Object.hasOwn(MESSENGER_ERRORS, code) || Object.hasOwn(ERRORS, code);
  return isKnown ? (code as ErrorCode | MessengerErrorCode) : 'TOOL_PLATFORM_ERROR';
}

/** With the other name of TC-4 and the two places of TC-5 made one. Undefined only where there is nothing to explain. */
export function reasonOf({ status, reason, error_code }: ToolResponse): string | undefined {
  if (status === 'ok') return undefined;
  if (reason === 'user_rejected') return 'user_refused';
  return reason ?? error_code ?? defaultReason(status);
}
