import { get, type JsonObject } from '../json/value.ts';
import type { SkillDescriptor } from './descriptor.ts';
import { toInputSchema } from './input-schema.ts';

/** A tool as the Model Context Protocol lists it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly _meta?: JsonObject;
}

const MAX_NAME = 128;
/** Names the skill and the version that a tool was made of. */
const MCP_META = 'parley/skill';

export function toMcpTool(descriptor: SkillDescriptor): McpTool {
  const { id, name, version, description, inputs, output } = descriptor;
  // MCP's structured content is always an object.
  const structured = output.schema !== undefined && get(output.schema, 'type') === 'object';
  return {
    name: id.replaceAll(/[^\w.-]/g, '_').slice(0, MAX_NAME),
    title: name,
    description,
    inputSchema: toInputSchema(inputs),
    ...(structured ? { outputSchema: output.schema! } : {}),
    _meta: { [MCP_META]: { id, version } },
  };
}
