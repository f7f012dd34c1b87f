import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordsFor } from '../../apps/cli/src/messages/index.ts';
import { createProgram } from '../../apps/cli/src/program.ts';
import { createRoleos } from '../../apps/cli/src/roleos/program.ts';
import { findFiles, ROOT } from '../files.mjs';
import { prepare } from '../setup.mjs';
import { readBlocks } from './blocks.mjs';
import { createReader } from './reader.mjs';
import { compareTwins } from './twins.mjs';
import { findCalls, findMistake } from './usage.mjs';

/** An account is made in the first two; the last stops the server. */
const FIRST = ['README.md', 'docs/guides/cli.md'];
const LAST = 'docs/guides/operators.md';
const between = [
  ...findFiles(ROOT, 'docs/guides', /^(?!.*\.zh-CN).*\.md$/),
  ...['examples', 'packages', 'apps'].flatMap((folder) => findFiles(ROOT, folder, /^README\.md$/)),
  'CONTRIBUTING.md',
];
const GUIDES = [...FIRST, ...between.filter((path) => ![...FIRST, LAST].includes(path)), LAST];

/** What a person sees is no code: it differs by language, and nobody runs it. */
const readCode = (path) => readBlocks(read(path)).filter(({ language }) => language !== 'text');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const twinOf = (path) => path.replace(/\.md$/, '.zh-CN.md');
const PAIRS = GUIDES.filter((path) => existsSync(join(ROOT, twinOf(path))));
const PAGES = [...GUIDES, ...PAIRS.map(twinOf)];

/** Grows only with a reason that a reader would accept, too. */
const MOST_NOT_RUN = 12;
const LANGUAGES = ['sh', 'console', 'js', 'json', 'yaml'];

const surroundings = { words: wordsFor('en'), paint: (_, text) => text, settle: () => {}, collect: () => {} };
const programs = { parley: createProgram(surroundings), roleos: createRoleos(surroundings) };

const isTyped = ({ language, notRun }) => notRun === undefined && (language === 'sh' || language === 'console');

/** Commands are; a file is where a command after it names it, or its folder. */
function isRun(blocks, index) {
  const { file } = blocks[index];
  if (isTyped(blocks[index]) || file === undefined) return isTyped(blocks[index]);
  return blocks.slice(index + 1).some((later) => isTyped(later) && later.code.includes(file.split('/')[0]));
}

/** The first page prints a program that a guide runs. */
const RUN_ELSEWHERE = new Set(
  PAGES.flatMap((path) => {
    const blocks = readBlocks(read(path));
    return blocks.filter((_, index) => isRun(blocks, index)).map(({ code }) => code);
  }),
);

const { parse: parseYaml } = createRequire(join(ROOT, 'packages/bundles/package.json'))('yaml');

/** What nobody runs is at least well-formed. */
function parse({ language, code }) {
  if (language === 'sh') execFileSync('bash', ['-n', '-c', code]);
  if (language === 'json') JSON.parse(code);
  if (language === 'yaml') parseYaml(code);
  if (language === 'js') new Function(code.replaceAll(/^import .*$/gm, '').replaceAll(/\bawait /g, ''));
}

describe('HS-16 the guides', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'parley-guides-'));
  let reader;
  beforeAll(async () => {
    await prepare(ROOT, { install: false, quiet: true });
    reader = await createReader({ clone: ROOT, temporary });
  });
  afterAll(async () => {
    await reader?.close();
    rmSync(temporary, { recursive: true, force: true });
  });

  test.each(PAGES)('HS-16 %s has no block that is neither run nor marked', (path) => {
    const blocks = readBlocks(read(path));
    for (const [index, block] of blocks.entries()) {
      const { line, language, code, notRun } = block;
      const place = `${path}:${line}`;
      if (language === 'text') expect(findCalls(code), `${place}: a command that nobody runs`).toEqual([]);
      else if (notRun !== undefined) parse(block);
      else {
        expect(LANGUAGES, `${place}: its language`).toContain(language);
        expect(isRun(blocks, index) || RUN_ELSEWHERE.has(code), `${place}: a file that no command uses`).toBe(true);
      }
    }
  });

  test.each(PAGES)('HS-16 every command that %s names exists, with its options', (path) => {
    const inline = [...read(path).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
    const code = readBlocks(read(path)).map((block) => block.code.replaceAll(/\\\n\s*/g, ''));
    const mistakes = [...inline, ...code].flatMap((text) =>
      findCalls(text).map(({ program, words }) => [
        `${program} ${words.join(' ')}`,
        findMistake(words, programs[program]),
      ]),
    );
    expect(mistakes.filter(([, mistake]) => mistake !== undefined)).toEqual([]);
  });

  test.each(PAIRS)('HS-16 %s and its translation tell their readers to do the same', (path) => {
    expect(compareTwins(readCode(path), readCode(twinOf(path)))).toEqual([]);
  });

  test('HS-16 few blocks are not run, each with its reason', () => {
    const blocks = GUIDES.flatMap((path) => readCode(path).map((block) => ({ path, ...block })));
    const notRun = blocks.filter((block) => block.notRun !== undefined);
    const list = notRun.map(({ path, line, notRun: reason }) => `  ${path}:${line}: ${reason}`);
    console.log(`guides: ${blocks.length} blocks, of which ${notRun.length} are not run\n${list.join('\n')}`);
    expect(notRun.length).toBeLessThanOrEqual(MOST_NOT_RUN);
  });

  test.each(GUIDES.filter((path) => readCode(path).some(isTyped)))(
    'HS-16 %s can be followed word for word',
    { timeout: 180_000 },
    async (path) => {
      await reader.follow(readCode(path), PAIRS.includes(path) ? readCode(twinOf(path)) : []);
    },
  );
});
