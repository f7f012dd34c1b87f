import type { ToolResponse } from '@parley/protocol';

/** The reason of a refusal that gives none. */
export const defaultReason = (status: 'denied' | 'error') =>
  status === 'denied' ? 'user_refused' : 'TOOL_PLATFORM_ERROR';

/** With the other name of TC-4 and the two places of TC-5 made one. Undefined only where there is nothing to explain. */
export function reasonOf({ status, reason, error_code }: ToolResponse): string | undefined {
  if (status === 'ok') return undefined;
  if (reason === 'user_rejected') return 'user_refused';
  return reason ?? error_code ?? defaultReason(status);
}
