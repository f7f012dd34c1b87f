import type { Json } from '@parley/documents';
import { agentRoutes, listRelations } from '@parley/protocol';
import { defineArguments } from '../arguments.ts';
import { defineDescription } from '../describe.ts';
import type { Executor } from '../types.ts';
import { AGENT_ID, forHashee, type HasheeDeps, readOwnAgent } from './own-agents.ts';

/** One page is enough: an answer is small (TC-10), and nobody chooses among more. */
const LIMIT = '100';

const nothing = defineArguments<Record<string, never>>({});
const readId = defineArguments<{ agent_id: string }>({ agent_id: AGENT_ID }, ['agent_id']);

const describeAgents = defineDescription({
  en: () => ({ wants: 'list your agents', act: 'list them' }),
  'zh-CN': () => ({ wants: '列出您的 Agent', act: '列出' }),
});
const describeAgent = defineDescription({
  en: () => ({ wants: 'look at one of your agents', act: 'show it' }),
  'zh-CN': () => ({ wants: '查看您的一个 Agent', act: '查看' }),
});
const describeRelations = defineDescription({
  en: () => ({ wants: 'list the agents you’ve added', act: 'list them' }),
  'zh-CN': () => ({ wants: '列出您添加的 Agent', act: '列出' }),
});

export function listAgentsExecutor({ api }: HasheeDeps): Executor {
  return forHashee({
    tool: 'list_my_agents',
    scope: 'hashee:agents.read',
    describe: (_, locale) => describeAgents(locale),
    async run(args) {
      nothing(args);
      const query = { mine: 'true', limit: LIMIT } as const;
      const { agents, next_cursor } = await api.call(agentRoutes.searchAgents, { query });
      const told = agents.map(({ agent_id, name, status, visibility, connection_mode, ...agent }) => ({
        agent_id,
        name,
        status,
        visibility,
        connection_mode,
        manifest_version: agent.capability_manifest_version,
      }));
      return { agents: told, more: next_cursor !== null };
    },
  });
}

export function getAgentExecutor(deps: HasheeDeps): Executor {
  return forHashee({
    tool: 'get_agent',
    scope: 'hashee:agents.read',
    describe: (_, locale) => describeAgent(locale),
    async run(args) {
      const agent = await readOwnAgent(deps, readId(args).agent_id);
      return {
        agent_id: agent.agent_id,
        name: agent.name,
        connection_mode: agent.connection_mode,
        manifest: agent.capability_manifest as Json,
        manifest_version: agent.capability_manifest_version,
        manifest_hash: agent.capability_manifest_hash,
      };
    },
  });
}

export function listRelationsExecutor({ api }: HasheeDeps): Executor {
  return forHashee({
    tool: 'list_relations',
    scope: 'hashee:relations.read',
    describe: (_, locale) => describeRelations(locale),
    async run(args) {
      nothing(args);
      const { relations, next_cursor } = await api.call(listRelations, { query: { limit: LIMIT } });
      const told = relations.map(({ agent_id, agent_name, status, granted_scopes, pending_scopes }) => ({
        agent_id,
        agent_name,
        status,
        granted_scopes: granted_scopes.slice(0, 20),
        granted: granted_scopes.length,
        pending: pending_scopes.length,
      }));
      return { relations: told, more: next_cursor !== null };
    },
  });
}
