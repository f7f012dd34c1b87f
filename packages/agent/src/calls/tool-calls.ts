import { isParleyError } from '@parley/base';
import type { JsonObject } from '@parley/documents';
import { toMessage } from '@parley/documents';
import { ApiError } from '@parley/messenger';
import type { ToolCall } from '@parley/protocol';
import type { Conversations } from '../conversations/conversations.ts';
import type { UnfilledCall } from '../messages/artifact.ts';
import type { OwnManifest, OwnTool } from './own-manifest.ts';
import type { PendingCalls } from './pending-calls.ts';
import { reasonOfCode, ToolError } from './tool-error.ts';

/** For a person to decide, and for the way there and back (SK-3). */
const DECISION_MS = 30_000;
const TRAVEL_MS = 5_000;
/** The device goes by its own clock: one that is a little ahead must not refuse a call that has just been made. */
const CLOCK_MARGIN_MS = 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface CallToolOptions {
  /** In total; 30 s, the tool's own time and 5 s unless told. */
  readonly timeoutMs?: number;
  /** Stops waiting. The device is not told, and may still run it. */
  readonly signal?: AbortSignal;
}

interface Means {
  readonly manifest: OwnManifest;
  readonly pending: PendingCalls;
  readonly conversations: Conversations;
  readonly now: () => Date;
  readonly send: (call: ToolCall) => Promise<unknown>;
  readonly newId: () => string;
}
interface Request {
  readonly conversationId: string;
  readonly toolName: string;
  readonly args: JsonObject;
  readonly options: CallToolOptions;
}

export async function callTool(means: Means, request: Request): Promise<unknown> {
  const { conversationId, toolName, args, options } = request;
  const { timeoutMs: given, signal } = options;
  if (given !== undefined && !(given > 0 && given <= MAX_TIMER_MS)) {
    throw new TypeError('timeoutMs: must be a positive number of milliseconds');
  }
  signal?.throwIfAborted();
  const callId = means.newId();
  const { tool, timeoutMs, check } = await findTool(means, { toolName, callId });
  refuseBadArguments(check, args, { toolName, callId });
  const { person } = await means.conversations.read(conversationId).catch((error) => {
    throw asToolError(error, { toolName, callId });
  });

  const total = given ?? DECISION_MS + timeoutMs + TRAVEL_MS;
  const answer = means.pending.open({ callId, toolName, conversationId, person, timeoutMs: total, signal });
  const call: ToolCall = {
    subtype: 'tool_call',
    call_id: callId,
    tool_name: toolName,
    arguments: args,
    permission_scope: tool.permission_scope,
    timeout_ms: timeoutMs,
    expires_at: new Date(means.now().getTime() + total + CLOCK_MARGIN_MS).toISOString(),
  };
  // Not awaited: the answer may overtake what the server says about the call, and time may run out before either.
  Promise.resolve()
    .then(() => means.send(call))
    .catch((error) => means.pending.fail(callId, asToolError(error, { toolName, callId })));
  return answer;
}

interface Named {
  readonly toolName: string;
  readonly callId: string;
}

async function findTool({ manifest }: Means, named: Named): Promise<OwnTool> {
  const found = await manifest.find(named.toolName).catch((error) => {
    throw asToolError(error, named);
  });
  // What the device would answer, without troubling it.
  if (found === undefined) throw new ToolError({ status: 'denied', reason: 'tool_not_declared', ...named });
  return found;
}

/** The device checks again (CG-4); said here, it costs nobody a prompt and none of the calls allowed in a minute. */
function refuseBadArguments(check: OwnTool['check'], args: JsonObject, named: Named): void {
  const result = check?.(args);
  if (result === undefined || result.valid) return;
  const words = result.findings.slice(0, 5).map((finding) => {
    const { path, message } = toMessage(finding, 'en');
    return path === '' ? message : `${path}: ${message}`;
  });
  throw new ToolError({ status: 'error', reason: 'TOOL_INVALID_ARGUMENTS', message: words.join(' '), ...named });
}

function asToolError(error: unknown, named: Named): unknown {
  if (!isParleyError(error)) return error;
  const { code, message } = error;
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  return new ToolError({ status: 'error', reason: reasonOfCode(code), message, retryAfterMs, cause: error, ...named });
}

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
