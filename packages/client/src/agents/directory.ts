import type { Locale } from '@parley/base';
import { type ConsentPreview, displayText, highestSensitivity, type Manifest, previewConsent } from '@parley/documents';
import type { Api, Trust, Trusted } from '@parley/messenger';
import { agentRoutes, type QueryOf, type ReplyOf } from '@parley/protocol';
import { clientError } from '../errors.ts';
import type { AgentLink } from './link.ts';
import type { Manifests } from './manifests.ts';
import type { RelationRegistry } from './relation-registry.ts';
import { type ExecutorFloor, scopeFloor } from './scope-level.ts';

export type AgentSearch = QueryOf<typeof agentRoutes.searchAgents>;
export type AgentSummary = ReplyOf<typeof agentRoutes.searchAgents>['agents'][number];

/** Everything that the consent screen shows. The texts are safe to show. */
export interface AgentDetails {
  readonly agentId: string;
  readonly name: string;
  readonly description: string;
  readonly ownerName: string;
  /** Only the owner is shown their own id (AC-7). */
  readonly isOwn: boolean;
  /** Passed back when the agent is added: consent is bound to the text that was shown (RL-6). */
  readonly manifestHash: string | null;
  readonly manifestVersion: number;
  readonly preview: ConsentPreview | undefined;
  /** Scopes that cannot be left out (CM-5). */
  readonly requiredScopes: readonly string[];
  readonly identity: Trusted;
  readonly mode: { readonly name: string; readonly weaker: boolean; readonly text: string };
}

/** Explains the connection modes in plain words (EE-7). */
const MODES = {
  ratcheted: {
    en: 'End-to-end encrypted, with new keys for every message. Someone who steals a key later can’t read earlier messages.',
    'zh-CN': '端到端加密，每条消息更换密钥。即使日后密钥泄露，也无法读取之前的消息。',
  },
  webhook: {
    en: 'End-to-end encrypted, but with keys that don’t change. Anyone who steals the agent’s key can read everything it was ever sent.',
    'zh-CN': '端到端加密，但密钥长期不变。一旦此 Agent 的密钥泄露，发给它的全部内容（包括过去的）都可能被读取。',
  },
} as const satisfies Record<string, Record<Locale, string>>;

export interface AgentDirectory {
  search(query?: AgentSearch): Promise<{ agents: readonly AgentSummary[]; nextCursor: string | undefined }>;
  /** Looks the agent up and pins its key at first contact (EE-9). A fingerprint in the link must match. */
  inspect(link: AgentLink): Promise<AgentDetails>;
}

interface DirectoryDeps {
  readonly api: Api;
  readonly trust: Trust;
  readonly manifests: Manifests;
  readonly registry: Pick<RelationRegistry, 'byAgent'>;
  readonly floor: ExecutorFloor;
  locale(): Locale;
}

export function createAgentDirectory(deps: DirectoryDeps): AgentDirectory {
  const { api, trust, manifests, registry, locale } = deps;

  /** At the levels by which the guard will ask (CG-6). */
  const preview = (agentId: string, manifest: Manifest) =>
    previewConsent(manifest, locale(), ({ id }) =>
      highestSensitivity(
        registry.byAgent(agentId)?.chain.granted.get(id) ?? 'low',
        scopeFloor(manifest, { agentId, scope: id }, deps.floor),
      ),
    );

  return {
    async search(query = {}) {
      const { agents, next_cursor } = await api.call(agentRoutes.searchAgents, { query });
      const shown = agents.map((agent) => ({
        ...agent,
        name: displayText(agent.name),
        description: displayText(agent.description, 400),
      }));
      return { agents: shown, nextCursor: next_cursor ?? undefined };
    },
    async inspect({ agentId, fingerprint }) {
      const agent = await api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
      await manifests.refresh(agentId);
      const identity = await trust.agent(agentId, fingerprint === undefined ? undefined : { fingerprint });
      const announced = manifests.announced(agentId);
      const held = manifests.verified(agentId);
      if (announced !== undefined && announced.hash !== null && held?.hash !== announced.hash) {
        throw clientError('MANIFEST_FORGED');
      }
      const name = (identity.ok ? identity.mode : undefined) ?? agent.connection_mode;
      const weaker = name === 'webhook';
      const required = held?.manifest.tools.filter((tool) => tool.required === true) ?? [];
      return {
        agentId,
        name: displayText(agent.name),
        description: displayText(agent.description, 2_000),
        ownerName: displayText(agent.owner.display_name),
        isOwn: agent.owner.user_id !== undefined,
        manifestHash: held?.hash ?? null,
        manifestVersion: announced?.version ?? 0,
        preview: held && preview(agentId, held.manifest),
        requiredScopes: [...new Set(required.map((tool) => tool.permission_scope))],
        identity,
        mode: { name, weaker, text: MODES[weaker ? 'webhook' : 'ratcheted'][locale()] },
      };
    },
  };
}
