import { type JsonObject, toMessage } from '@parley/documents';
import type { Messenger, Platform } from '@parley/messenger';
import type { Sender, ToolCall, ToolResponse } from '@parley/protocol';
import { copyJson } from './copy-json.ts';
import type { OwnManifest, OwnTool } from './own-manifest.ts';
import { PendingCalls } from './pending-calls.ts';
import { asToolError, ToolError } from './tool-error.ts';

/** The time a person has to decide, and the time for both ways over the network (SK-3). */
const DECISION_MS = 30_000;
const TRAVEL_MS = 5_000;
/** The device uses its own clock: one that is a little ahead must not refuse a call that was just made. */
const CLOCK_MARGIN_MS = 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface CallToolOptions {
  /** The total time; by default 30 s, the tool's own timeout and 5 s. */
  readonly timeoutMs?: number | undefined;
  /** Stops waiting. The device is not told, and may still run it. */
  readonly signal?: AbortSignal | undefined;
}

interface ToolCallsDeps {
  readonly manifest: OwnManifest;
  readonly messenger: Pick<Messenger, 'send' | 'conversation'>;
  readonly platform: Pick<Platform, 'now' | 'setTimer'>;
  readonly newId: () => string;
}
interface Request {
  readonly conversationId: string;
  readonly toolName: string;
  readonly args: object;
  readonly options: CallToolOptions;
}

/** Runs tool calls on people's devices, from the request to the answer (SK-3). */
export class ToolCalls {
  readonly #deps: ToolCallsDeps;
  readonly #pending: PendingCalls;

  constructor(deps: ToolCallsDeps) {
    this.#deps = deps;
    this.#pending = new PendingCalls(deps.platform.setTimer);
  }

  async call({ conversationId, toolName, args: given, options }: Request): Promise<unknown> {
    const { manifest, messenger, platform, newId } = this.#deps;
    const { timeoutMs: wanted, signal } = options;
    if (wanted !== undefined && !(wanted > 0 && wanted <= MAX_TIMER_MS)) {
      throw new TypeError('timeoutMs: must be a positive number of milliseconds');
    }
    signal?.throwIfAborted();
    const callId = newId();
    const { tool, timeoutMs, check } = await findTool(manifest, { toolName, callId });
    const args = readArguments(given, { toolName, callId });
    refuseBadArguments(check, args, { toolName, callId });
    const { kind, members } = await messenger.conversation(conversationId).catch((error) => {
      throw asToolError(error, { toolName, callId });
    });
    const person = kind === 'h2a' ? members.find((member) => member.kind === 'human')?.id : undefined;

    const total = wanted ?? DECISION_MS + timeoutMs + TRAVEL_MS;
    const answer = this.#pending.open({ callId, toolName, conversationId, person, timeoutMs: total, signal });
    const artifact: ToolCall = {
      subtype: 'tool_call',
      call_id: callId,
      tool_name: toolName,
      arguments: args,
      permission_scope: tool.permission_scope,
      timeout_ms: timeoutMs,
      expires_at: new Date(platform.now().getTime() + total + CLOCK_MARGIN_MS).toISOString(),
    };
    // The send is not awaited: the answer may arrive before the server's acknowledgement, and the timeout before
    // either.
    messenger
      .send({ conversationId, payload: { type: 'artifact', artifact } })
      .catch((error) => this.#pending.fail(callId, asToolError(error, { toolName, callId })));
    return answer;
  }

  answer(response: ToolResponse, from: { readonly conversationId: string; readonly sender: Sender }): void {
    this.#pending.answer(response, from);
  }

  /** Gives up all waiting calls, and accepts no more. */
  close(): void {
    this.#pending.close();
  }
}

interface Named {
  readonly toolName: string;
  readonly callId: string;
}

async function findTool(manifest: OwnManifest, named: Named): Promise<OwnTool> {
  const found = await manifest.find(named.toolName).catch((error) => {
    throw asToolError(error, named);
  });
  // The device would give the same answer.
  if (found === undefined) throw new ToolError({ status: 'denied', reason: 'tool_not_declared', ...named });
  return found;
}

function readArguments(given: object, named: Named): JsonObject {
  try {
    return copyJson(given);
  } catch (error) {
    const message = error instanceof TypeError ? error.message : 'The arguments are nested too deeply.';
    throw new ToolError({ status: 'error', reason: 'TOOL_INVALID_ARGUMENTS', message, ...named });
  }
}

/** The device checks the arguments again (CG-4). Refusing them here costs no prompt and no call of the rate limit. */
function refuseBadArguments(check: OwnTool['check'], args: JsonObject, named: Named): void {
  const result = check?.(args);
  if (result === undefined || result.valid) return;
  const sentences = result.findings.slice(0, 5).map((finding) => {
    const { path, message } = toMessage(finding, 'en');
    return path === '' ? message : `${path}: ${message}`;
  });
  throw new ToolError({ status: 'error', reason: 'TOOL_INVALID_ARGUMENTS', message: sentences.join(' '), ...named });
}
