import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readChapter } from './check-rules.mjs';
import { ROOT } from './files.mjs';
import { applyMutant, checkMutants, readMutants } from './mutate/mutants.mjs';
import { judge } from './mutate/run.mjs';

const read = (file) => readFileSync(join(ROOT, file), 'utf8');

test('HS-1 every check that mutation takes away still stands in the code, once', () => {
  expect(checkMutants(readMutants(), read)).toEqual([]);
});

test('HS-1 every rule of the manifest and of the diff has a check that is taken away', () => {
  const chapters = ['docs/spec/01-capability-manifest.md', 'docs/spec/02-diff.md'];
  const covered = new Set(readMutants().map(({ rule }) => rule));
  const missing = chapters.flatMap((path) => readChapter(read(path)).ids).filter((id) => !covered.has(id));
  expect(missing).toEqual([]);
});

test('HS-1 every binding to something signed has a check that is taken away', () => {
  const covered = new Set(readMutants().map(({ rule }) => rule));
  for (let number = 15; number <= 21; number++) expect(covered).toContain(`EE-${number}`);
});

test('HS-1 a mutant whose text is gone, or stands twice, is an error', () => {
  const mutant = { id: 'm', rule: 'CM-1', file: 'f', find: 'a', replace: 'b' };
  expect(applyMutant('xay', mutant)).toBe('xby');
  expect(() => applyMutant('xy', mutant)).toThrow('0 times');
  expect(() => applyMutant('aa', mutant)).toThrow('2 times');
  expect(checkMutants([mutant, { ...mutant, replace: 'a' }], () => 'a')).toEqual([
    'm: listed twice',
    'm: changes nothing',
  ]);
});

test('HS-1 only a failing test that cites the rule catches a mutant', () => {
  const report = (status, fullName) => ({ testResults: [{ status, assertionResults: [{ status, fullName }] }] });
  expect(judge(report('failed', 'CM-1 refuses'), 'CM-1').caught).toBe(true);
  expect(judge(report('failed', 'fields CM-1, CM-2 refuse'), 'CM-2').caught).toBe(true);
  expect(judge(report('failed', 'CM-12 refuses'), 'CM-1').caught).toBe(false);
  expect(judge(report('passed', 'CM-1 refuses'), 'CM-1').caught).toBe(false);
  expect(judge({ testResults: [{ status: 'failed', assertionResults: [] }] }, 'CM-1').note).toBe(
    'a test file did not load',
  );
  expect(judge(undefined, 'CM-1').caught).toBe(false);
});
