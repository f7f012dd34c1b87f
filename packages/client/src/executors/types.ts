import type { Locale } from '@parley/base';
import type { Json, JsonObject, Sensitivity } from '@parley/documents';

export interface ExecutionContext {
  /** Aborted when the time is over (CG-8), the client closes or the permission is taken back. */
  readonly signal: AbortSignal;
  readonly locale: Locale;
}

/**
 * What this device can do for a tool. It belongs to one scope: a manifest that offers the tool under another gets
 * TOOL_UNAVAILABLE (CG-5).
 */
export interface Executor {
  readonly tool: string;
  readonly scope: string;
  /** A floor: no manifest can make the tool less sensitive than this. */
  readonly sensitivity?: Sensitivity;
  /** For this agent alone; any other gets TOOL_UNAVAILABLE. */
  readonly agentId?: string;
  /** The arguments fit the agent's schema, not necessarily the executor's own wishes: it checks them again. */
  run(args: JsonObject, context: ExecutionContext): Promise<Json>;
  /** What the person should know about this very call, beside the prompt (CG-13); untrusted parts made showable. */
  privacyNote?(args: JsonObject, locale: Locale): string | undefined;
}

/**
 * Why a tool could not do it, in words that the agent may read: no path, address or other detail of this device. What
 * an executor throws instead of this becomes a sentence that says nothing.
 */
export class ExecutorFailure extends Error {
  readonly code: 'TOOL_PLATFORM_ERROR' | 'TOOL_INVALID_ARGUMENTS' | 'TOOL_UNAVAILABLE' | 'tool_timeout';

  constructor(message: string, options: { code?: ExecutorFailure['code']; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ExecutorFailure';
    this.code = options.code ?? 'TOOL_PLATFORM_ERROR';
  }
}
