import { HasheeAgent, ToolError } from '@parley/agent';
import type { Manifest } from '@parley/documents';
import { createMemoryStore } from '@parley/messenger';

const tool = (name: string, scope: string, input: object) => ({
  name,
  description_i18n_key: `scripted.${name}`,
  description_fallback: { en: `The scripted ${name}`, 'zh-CN': `脚本工具 ${name}` },
  input_schema: { type: 'object', additionalProperties: false, ...input },
  permission_scope: scope,
});
const scope = (id: string, sensitivity: 'low' | 'medium' | 'high') => ({
  id,
  label_i18n_key: `scripted.${id}`,
  label_fallback: { en: `Scope ${id}`, 'zh-CN': `权限 ${id}` },
  sensitivity,
});

export const SCRIPTED = {
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [
    tool('send_notification', 'notification:send', { properties: { title: { type: 'string' } }, required: ['title'] }),
    tool('read_file', 'filesystem:read', { properties: { path: { type: 'string' } }, required: ['path'] }),
    tool('read_location', 'location:read', { properties: {} }),
  ],
  permission_scopes: [
    scope('notification:send', 'low'),
    scope('filesystem:read', 'medium'),
    scope('location:read', 'high'),
  ],
  capability_flags: { supports_streaming: true, supports_artifacts: true },
} as unknown as Manifest;

/** The first word names what it does; the rest is what it does it with. */
export async function startScriptedAgent(options: { agentId: string; token: string; baseUrl: string }) {
  const agent = await HasheeAgent.init({ ...options, connectionMode: 'websocket', keystore: createMemoryStore() });
  const tools: Readonly<Record<string, (rest: string) => [string, Record<string, string>]>> = {
    notify: (title) => ['send_notification', { title }],
    read: (path) => ['read_file', { path }],
    where: () => ['read_location', {}],
  };
  agent.addMessageHandler(async ({ conversation_id: id, payload }) => {
    const [, word = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(payload.text) ?? [];
    const call = tools[word]?.(rest);
    if (call !== undefined) {
      const answer = await agent.callTool(id, ...call).catch((error: unknown) => {
        if (error instanceof ToolError) return `${error.status} ${error.reason}`;
        throw error;
      });
      await agent.send(id, { type: 'text', text: `agent got ${JSON.stringify(answer)}` });
    } else if (word === 'stream') {
      const stream = await agent.stream(id);
      for (const part of rest.split(' ')) await stream.write(`${part} `);
      await stream.done();
    } else if (word === 'form') {
      await agent.sendArtifact(id, {
        subtype: 'form',
        title: 'A form',
        blocks: [
          { tag: 'input', id: 'city', label: 'City', required: true },
          { tag: 'input', id: 'pin', label: 'Pin', secret: true },
          {
            tag: 'select',
            id: 'size',
            label: 'Size',
            options: [
              { value: 's', label: 'small' },
              { value: 'l', label: 'large' },
            ],
          },
          { tag: 'checkbox', id: 'sure', label: 'Sure' },
          { tag: 'action', id: 'go', label: 'Send it' },
        ],
      });
    } else if (word === 'evil') {
      await agent.send(id, { type: 'text', text: EVIL });
    } else {
      await agent.send(id, { type: 'text', text: `echo ${payload.text}` });
    }
  });
  agent.addEventHandler(async (event) => {
    if (event.type !== 'artifact_response' || !('action' in event.artifact)) return;
    await agent.send(event.conversation_id, { type: 'text', text: `form ${JSON.stringify(event.artifact)}` });
  });
  return agent;
}

/** Clears the screen, writes into the clipboard, changes the title, moves up, and draws a line that looks like ours. */
const EVIL = [
  'one\u001b[2J\u001b[H\u001b]52;c;ZXZpbA==\u0007',
  '\u001b]0;title\u0007\u009b31mred\r✓ read_location ran: {}',
  '\u202egnp.exe\u0008\u0008',
].join('\n');
