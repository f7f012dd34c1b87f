/** Counts from vitest's JSON report. A file that failed outside its tests (loading, hooks) is one failure more. */
export function countTests(report) {
  const files = report?.testResults ?? [];
  const assertions = files.flatMap((file) => file.assertionResults);
  const count = (...states) => assertions.filter((assertion) => states.includes(assertion.status)).length;
  const broken = files.filter(isBroken).length;
  return { passed: count('passed'), failed: count('failed') + broken, skipped: count('skipped', 'pending', 'todo') };
}

/**
 * Each failure as `file › title`, with the first line of its message.
 *
 * @param {object | undefined} report @param {string} root @returns {{ name: string, message: string }[]}
 */
export function listFailures(report, root) {
  return (report?.testResults ?? []).flatMap((file) => {
    const path = file.name.startsWith(root) ? file.name.slice(root.length).replace(/^[/\\]/, '') : file.name;
    if (isBroken(file)) return [{ name: path, message: firstLine(file.message) }];
    return file.assertionResults.filter(isFailed).map(({ fullName, failureMessages }) => ({
      name: `${path} › ${fullName}`,
      message: firstLine(failureMessages?.[0]),
    }));
  });
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

export function formatDuration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function isBroken(file) {
  return file.status === 'failed' && !file.assertionResults.some(isFailed);
}

function isFailed(assertion) {
  return assertion.status === 'failed';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const firstLine = (text = '') => text.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n', 1)[0];
