import type { Manifest } from '@parley/documents';
import { describeTools, type ToolChoice } from './describe.ts';
import { type RunOptions, readArguments, runAll, runTool, type ToolCaller } from './run.ts';

// Chat Completions. The shapes are those of the `openai` package, without depending on it.

export interface OpenAITool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}
export interface OpenAIToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}
/** The part of an assistant's message that matters. */
interface AssistantMessage {
  readonly tool_calls?:
    | readonly {
        readonly id: string;
        readonly type: string;
        readonly function?: { readonly name: string; readonly arguments: string };
      }[]
    | null
    | undefined;
}

export function toOpenAITools(manifest: Manifest, choice?: ToolChoice): OpenAITool[] {
  return describeTools(manifest, choice).map((tool) => ({ type: 'function', function: tool }));
}

/** Returns one message for each call of the model, to be sent after the model's own; empty if it called nothing. */
export function runOpenAIToolCalls(
  agent: ToolCaller,
  conversationId: string,
  message: AssistantMessage,
  options: RunOptions = {},
): Promise<OpenAIToolMessage[]> {
  return runAll(message.tool_calls ?? [], options, async (call) => {
    const { name = '', arguments: text = '' } = call.function ?? {};
    const { content } = await runTool(agent, conversationId, { name, input: readArguments(text), options });
    return { role: 'tool', tool_call_id: call.id, content };
  });
}
