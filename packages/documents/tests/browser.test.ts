import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { BROWSER_LIMIT_MS } from '@parley/testkit/browser';
import { beforeAll, describe, expect, test } from 'vitest';
import { explainMissing, findBrowser } from '../../../scripts/browser.mjs';
import * as engine from '../src/index.ts';
import { type Answers, answer, type Questions } from './browser/answer.ts';
import { bundleEngine, bundlePage } from './browser/bundle.ts';
import { findCodeMakers } from './browser/code-makers.ts';
import { HOSTILE_CHECKS, HOSTILE_MANIFESTS, REDOS } from './browser/hostile.ts';
import { type Visit, visit } from './browser/visit.ts';
import { bytesOf, VECTORS } from './manifest-vectors.ts';

const ROOT = new URL('../../../', import.meta.url);
const SEEDS = ['seed-000', 'seed-001', 'seed-002'];
const EXAMPLES = ['demobot', 'demobot-next'];

const readText = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

const QUESTIONS: Questions = {
  manifests: {
    ...Object.fromEntries(SEEDS.map((name) => [name, readText(`vectors/manifests/${name}.valid.json`)])),
    ...Object.fromEntries(EXAMPLES.map((name) => [name, readText(`examples/manifests/${name}.json`)])),
    ...HOSTILE_MANIFESTS,
  },
  files: VECTORS.map((vector) => bytesOf(vector).toString('base64')),
  checks: [REDOS, ...HOSTILE_CHECKS],
  // Every length around the blocks of SHA-256, and characters of one to four bytes.
  texts: [...Array.from({ length: 200 }, (_, length) => 'a'.repeat(length)), 'é好😀\u0000\u2028'.repeat(5_000)],
};

test('CM-7 the bundle for browsers is one module that imports nothing and makes no code', async () => {
  const { code, imports, dynamicImports, exports, moduleIds } = await bundleEngine();
  expect({ imports, dynamicImports }).toEqual({ imports: [], dynamicImports: [] });
  expect(findCodeMakers(code)).toEqual([]);
  // What Vite puts in the place of a `node:` module.
  expect(moduleIds.filter((id) => id.includes('browser-external'))).toEqual([]);
  expect(exports.toSorted()).toEqual(Object.keys(engine).toSorted());
});

test('CM-7 code made by eval, Function, require or import in a bundle would be found', () => {
  const code =
    'class A { eval(a) { return a.eval(new Function(a)) + Function(a) } } eval("1"); require("x"); import(x)';
  expect(findCodeMakers(code).toSorted()).toEqual(['Function', 'Function', 'eval', 'import', 'require']);
});

const browser = findBrowser();

if (browser === undefined) {
  test(`CM-7 no browser on this machine: ${explainMissing()}`, () => {
    expect(findBrowser()).toBeUndefined();
    const hasApt = existsSync('/usr/bin/apt-get');
    expect(
      process.env.CI === 'true' && hasApt,
      'with apt-get at hand, scripts/browser.mjs could have installed it',
    ).toBe(false);
  });
} else {
  describe('CM-7 in a page whose policy forbids eval', () => {
    let here: Answers;
    let there: Visit;

    beforeAll(async () => {
      const [documents, page] = [await bundleEngine(), await bundlePage()];
      here = answer(QUESTIONS);
      there = await visit(browser, {
        '/documents.js': documents.code,
        '/page.js': page.code,
        '/questions.json': JSON.stringify(QUESTIONS),
      });
    }, 2 * BROWSER_LIMIT_MS);

    /** As JSON text: a key in another order or an absent value is a difference too. */
    function expectSame(part: keyof Answers): void {
      expect(JSON.stringify(there.report.answers[part], null, 1)).toBe(JSON.stringify(here[part], null, 1));
    }

    test('CM-7 nothing can be made into code there, and the engine never tries', () => {
      const { attempts, violations, hasProcess } = there.report;
      expect(attempts).toEqual({ eval: 'EvalError', Function: 'EvalError', WebAssembly: 'CompileError' });
      expect(new Set(violations)).toEqual(
        new Set(['trusted-types-sink by require-trusted-types-for in /page.js', 'wasm-eval by script-src in /page.js']),
      );
      expect(there.printed).toEqual([]);
      expect(hasProcess).toBe(false);
    });

    test('CM-7 hostile schemas, patterns and values end as in Node, step by step', () => {
      expectSame('checks');
      const [slow, short] = there.report.answers.checks[0]!.results;
      expect(slow).toMatchObject({ valid: false, findings: [{ code: 'ARG_PATTERN' }] });
      expect(slow!.steps).toBeLessThan(500_000);
      expect(short!.valid).toBe(true);
    });

    test('CM-15 manifests get the same findings and previews as in Node', () => {
      expectSame('manifests');
      const valid = there.report.answers.manifests.filter(({ manifest }) => manifest).map(({ name }) => name);
      expect(valid).toEqual([...SEEDS, ...EXAMPLES, 'hostile, valid']);
    });

    test('CM-15 every manifest vector gets the same findings as in Node', () => {
      expectSame('files');
      const verdicts = there.report.answers.files.map(({ manifest }) => manifest !== undefined);
      expect(verdicts).toEqual(VECTORS.map(({ valid }) => valid));
    });

    test('CM-16 a manifest has the hash it has in Node and in the vectors', () => {
      const hashes = there.report.answers.files.map(({ hash }) => hash);
      const listed = VECTORS.flatMap(({ hash }, index) => (hash === undefined ? [] : [{ index, hash }]));
      expect(listed.length).toBeGreaterThanOrEqual(SEEDS.length);
      expect(listed.map(({ index }) => hashes[index])).toEqual(listed.map(({ hash }) => hash));
    });

    test('CM-16 the portable SHA-256 equals those of Node and of the browser', () => {
      const expected = QUESTIONS.texts.map((text) =>
        createHash('sha256').update(engine.canonicalise(text)).digest('hex'),
      );
      expect(there.report.answers.hashes).toEqual(expected);
      expect(there.report.webDigests).toEqual(expected);
    });

    test('DF-19 DF-21 manifests compared each with each differ as in Node', () => {
      expectSame('diffs');
      const { diffs } = there.report.answers;
      expect(diffs).toHaveLength((SEEDS.length + EXAMPLES.length + 1) ** 2);
      const update = diffs.find(({ before, after }) => before === 'demobot' && after === 'demobot-next')!;
      expect(update.diffs[0]!.diff.breaking).toBe(true);
      const same = diffs.filter(({ before, after }) => before === after);
      expect(same.flatMap(({ diffs }) => diffs.flatMap(({ diff }) => diff.changes))).toEqual([]);
    });
  });
}
