import { displayText } from '@parley/documents';
import { agentRoutes, webhookRoutes } from '@parley/protocol';
import { defineArguments } from '../arguments.ts';
import { defineDescription, readAddress } from '../describe.ts';
import type { Executor } from '../types.ts';
import { forHashee, type HasheeDeps, NAMED, readNamedAgent } from './own-agents.ts';

interface Named {
  readonly agent_id: string;
  readonly agent_name: string;
}

/** The old tokens work for this long, so that a running agent can be given the new one. */
const OVERLAP_SECONDS = 3_600;

const readNamed = defineArguments<Named>(NAMED, ['agent_id', 'agent_name']);
const readWebhook = defineArguments<Named & { url: string }>(
  { ...NAMED, url: { type: 'string', format: 'uri', maxLength: 2048 } },
  ['agent_id', 'agent_name', 'url'],
);

const NOTES = {
  rotate: {
    en: (name: string) =>
      `${name} gets a new token. It’s shown only once, on this device; Hashee doesn’t get it. The old tokens stop working in an hour.`,
    'zh-CN': (name: string) => `${name} 会得到新令牌，只在此设备上显示一次，Hashee 不会得到它。旧令牌一小时后失效。`,
  },
  webhook: {
    en: (name: string, host: string) =>
      `Events of ${name} go to ${host} from now on. The signing secret is shown only once, on this device; Hashee doesn’t get it.`,
    'zh-CN': (name: string, host: string) =>
      `${name} 的事件今后会发送到 ${host}。签名密钥只在此设备上显示一次，Hashee 不会得到它。`,
  },
};

const describeRotation = defineDescription({
  en: (name: string) => ({ wants: `create a new token for your agent “${name}”`, act: 'create it' }),
  'zh-CN': (name: string) => ({ wants: `为您的 Agent“${name}”生成新令牌`, act: '生成' }),
});
const describeWebhook = defineDescription({
  en: (name: string, host: string) => ({
    wants: `send the events of your agent “${name}” to ${host}`,
    act: 'send them there',
  }),
  'zh-CN': (name: string, host: string) => ({
    wants: `把您的 Agent“${name}”的事件发送到 ${host}`,
    act: '发送到该地址',
  }),
});

/** The token goes from the server to the person; the agent that asked for it learns only that there is one (SA-2). */
export function rotateTokenExecutor(deps: HasheeDeps): Executor {
  return forHashee({
    tool: 'rotate_token',
    scope: 'hashee:tokens',
    sensitivity: 'high',
    describe: ({ agent_name: name }, locale) => describeRotation(locale, String(name)),
    privacyNote: ({ agent_name: name }, locale) => NOTES.rotate[locale](displayText(String(name))),
    async run(args) {
      const { agent_id, name } = await readNamedAgent(deps, readNamed(args));
      const body = { overlap_seconds: OVERLAP_SECONDS };
      const { token } = await deps.api.call(agentRoutes.rotateToken, { params: { agent_id }, body });
      deps.showSecret({ kind: 'agent_token', agentId: agent_id, agentName: name, secret: token });
      return { rotated: true, token_shown: true, overlap_seconds: OVERLAP_SECONDS };
    },
  });
}

/** The server makes the secret: one that a person typed into a conversation would be known to the other side of it. */
export function setWebhookExecutor(deps: HasheeDeps): Executor {
  return forHashee({
    tool: 'set_webhook',
    scope: 'hashee:webhooks',
    sensitivity: 'high',
    describe: ({ agent_name: name, url }, locale) =>
      describeWebhook(locale, String(name), readAddress(url)?.host ?? String(url)),
    privacyNote({ agent_name: name, url }, locale) {
      const host = URL.canParse(String(url)) ? new URL(String(url)).host : String(url);
      return NOTES.webhook[locale](displayText(String(name)), displayText(host));
    },
    async run(args) {
      const { url, ...named } = readWebhook(args);
      const { agent_id, name } = await readNamedAgent(deps, named);
      const reply = await deps.api.call(webhookRoutes.putWebhook, { params: { agent_id }, body: { url } });
      const { secret } = reply;
      if (secret !== undefined) {
        deps.showSecret({ kind: 'webhook_secret', agentId: agent_id, agentName: name, secret });
      }
      return { url: reply.url, secret_shown: secret !== undefined };
    },
  });
}
