import { type ErrorEntry, type Locale, ParleyError, type Texts } from '@parley/base';
import type { Json, JsonObject, Sensitivity } from '@parley/documents';
import { ERROR_REASONS } from '@parley/protocol';
import { ERRORS } from '@parley/protocol/errors';

/** How far one yes of the person reaches (CG-15), such as a folder or a host. */
export interface Edge {
  /**
   * Calls with the same id are inside the same edge. It is compared as it is, so whatever has several spellings (a path
   * with links in it, a host with a port) is resolved first.
   */
  readonly id: string;
  /** Ends the sentence "Do not ask again about …": "requests to example.com". Untrusted parts are made safe to show. */
  readonly text: Texts;
}

export interface ExecutionContext {
  /** Aborted when the time is over (CG-8), the client closes or the permission is taken back. */
  readonly signal: AbortSignal;
  readonly locale: Locale;
  /**
   * To be awaited before the tool goes where `edge` did not say it would: after a redirect, or once an opened file turns
   * out to be elsewhere. Resolves at once if the person's answer covers this edge; else the person is asked, and the
   * time limit stands still. Rejects after a no: the call has then been answered, and the tool has to stop.
   */
  enter(edge: Edge): Promise<void>;
}

/** A call in a sentence of ours (WC-12). Untrusted parts are cut and made safe to show. */
export interface CallDescription {
  /** Ends the sentence "DemoBot wants to …". */
  readonly wants: string;
  /** The same for a button, in a few words that hold no value of the call. */
  readonly act: string;
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
  /**
   * Returns the edge of a call (CG-15): a yes to this call is also one to later calls inside the same edge, for as long
   * as CG-6 says. Without it, the edge is the whole tool. It is called before anyone was asked, so it has no effects and
   * reveals nothing: it only throws, as an ExecutorError, for arguments that `run` would refuse on any device. `run`
   * itself calls `context.enter` with the edge of what it really opens.
   */
  edge?(args: JsonObject): Edge | Promise<Edge>;
  /** The arguments match the agent's schema, which may differ from the executor's own: it checks them again. */
  run(args: JsonObject, context: ExecutionContext): Promise<Json>;
  /**
   * Returns what the person should know about this call, shown in the prompt (CG-13). Untrusted parts are made safe to
   * show.
   */
  privacyNote?(args: JsonObject, locale: Locale): string | undefined;
  /**
   * Says what the call will do (WC-12). It is called with arguments that only the agent's schema has checked. Without it,
   * the prompt says that the agent wants to use the tool, and shows the agent's own words as such.
   */
  describe?(args: JsonObject, locale: Locale): CallDescription | undefined;
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
