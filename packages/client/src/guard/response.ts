import type { Locale } from '@parley/base';
import type { Json } from '@parley/documents';
import {
  type ArtifactPayload,
  DENIED_REASONS,
  type DeniedReason,
  ERROR_REASONS,
  type ErrorReason,
  MAX_ARTIFACT_BYTES,
  type ToolResponse,
} from '@parley/protocol';

export type CallResult =
  | { readonly status: 'ok'; readonly result: Json }
  | {
      readonly status: 'denied' | 'error';
      readonly reason: DeniedReason | ErrorReason;
      /** A sentence for the agent; by default that of the reason. */
      readonly message?: string;
    };

const encoder = new TextEncoder();
const TOO_LARGE = `The result is larger than the ${MAX_ARTIFACT_BYTES / 1024} KB an answer can carry. Ask for less.`;

/** Builds the tool response (TC-3). A result that is too large becomes an error that says so (TC-10). */
export function toResponse(callId: string, result: CallResult): ToolResponse {
  if (result.status === 'ok') {
    const response: ToolResponse = { subtype: 'tool_response', call_id: callId, status: 'ok', result: result.result };
    return fits(response) ? response : toResponse(callId, platformError(TOO_LARGE));
  }
  const { status, reason, message = describeReason(reason, 'en') } = result;
  const error = status === 'error' ? { error_code: reason } : {};
  return { subtype: 'tool_response', call_id: callId, status, reason, ...error, message: message.slice(0, 1_000) };
}

export function platformError(message: string): CallResult {
  return { status: 'error', reason: 'TOOL_PLATFORM_ERROR', message };
}

function describeReason(reason: DeniedReason | ErrorReason, locale: Locale): string {
  return { ...DENIED_REASONS, ...ERROR_REASONS }[reason][locale];
}

function fits(response: ToolResponse): boolean {
  const payload: ArtifactPayload<ToolResponse> = { type: 'artifact', artifact: response };
  const text = JSON.stringify(payload);
  // Each UTF-16 unit takes three bytes at most: most answers need not be encoded to be measured.
  return text.length * 3 <= MAX_ARTIFACT_BYTES || encoder.encode(text).length <= MAX_ARTIFACT_BYTES;
}
