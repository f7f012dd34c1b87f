import { AgentCard } from '@a2a-js/sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { patched, seedDescriptor } from '../../tests/skill-vectors.ts';
import type { SkillDescriptor } from './descriptor.ts';
import { fromMcpTool } from './from-mcp.ts';
import { toA2aSkill } from './to-a2a.ts';
import { type McpTool, toMcpTool } from './to-mcp.ts';
import { toOpenApi } from './to-openapi.ts';
import { validateDescriptor } from './validate.ts';

const OAUTH2 = {
  type: 'oauth2',
  oauth2: {
    authorization_url: 'https://example.com/a',
    token_url: 'https://example.com/t',
    scopes: { 'skill:invoke': 'x' },
  },
} as const;
const CUSTOM: SkillDescriptor['auth'] = {
  type: 'custom',
  custom: {
    instructions: 'Send both.',
    parameters: [
      { name: 'X-Tenant', in: 'header', required: true, description: 'Your tenant.' },
      { name: 'session', in: 'cookie' },
    ],
  },
};
const VARIANTS: [string, SkillDescriptor][] = [
  ['the seed', seedDescriptor()],
  ['oauth2', { ...seedDescriptor(), auth: OAUTH2 }],
  ['custom parameters', { ...seedDescriptor(), auth: CUSTOM }],
  [
    'no auth, nothing optional',
    patched([
      { op: 'remove', path: '/tags' },
      { op: 'remove', path: '/endpoint/status_url' },
      { op: 'add', path: '/auth', value: { type: 'none' } },
      { op: 'add', path: '/access', value: 'public' },
    ]),
  ],
  [
    'references in schemas',
    patched([
      { op: 'add', path: '/inputs/0/schema', value: { $ref: '#/$defs/a', $defs: { a: { minLength: 1 } } } },
      { op: 'add', path: '/output/schema', value: { type: 'object', properties: { next: { $ref: '#' } } } },
    ]),
  ],
  [
    'an id that is no tool name, a recursive status address',
    patched([
      { op: 'add', path: '/id', value: '翻译:v1' },
      { op: 'add', path: '/endpoint/status_url', value: 'https://status.example.com/s' },
    ]),
  ],
];

/** A real client talking to a real server that lists this tool and answers with `output`. */
async function callThroughMcp(tool: McpTool, args: Record<string, unknown>, output: Record<string, unknown>) {
  const server = new Server({ name: 'test', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [tool as never] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
    structuredContent: output,
  }));
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [one, two] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(two)]);
  try {
    const { tools } = await client.listTools();
    return { listed: tools[0]!, result: await client.callTool({ name: tools[0]!.name, arguments: args }) };
  } finally {
    await client.close();
  }
}

describe('SD-3 as an MCP tool', () => {
  it.each(VARIANTS)('%s is accepted by the official client and its schema', async (_, descriptor) => {
    const tool = toMcpTool(descriptor);
    expect(ToolSchema.safeParse(tool).success).toBe(true);
    expect(tool.name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
    const { listed, result } = await callThroughMcp(tool, { text: 'x', target_language: 'en' }, {});
    expect(listed.inputSchema).toEqual(tool.inputSchema);
    expect(result.structuredContent).toEqual({});
  });

  it('the official client checks answers against the exported output schema', async () => {
    const call = callThroughMcp(toMcpTool(seedDescriptor()), {}, { confidence: 'high' });
    await expect(call).rejects.toThrow(/schema/i);
  });

  it('and back gives the same inputs and output', () => {
    const { inputs, output: _, ...base } = seedDescriptor();
    const back = fromMcpTool(toMcpTool(seedDescriptor()), base);
    expect(back).toMatchObject({ ok: true, losses: [] });
    if (!back.ok) return;
    expect(back.descriptor.inputs).toEqual(inputs);
    expect(validateDescriptor(back.descriptor).violations).toEqual([]);
  });

  it('a tool as others write them becomes a valid descriptor', () => {
    const { id, version, provider, endpoint, auth, access } = seedDescriptor();
    const back = fromMcpTool(
      {
        name: 'search_files',
        description: 'Searches files.',
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          title: 'search_filesArguments',
          type: 'object',
          properties: {
            query: { type: 'string', title: 'Query' },
            limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null, title: 'Limit' },
          },
          required: ['query'],
        },
      },
      { id, version, provider, endpoint, auth, access },
    );
    expect(back.ok && validateDescriptor(back.descriptor).violations).toEqual([]);
    expect(back.ok && back.losses).toEqual([
      { path: '/inputSchema/additionalProperties', reason: 'open' },
      { path: '/inputSchema/properties/limit', reason: 'type' },
    ]);
  });
});

describe('SD-3 as an OpenAPI 3.1 document', () => {
  it.each(VARIANTS)('%s is accepted by a validator of the standard', async (_, descriptor) => {
    const validator = new Validator();
    const result = await validator.validate(toOpenApi(descriptor));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('names the operation, the server and the header of the key', () => {
    expect(toOpenApi(seedDescriptor())).toMatchObject({
      servers: [{ url: 'https://api.example.com' }],
      paths: {
        '/skills/translate/invoke': { post: { operationId: 'com.example.translate-v1', security: [{ api_key: [] }] } },
        '/skills/translate/status/{execution_id}': { get: {} },
        '/skills/translate/result/{execution_id}': { get: {} },
      },
      components: { securitySchemes: { api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    });
  });

  it('names custom parameters, with and without the optional ones', () => {
    expect(toOpenApi({ ...seedDescriptor(), auth: CUSTOM })).toMatchObject({
      paths: {
        '/skills/translate/invoke': { post: { security: [{ custom_1: [], custom_2: [] }, { custom_1: [] }] } },
      },
      components: {
        securitySchemes: {
          custom_1: { type: 'apiKey', in: 'header', name: 'X-Tenant', description: 'Your tenant.' },
          custom_2: { type: 'apiKey', in: 'cookie', name: 'session' },
        },
      },
    });
    const { custom } = CUSTOM;
    const free = { ...CUSTOM, custom: { ...custom!, parameters: { algorithm: 'ed25519' } } };
    expect(toOpenApi({ ...seedDescriptor(), auth: free })).not.toHaveProperty('components.securitySchemes');
  });
});

describe('SD-3 as a skill of an A2A agent card', () => {
  it.each(VARIANTS)('%s is read by the official SDK without loss', (_, descriptor) => {
    const skill = toA2aSkill(descriptor);
    const card = AgentCard.fromJSON({ name: 'a', description: 'b', version: '1.0.0', skills: [skill] });
    const [read] = (AgentCard.toJSON(card) as { skills: unknown[] }).skills;
    const { examples: __, securityRequirements, ...rest } = skill;
    expect(read).toMatchObject(rest);
    expect(card.skills[0]!.securityRequirements).toHaveLength(securityRequirements.length);
    expect(skill.tags.length).toBeGreaterThan(0);
  });
});
