import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFiles, ROOT } from '../files.mjs';
import { readBlocks } from './blocks.mjs';

/** An account is made in the first two; the last stops the server. */
const FIRST = ['README.md', 'docs/guides/cli.md'];
const LAST = 'docs/guides/operators.md';
const between = [
  ...findFiles(ROOT, 'docs/guides', /^(?!.*\.zh-CN).*\.md$/),
  ...['examples', 'packages', 'apps'].flatMap((folder) => findFiles(ROOT, folder, /^README\.md$/)),
  'CONTRIBUTING.md',
];
/** What people follow, in the order in which it is followed here. */
export const GUIDES = [...FIRST, ...between.filter((path) => ![...FIRST, LAST].includes(path)), LAST];

export const readPage = (path) => readFileSync(join(ROOT, path), 'utf8');
export const twinOf = (path) => path.replace(/\.md$/, '.zh-CN.md');
export const PAIRS = GUIDES.filter((path) => existsSync(join(ROOT, twinOf(path))));
export const PAGES = [...GUIDES, ...PAIRS.map(twinOf)];

/** What a person sees is no code: it differs by language, and nobody runs it. */
export const readCode = (path) => readBlocks(readPage(path)).filter(({ language }) => language !== 'text');

export const isTyped = ({ language, notRun }) => notRun === undefined && (language === 'sh' || language === 'console');

/** Guides are for people who install Parley (PK-3); what lies beside code is for those who have the code. */
export const needsClone = (path) => !path.startsWith('docs/guides/');

/** The guides with commands in them. */
export const FOLLOWED = GUIDES.filter((path) => readCode(path).some(isTyped));

/** Follows one of them, and its translation. @param {Awaited<ReturnType<typeof import('./reader.mjs').createReader>>} reader @param {string} path */
export async function followPage(reader, path) {
  const twins = PAIRS.includes(path) ? readCode(twinOf(path)) : [];
  await reader.follow(readCode(path), { twins, inClone: needsClone(path) });
}
