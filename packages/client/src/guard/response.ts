import type { Locale } from '@parley/base';
import type { Json } from '@parley/documents';
import {
  type ArtifactPayload,
  DENIED_REASONS,
  type DeniedReason,
  ERROR_REASONS,
  type ErrorReason,
  findFlaw,
  MAX_ARTIFACT_BYTES,
  MAX_NESTING,
  type ToolResponse,
} from '@parley/protocol';

export type CallResult =
  | { readonly status: 'ok'; readonly result: Json }
  | {
      readonly status: 'denied' | 'error';
      readonly reason: DeniedReason | ErrorReason;
      /** A sentence for the agent; by default that of the reason. */
      readonly message?: string;
      /** When the same call may get another answer (TC-3). */
      readonly retryAfterMs?: number;
    };

const encoder = new TextEncoder();
const NOT_JSON = 'The tool gave a result that cannot be sent.';
const TOO_LARGE = `The result is larger than the ${MAX_ARTIFACT_BYTES / 1024} KB an answer can carry. Ask for less.`;
const TOO_DEEP = `The result is nested deeper than the ${MAX_NESTING} levels an answer can carry.`;

/** Builds the tool response (TC-3). A result that is too large (TC-10) or too deep (EE-26) becomes an error that says so. */
export function toResponse(callId: string, result: CallResult): ToolResponse {
  if (result.status === 'ok') {
    const response: ToolResponse = { subtype: 'tool_response', call_id: callId, status: 'ok', result: result.result };
    const problem = findProblem(response);
    return problem === undefined ? response : toResponse(callId, platformError(problem));
  }
  const { status, reason, message = describeReason(reason, 'en'), retryAfterMs } = result;
  return {
    subtype: 'tool_response',
    call_id: callId,
    status,
    reason,
    ...(status === 'error' ? { error_code: reason } : {}),
    message: String(message).slice(0, 1_000),
    ...(retryAfterMs === undefined ? {} : { retry_after_ms: Math.ceil(retryAfterMs) }),
  };
}

export function platformError(message: string): CallResult {
  return { status: 'error', reason: 'TOOL_PLATFORM_ERROR', message };
}

function describeReason(reason: DeniedReason | ErrorReason, locale: Locale): string {
  return { ...DENIED_REASONS, ...ERROR_REASONS }[reason][locale];
}

function findProblem(response: ToolResponse): string | undefined {
  const payload: ArtifactPayload<ToolResponse> = { type: 'artifact', artifact: response };
  // A circle is nested without an end.
  if (findFlaw(payload) === 'nesting') return TOO_DEEP;
  try {
    const text = JSON.stringify(payload);
    // Each UTF-16 unit takes three bytes at most: most answers need not be encoded to be measured.
    const fits = text.length * 3 <= MAX_ARTIFACT_BYTES || encoder.encode(text).length <= MAX_ARTIFACT_BYTES;
    return fits ? undefined : TOO_LARGE;
  } catch {
    // An executor may return what is no JSON, such as a number that is too large for it.
    return NOT_JSON;
  }
}
