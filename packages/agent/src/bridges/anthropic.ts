import type { Manifest } from '@parley/documents';
import { describeTools, type ToolChoice } from './describe.ts';
import { type RunOptions, runAll, runTool, type ToolCaller } from './run.ts';

// Messages API. The shapes are those of the `@anthropic-ai/sdk` package, without depending on it.

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [keyword: string]: unknown };
}
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: string;
  is_error?: boolean;
}
interface AssistantMessage {
  readonly content: readonly (
    | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
    | { readonly type: string }
  )[];
}

export function toAnthropicTools(manifest: Manifest, choice?: ToolChoice): AnthropicTool[] {
  return describeTools(manifest, choice).map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: { ...parameters, type: 'object' },
  }));
}

/** Returns the content of the user message that answers the model; empty if the model used no tool. */
export function runAnthropicToolUses(
  agent: ToolCaller,
  conversationId: string,
  message: AssistantMessage,
  options: RunOptions = {},
): Promise<AnthropicToolResult[]> {
  const uses = message.content.filter((block) => block.type === 'tool_use') as ToolUse[];
  return runAll(uses, options, async ({ id, name, input }) => {
    const { ok, content } = await runTool(agent, conversationId, { name, input, options });
    return { type: 'tool_result', tool_use_id: id, content, ...(ok ? {} : { is_error: true }) };
  });
}

type ToolUse = Extract<AssistantMessage['content'][number], { id: string }>;
