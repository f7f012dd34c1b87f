import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wordsFor } from '../../apps/cli/src/messages/index.ts';
import { createProgram } from '../../apps/cli/src/program.ts';
import { createRoleos } from '../../apps/cli/src/roleos/program.ts';
import { findFiles, ROOT } from '../files.mjs';
import { readBlocks } from './blocks.mjs';
import { GUIDES, isTyped, needsClone, PAGES, PAIRS, readCode, readPage, twinOf } from './pages.mjs';
import { compareTwins } from './twins.mjs';
import { findCalls, findMistake, findStranger } from './usage.mjs';

/** Grows only with a reason that a reader would accept, too. */
const MOST_NOT_RUN = 11;
const LANGUAGES = ['sh', 'console', 'js', 'json', 'yaml'];

const surroundings = { words: wordsFor('en'), paint: (_, text) => text, settle: () => {}, collect: () => {} };
const programs = { parley: createProgram(surroundings), roleos: createRoleos(surroundings) };

/** Commands are; a file is where a command after it names it, or its folder. */
function isRun(blocks, index) {
  const { file } = blocks[index];
  if (isTyped(blocks[index]) || file === undefined) return isTyped(blocks[index]);
  return blocks.slice(index + 1).some((later) => isTyped(later) && later.code.includes(file.split('/')[0]));
}

/** The first page prints a program that a guide runs. */
const RUN_ELSEWHERE = new Set(
  PAGES.flatMap((path) => {
    const blocks = readBlocks(readPage(path));
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
  test.each(PAGES)('HS-16 %s has no block that is neither run nor marked', (path) => {
    const blocks = readBlocks(readPage(path));
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
    const inline = [...readPage(path).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
    const code = readBlocks(readPage(path)).map((block) => block.code.replaceAll(/\\\n\s*/g, ''));
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
});

/** Whatever else people read. */
const OTHERS = findFiles(ROOT, 'docs', /\.md$/).filter((path) => !/^docs\/(?:decisions|guides|spec)\//.test(path));

test.each([...PAGES, ...OTHERS, 'SECURITY.md'])('PK-3 %s starts no program under a name that is not ours', (path) => {
  expect(findStranger(readPage(path))).toBeUndefined();
});

test.each(GUIDES.filter((path) => !needsClone(path) && path !== 'docs/guides/chaos.md'))(
  'PK-3 %s needs nothing of a clone',
  (path) => {
    const typed = readCode(path).filter(isTyped);
    const scripts = typed.flatMap(({ code }) => code.match(/npm (?:run|start|test)\b.*|node scripts\/.*/g) ?? []);
    expect(scripts).toEqual([]);
  },
);
