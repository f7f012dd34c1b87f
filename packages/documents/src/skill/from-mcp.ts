import type { SkillDescriptor } from './descriptor.ts';
import { type SchemaLoss, toInputs } from './from-schema.ts';
import type { McpTool } from './to-mcp.ts';
import { PROTOCOL_VERSION } from './version.ts';

/** The fields that a tool does not have. */
export type SkillBase = Pick<SkillDescriptor, 'id' | 'version' | 'provider' | 'endpoint' | 'auth' | 'access'> &
  Partial<SkillDescriptor>;

export type SkillFromTool =
  | { readonly ok: true; readonly descriptor: SkillDescriptor; readonly losses: readonly SchemaLoss[] }
  | { readonly ok: false; readonly problems: readonly { code: string; path: string }[] };

/** Builds a descriptor for an MCP tool. It is not validated yet: a tool may lack required fields. */
export function fromMcpTool(tool: McpTool, base: SkillBase): SkillFromTool {
  const found = toInputs(tool.inputSchema);
  if (!found.ok) {
    return { ok: false, problems: found.problems.map(({ code, path }) => ({ code, path: `/inputSchema${path}` })) };
  }
  const { outputSchema } = tool;
  const descriptor: SkillDescriptor = {
    protocol: { version: PROTOCOL_VERSION },
    name: tool.title ?? tool.name,
    capability_type: 'api',
    description: tool.description ?? tool.title ?? tool.name,
    output: { content_type: 'application/json', ...(outputSchema === undefined ? {} : { schema: outputSchema }) },
    ...base,
    inputs: found.inputs,
  };
  const losses = found.losses.map(({ path, reason }) => ({ path: `/inputSchema${path}`, reason }));
  return { ok: true, descriptor, losses };
}
