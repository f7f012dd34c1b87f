import { type JsonObject, parseJson } from '@parley/documents';
import type { Agent } from '../agent.ts';
import { ToolError } from '../calls/tool-error.ts';

export interface RunOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Runs all calls at once. By default they run one after the other, so that a person is asked one thing at a time. */
  readonly parallel?: boolean | undefined;
}

/** The part of an agent that a bridge needs. */
export type ToolCaller = Pick<Agent, 'callTool'>;

interface ToolResult {
  readonly ok: boolean;
  /** The text that the model reads. */
  readonly content: string;
}

/** A ToolError becomes an answer for the model, which can go on; any other error is thrown. */
export async function runTool(
  agent: ToolCaller,
  conversationId: string,
  call: { readonly name: string; readonly input: unknown; readonly options: RunOptions },
): Promise<ToolResult> {
  const { name, input, options } = call;
  const { timeoutMs, signal } = options;
  if (!isArguments(input)) {
    return refusal({
      status: 'error',
      reason: 'TOOL_INVALID_ARGUMENTS',
      message: 'The arguments must be a JSON object.',
    });
  }
  try {
    const result = await agent.callTool(conversationId, name, input, { timeoutMs, signal });
    return { ok: true, content: typeof result === 'string' ? result : JSON.stringify(result ?? null) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { status, reason, message, retryAfterMs } = error;
    return refusal({
      status,
      reason,
      message,
      ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    });
  }
}

const refusal = (error: JsonObject): ToolResult => ({ ok: false, content: JSON.stringify({ error }) });

const isArguments = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Models write arguments as text, sometimes badly. */
export function readArguments(text: string): unknown {
  const parsed = parseJson(text.trim() === '' ? '{}' : text);
  return parsed.ok ? parsed.value : undefined;
}

export async function runAll<T, R>(
  items: readonly T[],
  { parallel }: RunOptions,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  if (parallel) return Promise.all(items.map(run));
  const results: R[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}
