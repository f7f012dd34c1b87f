import { readFileSync } from 'node:fs';
import { fillText } from '@parley/base';
import type { Choices, Model } from './choices.ts';
import type { ProjectFile } from './place.ts';

const TEMPLATES = new URL('../templates/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, TEMPLATES), 'utf8');

/** The SDKs of the models, in the versions that Parley is tested with. */
export const SDKS: Readonly<Record<Model, Readonly<Record<string, string>>>> = {
  none: {},
  openai: { openai: '6.49.0' },
  anthropic: { '@anthropic-ai/sdk': '1.8.0' },
};

export function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** The files of a project. The program is put together from whole files, so that each of them is code that can be checked. */
export function makeProject(choices: Choices): ProjectFile[] {
  const { connection, model, locale } = choices;
  const settings = joinParts(`env/${locale}`, ['shared', ...extrasOf(choices)], 'env');
  const programs = connection === 'webhook' ? ['agent', 'server'] : ['agent'];
  return [
    { path: 'package.json', text: `${JSON.stringify(makePackage(choices), null, 2)}\n` },
    { path: 'manifest.json', text: read('shared/manifest.json') },
    ...programs.map((name) => ({ path: `${name}.mjs`, text: read(`${connection}/${name}.mjs`) })),
    { path: 'answer.mjs', text: read(`${model}/answer.mjs`) },
    { path: 'settings.mjs', text: read('shared/settings.mjs') },
    { path: 'words.mjs', text: read(`words/${locale}.mjs`) },
    { path: 'README.md', text: makeReadme(choices) },
    { path: '.env.example', text: settings },
    { path: '.env', text: settings, isSecret: true },
    // npm packs no file that is called .gitignore.
    { path: '.gitignore', text: read('shared/gitignore') },
  ];
}

function makePackage({ name, connection, model }: Choices) {
  const version = readVersion();
  const program = connection === 'webhook' ? 'server.mjs' : 'agent.mjs';
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: { start: `node --env-file=.env ${program}`, check: 'parley manifest validate manifest.json' },
    dependencies: { '@parley/agent': version, ...SDKS[model] },
    devDependencies: { '@parley/cli': version },
  };
}

/** What needs settings and words of its own. */
function extrasOf({ connection, model }: Choices): string[] {
  return [...(connection === 'webhook' ? ['webhook'] : []), ...(model === 'none' ? [] : [model])];
}

function makeReadme(choices: Choices): string {
  const { name, connection, model, locale } = choices;
  const files = [`files-${connection}`, `files-${model === 'none' ? 'rules' : 'model'}`];
  const parts = ['begin', ...extrasOf(choices), `talk-${connection}`, 'talk', ...files, 'end', `end-${connection}`];
  return fillText(joinParts(`readme/${locale}`, parts, 'md'), { name });
}

const joinParts = (folder: string, parts: readonly string[], kind: string): string =>
  parts.map((part) => read(`${folder}/${part}.${kind}`)).join('');
