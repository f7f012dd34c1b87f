import { type ErrorEntry, type Locale, ParleyError } from '@parley/base';
import type { Json, JsonObject, Sensitivity } from '@parley/documents';
import { ERROR_REASONS } from '@parley/protocol';
import { ERRORS } from '@parley/protocol/errors';

export interface ExecutionContext {
  /** Aborted when the time is over (CG-8), the client closes or the permission is taken back. */
  readonly signal: AbortSignal;
  readonly locale: Locale;
}

/**
 * Runs one tool on this device. It belongs to one scope: a manifest that offers the tool under another scope gets
 * TOOL_UNAVAILABLE (CG-5).
 */
export interface Executor {
  readonly tool: string;
  readonly scope: string;
  /** The minimum level: no manifest can make the tool less sensitive than this. */
  readonly sensitivity?: Sensitivity;
  /** If set, only this agent can use it; any other gets TOOL_UNAVAILABLE. */
  readonly agentId?: string;
  /** The arguments match the agent's schema, which may differ from the executor's own: it checks them again. */
  run(args: JsonObject, context: ExecutionContext): Promise<Json>;
  /**
   * Returns what the person should know about this call, shown in the prompt (CG-13). Untrusted parts are made safe to
   * show.
   */
  privacyNote?(args: JsonObject, locale: Locale): string | undefined;
}

type ExecutorErrorCode = 'TOOL_PLATFORM_ERROR' | 'TOOL_INVALID_ARGUMENTS' | 'TOOL_UNAVAILABLE' | 'tool_timeout';

/** `tool_timeout` is a reason of the wire (TC-5), which has no entry among the error codes. */
const ENTRIES: Readonly<Record<ExecutorErrorCode, ErrorEntry>> = {
  TOOL_PLATFORM_ERROR: ERRORS.TOOL_PLATFORM_ERROR,
  TOOL_INVALID_ARGUMENTS: ERRORS.TOOL_INVALID_ARGUMENTS,
  TOOL_UNAVAILABLE: ERRORS.TOOL_UNAVAILABLE,
  tool_timeout: { retry: true, text: ERROR_REASONS.tool_timeout },
};

/**
 * Why a tool failed. `message` goes to the agent: it names no path, address or other detail of this device. For any
 * other error of an executor, the agent gets a sentence without details.
 */
export class ExecutorError extends ParleyError<ExecutorErrorCode> {
  constructor(
    message: string,
    { code = 'TOOL_PLATFORM_ERROR', cause }: { code?: ExecutorErrorCode; cause?: unknown } = {},
  ) {
    super(code, ENTRIES[code], { cause });
    this.name = 'ExecutorError';
    this.message = message;
  }
}
