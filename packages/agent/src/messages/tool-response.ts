import type { ToolResponse } from '@parley/protocol';

/** The reason of a refusal that names none. */
export const defaultReason = (status: 'denied' | 'error') =>
  status === 'denied' ? 'user_refused' : 'TOOL_PLATFORM_ERROR';

/** Normalises the two names of TC-4 and the two places of TC-5. Undefined only for a success. */
export function reasonOf({ status, reason, error_code }: ToolResponse): string | undefined {
  if (status === 'ok') return undefined;
  if (reason === 'user_rejected') return 'user_refused';
  return reason ?? error_code ?? defaultReason(status);
}
