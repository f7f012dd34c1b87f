import { type Agent, ToolError } from '@parley/agent';
import type { JsonObject, Manifest } from '@parley/documents';

export interface OwnAgent {
  readonly agent_id: string;
  readonly name: string;
  readonly status: string;
  readonly visibility: string;
  readonly connection_mode: string;
  readonly manifest_version: number;
}
export interface AgentDetail {
  readonly agent_id: string;
  readonly name: string;
  readonly manifest: Manifest | null;
  readonly manifest_version: number;
  readonly manifest_hash: string | null;
}
interface RelationLine {
  readonly agent_name: string;
  readonly status: string;
  readonly granted_scopes: readonly string[];
  readonly granted: number;
  readonly pending: number;
}
type UpdateResult =
  | { readonly updated: true; readonly manifest_version: number; readonly breaking_changes: number }
  | { readonly updated: false };
type Named = Pick<OwnAgent, 'agent_id' | 'name'>;

/** Everything that Hashee can do: ask the device of the person it talks to. */
export interface Tools {
  listAgents(): Promise<{ readonly agents: readonly OwnAgent[]; readonly more: boolean }>;
  getAgent(agentId: string): Promise<AgentDetail>;
  listRelations(): Promise<{ readonly relations: readonly RelationLine[]; readonly more: boolean }>;
  updateManifest(agent: AgentDetail, manifest: Manifest): Promise<UpdateResult>;
  createAgent(fields: JsonObject): Promise<Named>;
  rotateToken(agent: Named): Promise<void>;
  setWebhook(agent: Named, url: string): Promise<{ readonly url: string; readonly secret_shown: boolean }>;
}

export function createTools(agent: Pick<Agent, 'callTool'>, conversationId: string, waitTime: () => number): Tools {
  const call = <Result>(tool: string, args: JsonObject = {}): Promise<Result> => {
    const wait = waitTime();
    if (wait === 0) return agent.callTool<Result>(conversationId, tool, args);
    const busy = { status: 'error', reason: 'RATE_LIMITED', callId: '', toolName: tool, retryAfterMs: wait } as const;
    return Promise.reject(new ToolError(busy));
  };
  const named = ({ agent_id, name }: Named) => ({ agent_name: name, agent_id });
  return {
    listAgents: () => call('list_my_agents'),
    getAgent: (agentId) => call('get_agent', { agent_id: agentId }),
    listRelations: () => call('list_relations'),
    updateManifest: (detail, manifest) =>
      call('update_manifest', {
        ...named(detail),
        manifest: manifest as unknown as JsonObject,
        ...(detail.manifest_hash === null ? {} : { if_match: detail.manifest_hash }),
      }),
    createAgent: (fields) => call('create_agent', fields),
    rotateToken: async (one) => void (await call('rotate_token', named(one))),
    setWebhook: (one, url) => call('set_webhook', { ...named(one), url }),
  };
}
