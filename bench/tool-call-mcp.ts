import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { serveTasks, startChild } from './child-process.ts';
import { rateOf, timesOf } from './throughput.ts';
import type { Contender } from './tool-call.ts';

/** Uses the MCP TypeScript SDK as its documentation shows: a session, JSON responses and a validated schema. */
export async function startMcp(): Promise<Contender> {
  const server = startChild(import.meta.url, 'mcp-server');
  const client = startChild(import.meta.url, 'mcp-client');
  await client.ask('connect', await server.ask('listen'));
  return {
    together: (count, atOnce) => client.ask('together', { count, atOnce }),
    oneByOne: (count) => client.ask('oneByOne', { count }),
    stop: async () => {
      await client.stop();
      await server.stop();
    },
  };
}

let http: Server;
let client: Client;

async function listen(): Promise<string> {
  const mcp = new McpServer({ name: 'bench', version: '1.0.0' });
  const inputSchema = { text: z.string().max(2_000) };
  mcp.registerTool('echo', { description: 'Says it back', inputSchema }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
  });
  // The SDK's types do not support exactOptionalPropertyTypes.
  await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
  http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

async function connect(url: string): Promise<void> {
  client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url)) as unknown as Parameters<typeof client.connect>[0],
  );
}

const call = () => client.callTool({ name: 'echo', arguments: { text: 'How do you do?' } });

serveTasks({
  'mcp-server': { listen },
  'mcp-client': {
    connect,
    together: ({ count, atOnce }: { count: number; atOnce: number }) => rateOf(call, count, atOnce),
    oneByOne: ({ count }: { count: number }) => timesOf(call, count),
  },
});
