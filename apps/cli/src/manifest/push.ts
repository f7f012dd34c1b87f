import { diffManifests, hashManifest, type Manifest, type ManifestDiff, validateManifest } from '@parley/documents';
import { type Api, createApi } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { agentRoutes, type ReplyOf } from '@parley/protocol';
import { openAccountApi } from '../account/api.ts';
import { findOwnAgent } from '../account/own-agents.ts';
import { chooseServer } from '../account/server-url.ts';
import { askYesNo, isAtTerminal } from '../ask.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import { toDiffJson } from '../json-output.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { formatDiff } from './format-diff.ts';
import { loadManifest } from './load.ts';
import { refuseInvalid } from './run-for-each-file.ts';

export interface PushOptions {
  readonly agent: string;
  readonly url?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

type Agent = ReplyOf<typeof agentRoutes.readAgent>;

/** Shows what the new manifest means to people, then replaces exactly the version it was compared with. */
export async function push(file: string, options: PushOptions, words: Words): Promise<CommandResult> {
  const loaded = await loadManifest(file, words.locale);
  const { manifest } = loaded;
  if (manifest === undefined) return refuseInvalid(loaded, words);
  const { api, agentId } = await openAgent(options);
  const agent = await api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
  if (agent.capability_manifest_hash === hashManifest(manifest)) return describeSame(agent, words);
  const diff = compare(agent, manifest, words);
  if (diff !== undefined && !options.json) {
    const name = `${agent.name} v${agent.capability_manifest_version}`;
    const place = { old: { name, at: () => undefined }, new: { name: file, at: () => undefined } };
    await show(process.stderr, (paint) => formatDiff(diff, { words, paint, files: place }));
  }
  if (diff?.breaking && !options.yes) await confirmBreaking(options, words);
  return describe(await send(api, agent, manifest), diff, words);
}

/**
 * Calls as the owner who is signed in; in CI, PARLEY_AGENT_TOKEN makes it call as the agent itself (RL-2), which has no
 * list of agents to find a name in.
 */
async function openAgent({ agent, url }: PushOptions): Promise<{ api: Api; agentId: string }> {
  const baseUrl = chooseServer(url);
  const token = process.env.PARLEY_AGENT_TOKEN;
  if (token) {
    const credentials = { kind: 'agent', token } as const;
    return { api: createApi({ baseUrl, platform: createNodePlatform(), credentials }), agentId: agent };
  }
  const api = openAccountApi(baseUrl, 'parley');
  return { api, agentId: await findOwnAgent(api, agent) };
}

function compare({ capability_manifest: held }: Agent, manifest: Manifest, words: Words): ManifestDiff | undefined {
  const before = held === null ? undefined : validateManifest(held as never).manifest;
  return before && diffManifests(before, manifest, { locale: words.locale });
}

async function confirmBreaking({ json }: PushOptions, words: Words): Promise<void> {
  if (json || !isAtTerminal()) throw new CommandError('BREAKING');
  if (!(await askYesNo(words.say('push.confirm'), words))) throw new CommandError('CANCELLED');
}

function send(api: Api, agent: Agent, manifest: Manifest) {
  const hash = agent.capability_manifest_hash;
  return api.call(agentRoutes.updateAgent, {
    params: { agent_id: agent.agent_id },
    body: { capability_manifest: manifest },
    headers: hash === null ? {} : { 'if-match': `"${hash}"` },
  });
}

function describe(
  reply: Awaited<ReturnType<typeof send>>,
  diff: ManifestDiff | undefined,
  words: Words,
): CommandResult {
  const { agent_id, capability_manifest_version: version, capability_manifest_hash, breaking_changes } = reply;
  const breaking = breaking_changes.length > 0;
  return {
    exit: EXIT.fine,
    json: {
      agent_id,
      pushed: true,
      capability_manifest_version: version,
      capability_manifest_hash,
      breaking,
      ...(diff === undefined ? {} : { diff: toDiffJson(diff) }),
    },
    text: (paint) =>
      `${paint('green', '✓')} ${words.say(breaking ? 'push.done_breaking' : 'push.done', { version })}\n`,
  };
}

function describeSame(agent: Agent, words: Words): CommandResult {
  const { agent_id, capability_manifest_version: version, capability_manifest_hash } = agent;
  return {
    exit: EXIT.fine,
    json: { agent_id, pushed: false, capability_manifest_version: version, capability_manifest_hash },
    text: () => `${words.say('push.same', { version })}\n`,
  };
}
