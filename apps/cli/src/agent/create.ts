import { agentRoutes, type ReplyOf } from '@parley/protocol';
import { openAccountApi } from '../account/api.ts';
import { chooseServer } from '../account/server-url.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { loadManifest } from '../manifest/load.ts';
import { refuseInvalid } from '../manifest/run-for-each-file.ts';
import type { Words } from '../messages/index.ts';
import type { KeptToken } from './keep-token.ts';
import { prepareTokenPlace, type TokenPlace } from './token-place.ts';

export interface CreateOptions extends TokenPlace {
  readonly url?: string;
  readonly manifest?: string;
  readonly description?: string;
  readonly public?: boolean;
}

type Reply = ReplyOf<typeof agentRoutes.createAgent>;

export async function createAgent(name: string, options: CreateOptions, words: Words): Promise<CommandResult> {
  const baseUrl = chooseServer(options.url);
  const { manifest: file, description, settingsFile } = options;
  const loaded = file === undefined ? undefined : await loadManifest(file, words.locale);
  if (loaded !== undefined && loaded.manifest === undefined) return refuseInvalid(loaded, words);
  const body = {
    name,
    visibility: options.public ? 'public' : 'private',
    ...(description === undefined ? {} : { description }),
    ...(loaded === undefined ? {} : { capability_manifest: loaded.manifest }),
  } as const;
  const place = prepareTokenPlace(options, { baseUrl }, words);
  try {
    const reply = await openAccountApi(baseUrl, 'parley').call(agentRoutes.createAgent, { body });
    const kept = place.keep(reply);
    return describe(reply, kept, { baseUrl, settingsFile, words });
  } finally {
    place.discard();
  }
}

interface Described {
  readonly baseUrl: string;
  readonly settingsFile: string | undefined;
  readonly words: Words;
}

function describe(reply: Reply, kept: KeptToken, { baseUrl, settingsFile, words }: Described): CommandResult {
  const { agent_id, visibility, capability_manifest_version, capability_manifest_hash } = reply;
  const id = displayName(agent_id);
  const shown = { name: displayName(reply.name), id };
  const next = words.say(settingsFile === undefined ? 'agent.next' : 'agent.next_settings', {
    url: baseUrl,
    id,
    file: displayName(settingsFile ?? ''),
  });
  return {
    exit: EXIT.fine,
    json: {
      agent_id,
      name: reply.name,
      visibility,
      capability_manifest_version,
      capability_manifest_hash,
      ...kept.json,
    },
    text: (paint) =>
      `${paint('green', '✓')} ${words.say('agent.created', shown)}\n${kept.text(paint)}${paint('dim', next)}\n`,
  };
}
