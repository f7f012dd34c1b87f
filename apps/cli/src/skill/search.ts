import { type ReplyOf, skillRoutes } from '@parley/protocol';
import { openApi } from '../account/api.ts';
import { chooseServer } from '../account/server-url.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName, displaySentence } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';

type Found = ReplyOf<typeof skillRoutes.searchSkills>['skills'][number];

export interface SearchOptions {
  readonly url?: string;
  readonly type?: Found['capability_type'];
  readonly tag?: string;
  readonly provider?: string;
  readonly mine?: boolean;
  readonly limit?: string;
  readonly cursor?: string;
}

export async function searchSkills(
  terms: readonly string[],
  options: SearchOptions,
  words: Words,
): Promise<CommandResult> {
  const { url, type, tag, provider, mine, limit, cursor } = options;
  const query = {
    ...(terms.length === 0 ? {} : { q: terms.join(' ') }),
    ...(type === undefined ? {} : { type }),
    ...(tag === undefined ? {} : { tag }),
    ...(provider === undefined ? {} : { provider }),
    ...(mine === true ? { mine: 'true' as const } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const { skills, total, next_cursor } = await openApi(chooseServer(url)).call(skillRoutes.searchSkills, {
    query,
  });
  return {
    exit: EXIT.fine,
    json: { skills, total, next_cursor },
    text: (paint) => {
      if (skills.length === 0) return `${words.say('skill.none')}\n`;
      const more = next_cursor === null ? '' : `${paint('dim', words.say('skill.more', { cursor: next_cursor }))}\n`;
      return skills.map((skill) => formatFound(skill, words, paint)).join('') + more;
    },
  };
}

function formatFound(skill: Found, words: Words, paint: Paint): string {
  const { id, name, version, capability_type, access, provider, description } = skill;
  const kind = [words.say(`skill.type.${capability_type}`), words.say(`skill.access.${access}`), displayName(provider)];
  return `${paint('bold', displayName(name))} ${version}  ${kind.join(words.say('list.separator'))}
  ${displaySentence(description)}
  ${paint('dim', id)}\n`;
}
