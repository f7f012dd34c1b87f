import type { Json } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import type { CommandResult } from '../command-result.ts';
import { compactJson } from '../compact-json.ts';
import { displayName, displaySentence } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { readSource, type SourceOptions } from './source.ts';

export async function showSkill(source: string, options: SourceOptions, words: Words): Promise<CommandResult> {
  const descriptor = await readSource(source, options, words);
  return { exit: EXIT.fine, json: descriptor, text: (paint) => format(descriptor, words, paint) };
}

function format(descriptor: SkillDescriptor, words: Words, paint: Paint): string {
  const { id, name, version, capability_type, access, auth, description, provider, endpoint, inputs, output } =
    descriptor;
  const facts = [words.say(`skill.type.${capability_type}`), words.say(`skill.access.${access}`), auth.type];
  const lines = [
    `${paint('bold', displayName(name))} ${version}  ${facts.join(words.say('list.separator'))}`,
    paint('dim', displayName(id)),
    displaySentence(description),
    '',
    `${words.say('skill.provider')}  ${displayName(provider.name)}`,
    `${words.say('skill.endpoint')}  ${displayName(endpoint.url)}`,
    '',
    words.say(inputs.length === 0 ? 'skill.no_inputs' : 'skill.inputs'),
    ...inputs.map((input) => {
      const needed = input.required ? words.say('skill.required') : words.say('skill.optional');
      const text = input.description === '' ? '' : `  ${displaySentence(input.description)}`;
      return `  ${paint('cyan', displayName(input.name))}  ${input.type}, ${needed}${text}`;
    }),
    '',
    `${words.say('skill.output')}  ${displayName(output.content_type)}`,
    ...(output.schema === undefined ? [] : [displayLines(compactJson(output.schema as Json, 76))]),
  ];
  return `${lines.join('\n')}\n`;
}

const displayLines = (text: string) =>
  text
    .split('\n')
    .map((line) => `  ${displaySentence(line)}`)
    .join('\n');
