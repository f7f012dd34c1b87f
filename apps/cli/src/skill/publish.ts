import { skillRoutes } from '@parley/protocol';
import { openAccountApi } from '../account/api.ts';
import { chooseServer } from '../account/server-url.ts';
import type { CommandResult } from '../command-result.ts';
import { displaySentence } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { refuseInvalid } from './invalid-descriptor.ts';
import { loadSkill } from './load.ts';
import { isLocal } from './source.ts';

export interface PublishOptions {
  readonly url?: string;
  readonly claim?: string;
}

/** Publishes a descriptor in a namespace that the person owns (SD-7). */
export async function publishSkill(file: string, { url, claim }: PublishOptions, words: Words): Promise<CommandResult> {
  const baseUrl = chooseServer(url);
  const loaded = await loadSkill(file, { development: isLocal(baseUrl), locale: words.locale });
  if (loaded.descriptor === undefined) return refuseInvalid(loaded, words);
  const api = openAccountApi(baseUrl, 'parley');
  if (claim !== undefined) await api.call(skillRoutes.claimNamespace, { body: { namespace: claim } });
  const reply = await api.call(skillRoutes.publishSkill, { body: loaded.descriptor });
  const { id, version, digest, descriptor_url } = reply;
  const lines = reply.changes.map(({ message, breaking }) => `  ${breaking ? '!' : '·'} ${displaySentence(message)}\n`);
  return {
    exit: EXIT.fine,
    json: { id, version, digest, descriptor_url, changes: reply.changes, warnings: reply.warnings },
    text: (paint) => {
      const said = words.say('skill.published', { id, version, url: baseUrl });
      return `${paint('green', '✓')} ${said}\n${lines.join('')}${paint('dim', descriptor_url)}\n`;
    },
  };
}
