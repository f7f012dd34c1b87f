import type { ToolCall } from '@parley/protocol';
import type { UnfilledCall } from '../messages/artifact.ts';
import type { OwnManifest } from './own-manifest.ts';

/** SK-2: what a call leaves out is filled in from the manifest. */
export async function fillCall(manifest: OwnManifest, call: UnfilledCall): Promise<ToolCall> {
  const { permission_scope: scope, timeout_ms: timeout } = call;
  if (scope !== undefined && timeout !== undefined) return call as ToolCall;
  const own = await manifest.find(call.tool_name);
  if (own === undefined) {
    throw new TypeError(`tool_name: "${call.tool_name}" is not in the agent’s manifest; declare it before calling it`);
  }
  return {
    ...call,
    permission_scope: scope ?? own.tool.permission_scope,
    timeout_ms: timeout ?? own.timeoutMs,
  };
}
