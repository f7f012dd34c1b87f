// The other side of an agent under test: a person with a real device.
import { randomUUID } from 'node:crypto';
import { createClient } from '@parley/client';
import { createMemoryStore } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { agentRoutes, webhookRoutes } from '@parley/protocol';
import { until } from '@parley/testkit/until';

const MANIFEST = {
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [
    {
      name: 'fetch_url',
      description_i18n_key: 'agent.tools.fetch_url.desc',
      description_fallback: { en: 'Opens a web address', 'zh-CN': '打开一个网址' },
      input_schema: {
        type: 'object',
        properties: { url: { type: 'string', format: 'uri' } },
        required: ['url'],
        additionalProperties: false,
      },
      permission_scope: 'network:http',
    },
  ],
  permission_scopes: [{ id: 'network:http', label_i18n_key: 'agent.scopes.network_http.label', sensitivity: 'high' }],
};

const PAGE = 'https://example.com/';
/** What the agents of the scenarios say when they are greeted, when a call was allowed, and when it was refused. */
export const ANSWERS = ['I am here.', 'It says: a page', 'ToolError: user_refused'];

/** A person with a real device, who decides about each call as it is asked. */
export async function createPerson(serverUrl) {
  const executors = [{ tool: 'fetch_url', scope: 'network:http', run: async () => ({ body: 'a page' }) }];
  const client = await createClient({
    baseUrl: serverUrl,
    store: createMemoryStore(),
    platform: createNodePlatform(),
    executors,
  });
  const email = `${randomUUID()}@example.org`;
  await client.register({ email, account_password: randomUUID(), display_name: 'Ada' });
  const { device } = client.session.getSnapshot();
  let decide = (prompt) => prompt.allow();
  const seen = new Set();
  device.prompts.subscribe(() => {
    const [prompt] = device.prompts.getSnapshot();
    if (prompt === undefined || seen.has(prompt.id)) return;
    seen.add(prompt.id);
    queueMicrotask(() => decide(prompt));
  });
  const heard = (conversationId) =>
    device.conversations
      .timeline(conversationId)
      .getSnapshot()
      .messages.flatMap(({ own, payload }) => (!own && payload.type === 'text' ? [payload.text] : []));

  return {
    createAgent: async () => {
      const { agent_id: agentId, token } = await device.api.call(agentRoutes.createAgent, {
        body: { name: 'Bot', visibility: 'public', capability_manifest: MANIFEST },
      });
      return { agentId, env: { PARLEY_AGENT_ID: agentId, PARLEY_AGENT_TOKEN: token } };
    },
    putWebhook: (agentId, body) => device.api.call(webhookRoutes.putWebhook, { params: { agent_id: agentId }, body }),
    add: async (agentId) => {
      const { manifestHash } = await device.agents.inspect({ agentId });
      const scopes = MANIFEST.permission_scopes.map(({ id }) => id);
      const { conversationId } = await device.relations.add({ agentId, scopes, manifestHash });
      return conversationId;
    },
    /** Greets the agent, then sends it the address of a page twice: the call is allowed once, and once refused. */
    converse: async (conversationId, agent) => {
      const before = heard(conversationId).length;
      const answers = () => heard(conversationId).slice(before);
      const says = async (text, decision) => {
        const count = answers().length;
        decide = decision;
        await device.conversations.sendText(conversationId, text);
        await until(() => answers().length > count).catch((error) => {
          throw new Error(`no answer to "${text}"; the agent printed: ${agent.printed()}`, { cause: error });
        });
      };
      await says('Are you there?', (prompt) => prompt.deny());
      await says(PAGE, (prompt) => prompt.allow());
      await says(PAGE, (prompt) => prompt.deny());
      return answers();
    },
    close: () => client.close(),
  };
}
