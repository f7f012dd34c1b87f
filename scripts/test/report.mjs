/** Counts from vitest's JSON report. A file that failed outside its tests (loading, hooks) is one failure more. */
export function countTests(report) {
  const files = report?.testResults ?? [];
  const assertions = files.flatMap((file) => file.assertionResults);
  const count = (...states) => assertions.filter((assertion) => states.includes(assertion.status)).length;
  const broken = files.filter((file) => file.status === 'failed' && !file.assertionResults.some(isFailed)).length;
  return { passed: count('passed'), failed: count('failed') + broken, skipped: count('skipped', 'pending', 'todo') };
}

/** Why a run must not count as a success although no test failed; undefined where it may. */
export function findTrouble(report, counts, code) {
  if (report === undefined) return `vitest ended before it could report (exit code ${code}).`;
  if (counts.passed + counts.failed === 0) return 'No tests ran.';
  if (code !== 0 && counts.failed === 0) return `vitest reported errors outside any test (exit code ${code}).`;
  return undefined;
}

export function formatCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function isFailed(assertion) {
  return assertion.status === 'failed';
}
