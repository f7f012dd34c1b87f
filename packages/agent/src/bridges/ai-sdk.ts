import { compileCheck, type Json, type JsonObject, type Manifest, readSchema, toMessage } from '@parley/documents';
import { describeTools, type ToolChoice } from './describe.ts';
import type { ToolCaller } from './run.ts';

// Vercel AI SDK. Schemas are given as Standard JSON Schema (standardschema.dev), which it reads without our depending
// on it.

interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'parley';
    validate(
      value: unknown,
    ): { readonly value: JsonObject } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: {
      input(): Record<string, unknown>;
      output(): Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: JsonObject } | undefined;
  };
}

export interface AiSdkTool {
  description: string;
  inputSchema: StandardSchema;
  execute(input: JsonObject, options?: { abortSignal?: AbortSignal | undefined }): Promise<Json>;
}

export interface AiSdkOptions extends ToolChoice {
  readonly timeoutMs?: number | undefined;
}

/** Throws a refusal as `ToolError`: the AI SDK passes its message to the model. */
export function toAiSdkTools(
  agent: ToolCaller,
  conversationId: string,
  manifest: Manifest,
  options: AiSdkOptions = {},
): Record<string, AiSdkTool> {
  const { timeoutMs } = options;
  const tools = describeTools(manifest, options).map(({ name, description, parameters }): [string, AiSdkTool] => [
    name,
    {
      description,
      inputSchema: toStandardSchema(parameters),
      execute: (input, { abortSignal: signal } = {}) =>
        agent.callTool(conversationId, name, input, { timeoutMs, signal }),
    },
  ]);
  return Object.fromEntries(tools);
}

function toStandardSchema(parameters: Record<string, unknown>): StandardSchema {
  const { root } = readSchema(parameters as JsonObject);
  const check = root === undefined ? undefined : compileCheck(root);
  const jsonSchema = () => structuredClone(parameters);
  return {
    '~standard': {
      version: 1,
      vendor: 'parley',
      jsonSchema: { input: jsonSchema, output: jsonSchema },
      validate: (value) => {
        const result = check?.(value as Json);
        if (result === undefined || result.valid) return { value: value as JsonObject };
        return { issues: result.findings.map((finding) => ({ message: toMessage(finding, 'en').message })) };
      },
    },
  };
}
