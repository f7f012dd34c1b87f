import {
  type Check,
  compileCheck,
  effectiveSensitivity,
  hashCanonical,
  hashManifest,
  type Json,
  type Manifest,
  type PermissionScope,
  readSchema,
  type Sensitivity,
  type Tool,
  validateManifest,
} from '@parley/documents';
import { SYSTEM_AGENT_ID } from '@parley/protocol';

/** The timeout of a tool that declares none (CM-5). */
const DEFAULT_TIMEOUT_MS = 10_000;

/** A manifest that was checked against the hash the server announced (CG-2), and prepared for many calls. */
export interface VerifiedManifest {
  readonly manifest: Manifest;
  readonly hash: string;
  readonly tools: ReadonlyMap<string, VerifiedTool>;
}

export interface VerifiedTool {
  readonly tool: Tool;
  readonly scope: PermissionScope;
  /** The higher of manifest and preset (CM-11). */
  readonly level: Sensitivity;
  /** The digest of tool and scope as they are written: an edit of either makes another one (CG-6, CG-7). */
  readonly digest: string;
  readonly timeoutMs: number;
  readonly check: Check;
}

/**
 * Undefined for an invalid manifest, or one that was not announced. Only the platform's own agent may declare reserved
 * scopes, even if a server lets another one do so (CM-10).
 */
export function verifyManifest(value: unknown, announcedHash: string, agentId?: string): VerifiedManifest | undefined {
  const { manifest } = validateManifest(value, { platform: agentId === SYSTEM_AGENT_ID });
  if (manifest === undefined) return undefined;
  const hash = hashManifest(value as Json);
  if (hash !== announcedHash) return undefined;
  const scopes = new Map(manifest.permission_scopes.map((scope) => [scope.id, scope]));
  const tools = manifest.tools.map(
    (tool) => [tool.name, prepareTool(tool, scopes.get(tool.permission_scope)!)] as const,
  );
  return { manifest, hash, tools: new Map(tools) };
}

function prepareTool(tool: Tool, scope: PermissionScope): VerifiedTool {
  let compiled: Check | undefined;
  return {
    tool,
    scope,
    level: effectiveSensitivity(scope),
    digest: hashCanonical({ tool, scope } as unknown as Json),
    timeoutMs: tool.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    // The schema is compiled at the first call: most tools of most agents are never called.
    check: (value, options) => {
      compiled ??= compileCheck(readSchema(tool.input_schema).root!);
      return compiled(value, options);
    },
  };
}
