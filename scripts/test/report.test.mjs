import { expect, test } from 'vitest';
import { countTests, findTrouble, formatCounts, formatDuration, listFailures } from './report.mjs';

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

test('HS-13 each failure is named with its file and the first line of what it said', () => {
  const failed = { status: 'failed', fullName: 'HS-1 adds', failureMessages: ['\u001b[31mno\u001b[39m\n  at x'] };
  const report = {
    testResults: [
      { name: '/clone/a.test.ts', status: 'failed', assertionResults: [failed, { status: 'passed' }] },
      { name: '/clone/b.test.ts', status: 'failed', assertionResults: [], message: 'does not load\n  at y' },
    ],
  };
  expect(listFailures(report, '/clone/')).toEqual([
    { name: 'a.test.ts › HS-1 adds', message: 'no' },
    { name: 'b.test.ts', message: 'does not load' },
  ]);
  expect(listFailures(undefined, '/clone/')).toEqual([]);
  expect([59_400, 61_000, 600_000].map(formatDuration)).toEqual(['59 s', '1 min 1 s', '10 min 0 s']);
});
