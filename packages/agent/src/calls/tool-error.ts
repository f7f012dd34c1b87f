import { DENIED_REASONS, ERROR_REASONS, type ToolResponse } from '@parley/protocol';

/**
 * `denied`: the device or its user did not want to; `error`: it could not be asked or run; `timeout`: nobody answered
 * within the total time, whether it ran is not known.
 */
export type ToolErrorStatus = 'denied' | 'error' | 'timeout';

interface ToolErrorFields {
  readonly status: ToolErrorStatus;
  readonly reason: string;
  readonly callId: string;
  readonly toolName: string;
  readonly message?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Why a tool call gave no result (SK-3). Branch on `status` and `reason`: those of TC-4 and TC-5, and a few of our own. */
export class ToolError extends Error {
  readonly status: ToolErrorStatus;
  readonly reason: string;
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
  no_answer: { en: 'The device did not answer in time; whether the tool ran is not known.' },
  disconnected: { en: 'The agent was disconnected before the device answered.' },
};

function describe(reason: string): string | undefined {
  return Object.hasOwn(WORDS, reason) ? WORDS[reason]!.en : undefined;
}

/** Undefined if it went well. */
export function errorOf(response: ToolResponse, toolName: string): ToolError | undefined {
  const { status, call_id: callId, message } = response;
  if (status === 'ok') return undefined;
  return new ToolError({ status, reason: reasonOf(response)!, callId, toolName, message });
}

/** With the other name of TC-4 and the two places of TC-5 made one. Undefined only where there is nothing to explain. */
export function reasonOf({ status, reason, error_code }: ToolResponse): string | undefined {
  if (status === 'ok') return undefined;
  if (reason === 'user_rejected') return 'user_refused';
  return reason ?? error_code ?? (status === 'denied' ? 'user_refused' : 'TOOL_PLATFORM_ERROR');
}
