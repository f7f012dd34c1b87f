import { expect, test } from 'vitest';
import { countTests, findTrouble, formatCounts } from './report.mjs';

const file = (status, ...states) => ({ status, assertionResults: states.map((state) => ({ status: state })) });

test('HS-8 the last line of a test run counts what passed, failed and was skipped', () => {
  const report = { testResults: [file('failed', 'passed', 'failed', 'skipped', 'todo'), file('passed', 'passed')] };
  expect(formatCounts(countTests(report))).toBe('2 passed, 1 failed, 2 skipped');
  expect(formatCounts(countTests({ testResults: [file('passed', 'passed')] }))).toBe('1 passed, 0 failed');
});

test('HS-8 a test file that does not load, or fails outside its tests, counts as failed', () => {
  const report = { testResults: [file('failed'), file('failed', 'passed')] };
  expect(countTests(report)).toEqual({ passed: 1, failed: 2, skipped: 0 });
});

test('HS-8 a run that crashed, ran nothing or met errors outside its tests is not a success', () => {
  const fine = { testResults: [file('passed', 'passed')] };
  expect(findTrouble(undefined, countTests(undefined), 1)).toMatch(/before it could report/);
  expect(findTrouble({ testResults: [] }, countTests({ testResults: [] }), 0)).toMatch(/No tests ran/);
  expect(findTrouble(fine, countTests(fine), 1)).toMatch(/outside any test/);
  expect(findTrouble(fine, countTests(fine), 0)).toBeUndefined();
});
