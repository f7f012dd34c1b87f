import { displayText, type JsonObject } from '@parley/documents';
import { ApiError } from '@parley/messenger';
import { agentRoutes } from '@parley/protocol';
import { defineArguments } from '../arguments.ts';
import { defineDescription } from '../describe.ts';
import type { Executor } from '../types.ts';
import { forHashee, type HasheeDeps, NAMED, readNamedAgent } from './own-agents.ts';

interface Update {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly manifest: JsonObject;
  readonly if_match?: string;
}
interface NewAgent {
  readonly name: string;
  readonly description?: string;
  readonly visibility?: 'public' | 'private';
}

const readUpdate = defineArguments<Update>(
  { ...NAMED, manifest: { type: 'object' }, if_match: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
  ['agent_id', 'agent_name', 'manifest'],
);
const readNewAgent = defineArguments<NewAgent>(
  {
    name: { type: 'string', minLength: 1, maxLength: 64 },
    description: { type: 'string', maxLength: 2000 },
    visibility: { enum: ['public', 'private'] },
  },
  ['name'],
);

const NOTES = {
  update: {
    en: (name: string) =>
      `Everyone who uses ${name} gets the new capability manifest and is asked again about breaking changes.`,
    'zh-CN': (name: string) => `使用 ${name} 的所有人都会收到新的能力清单，不兼容的变更需要重新同意。`,
  },
  create: {
    en: () => 'The new agent’s token is shown only once, on this device. Hashee doesn’t get it.',
    'zh-CN': () => '新 Agent 的令牌只在此设备上显示一次，Hashee 不会得到它。',
  },
};

const describeUpdate = defineDescription({
  en: (name: string) => ({ wants: `change what your agent “${name}” can do`, act: 'change it' }),
  'zh-CN': (name: string) => ({ wants: `更改您的 Agent“${name}”的能力清单`, act: '更改' }),
});
const describeCreation = defineDescription({
  en: (name: string) => ({ wants: `create an agent called “${name}”`, act: 'create it' }),
  'zh-CN': (name: string) => ({ wants: `创建名为“${name}”的 Agent`, act: '创建' }),
});

/** The server checks the manifest again, and that nobody changed it since it was compared (RL-4). */
export function updateManifestExecutor(deps: HasheeDeps): Executor {
  return forHashee({
    tool: 'update_manifest',
    scope: 'hashee:agents.write',
    sensitivity: 'high',
    describe: ({ agent_name: name }, locale) => describeUpdate(locale, String(name)),
    privacyNote: ({ agent_name: name }, locale) => NOTES.update[locale](displayText(String(name))),
    async run(args) {
      const update = readUpdate(args);
      const { agent_id, capability_manifest_hash: current } = await readNamedAgent(deps, update);
      // The first manifest has nothing to match; that there is none yet is all that can be looked at.
      if (update.if_match === undefined && current !== null) return { updated: false, reason: 'changed_meanwhile' };
      try {
        const outcome = await deps.api.call(agentRoutes.updateAgent, {
          params: { agent_id },
          body: { capability_manifest: update.manifest },
          ...(update.if_match === undefined ? {} : { headers: { 'if-match': `"${update.if_match}"` } }),
        });
        return {
          updated: true,
          manifest_version: outcome.capability_manifest_version,
          manifest_hash: outcome.capability_manifest_hash,
          breaking_changes: outcome.breaking_changes.length,
          warnings: outcome.warnings.length,
        };
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412)) throw error;
        return { updated: false, reason: 'changed_meanwhile' };
      }
    },
  });
}

export function createAgentExecutor({ api, showSecret }: HasheeDeps): Executor {
  return forHashee({
    tool: 'create_agent',
    scope: 'hashee:agents.write',
    sensitivity: 'high',
    describe: ({ name }, locale) => describeCreation(locale, String(name)),
    privacyNote: (_, locale) => NOTES.create[locale](),
    async run(args) {
      const { agent_id, name, token } = await api.call(agentRoutes.createAgent, { body: readNewAgent(args) });
      showSecret({ kind: 'agent_token', agentId: agent_id, agentName: name, secret: token });
      return { agent_id, name, token_shown: true };
    },
  });
}
