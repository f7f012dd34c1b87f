import type { JsonObject } from '@parley/documents';
import type { Bundle, Kit } from '@parley/documents/bundle';
import type { Missing } from './missing.ts';

/** One server in the format of MCP hosts. */
type McpServer =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly url: string };

/**
 * Lists the servers of kits that say how to start or reach them, and reports what the others lack. Nothing is guessed.
 */
export function listMcpServers(bundle: Bundle): { servers: Record<string, McpServer>; missing: Missing[] } {
  const servers: Record<string, McpServer> = {};
  const missing: Missing[] = [];
  for (const kit of bundle.kits ?? []) {
    if (kit.toolBinding?.type !== 'mcp') continue;
    const server = readServer(kit.toolBinding.config ?? {});
    if (server !== undefined) servers[kit.id] = server;
    else missing.push({ code: 'MCP_LAUNCH_MISSING', kit: kit.id, detail: nameServer(kit) });
  }
  return { servers, missing };
}

function readServer({ command, args, env, url }: JsonObject): McpServer | undefined {
  if (typeof command === 'string' && command !== '') {
    return { command, ...(isTexts(args) ? { args } : {}), ...(isTextMap(env) ? { env } : {}) };
  }
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { protocol, username, password } = new URL(url);
  return ['https:', 'http:'].includes(protocol) && username === '' && password === '' ? { url } : undefined;
}

function nameServer({ id, toolBinding }: Kit): string {
  const name = toolBinding?.config?.server;
  return typeof name === 'string' ? name : id;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function isTextMap(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && isTexts(Object.values(value)) && !Array.isArray(value);
}
