import type { Choices, Model } from './choices.ts';
import type { Words } from './words.ts';

/** The address at which `parley start` listens. */
const SERVER = 'http://localhost:8484';

const KEYS: Readonly<Record<Exclude<Model, 'none'>, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
};

/** Says what was made, and every command from there to a conversation. */
export function describeNext({ name, connection, model }: Choices, typed: string, { say }: Words): string {
  // No comments beside the commands: zsh takes none at its prompt.
  const commands = [
    ...(typed === '.' ? [] : [`cd ${quote(typed)}`]),
    'npm install',
    'npx parley start',
    `npx parley register --url ${SERVER}`,
    `npx parley agent create ${name} --manifest manifest.json --settings-file .env`,
    ...(connection === 'webhook'
      ? [`npx parley agent webhook set ${name} http://127.0.0.1:8080/ --settings-file .env`]
      : []),
  ];
  const isElsewhere = typed !== name && typed !== '.';
  return [
    `✓ ${say(isElsewhere ? 'created.at' : 'created', { name, folder: typed })} ${say('next')}`,
    '',
    ...commands.map(indent),
    ...(model === 'none' ? [] : ['', say('next.key', { key: KEYS[model] }), '']),
    indent('npm start'),
    '',
    say('next.chat'),
    '',
    indent(`npx parley chat ${name}`),
    '',
    say('next.more'),
    '',
  ].join('\n');
}

const indent = (command: string): string => `  ${command}`;

/** A path with anything unusual in it; between double quotes a shell would run `$(…)`. */
const quote = (path: string): string => (/^[\w./\\:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
