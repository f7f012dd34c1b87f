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
    };

const encoder = new TextEncoder();
const TOO_LARGE = `The result is larger than the ${MAX_ARTIFACT_BYTES / 1024} KB an answer can carry. Ask for less.`;
const TOO_DEEP = `The result is nested deeper than the ${MAX_NESTING} levels an answer can carry.`;

/** Builds the tool response (TC-3). A result that is too large (TC-10) or too deep (EE-26) becomes an error that says so. */
export function toResponse(callId: string, result: CallResult): ToolResponse {
  if (result.status === 'ok') {
    const response: ToolResponse = { subtype: 'tool_response', call_id: callId, status: 'ok', result: result.result };
    if (findFlaw(toPayload(response)) === 'nesting') return toResponse(callId, platformError(TOO_DEEP));
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

const toPayload = (response: ToolResponse): ArtifactPayload<ToolResponse> => ({ type: 'artifact', artifact: response });

function fits(response: ToolResponse): boolean {
  const text = JSON.stringify(toPayload(response));
  // Each UTF-16 unit takes three bytes at most: most answers need not be encoded to be measured.
  return text.length * 3 <= MAX_ARTIFACT_BYTES || encoder.encode(text).length <= MAX_ARTIFACT_BYTES;
}
