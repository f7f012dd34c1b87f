import { fileURLToPath } from 'node:url';
import { ensureBrowser } from './browser.mjs';
import { SetupFailure } from './setup/failure.mjs';
import { prepare } from './setup.mjs';
import { ensureSuite } from './suite.mjs';
import { listChanged, selectTests } from './test/changed.mjs';
import { countTests, findTrouble, formatCounts, formatDuration, listFailures } from './test/report.mjs';
import { runVitest } from './test/run.mjs';

const HELP = `Usage: npm test -- [options] [files]

Installs and builds what is missing and runs the tests, the browser ones too. Ends with one line that counts them.

  files               only test files whose path contains one of these
  --changed[=<rev>]   only tests that a change since <rev> (HEAD) may break
  --help              this text

Anything else is an option of vitest, for example -t <words> for tests by title.`;

const root = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  if (args.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  const started = Date.now();
  let chosen;
  try {
    chosen = resolveChanged(args);
    if (chosen === undefined) return reportNothing();
    await prepare(root);
    ensureSuite();
    ensureBrowser();
  } catch (error) {
    console.error(error.message);
    console.log(formatCounts(countTests(undefined)));
    return error instanceof SetupFailure ? error.exitCode : 1;
  }
  const { code, report } = await runVitest(root, chosen);
  const counts = countTests(report);
  const trouble = findTrouble(report, counts, code);
  printFailures(listFailures(report, root));
  if (trouble !== undefined) console.error(trouble);
  console.log(`It took ${formatDuration(Date.now() - started)}.`);
  console.log(formatCounts(counts));
  return code === 0 && counts.failed === 0 && trouble === undefined ? 0 : 1;
}

/** The arguments for vitest; undefined where nothing changed that a test could notice. */
function resolveChanged(args) {
  const index = args.findIndex((arg) => /^--changed(?:=|$)/.test(arg));
  if (index === -1) return args;
  const changed = listChanged(root, args[index].slice('--changed='.length) || 'HEAD');
  const tests = selectTests(root, changed);
  console.log(`Changed files: ${changed.length}. Test files that they may break: ${tests.length}.`);
  return tests.length === 0 ? undefined : [...args.toSpliced(index, 1), ...tests];
}

function reportNothing() {
  console.log('No test depends on what changed.');
  console.log(formatCounts(countTests(undefined)));
  return 0;
}

function printFailures(failures) {
  if (failures.length === 0) return;
  console.error(`\nFailed:`);
  for (const { name, message } of failures) console.error(`  ${name}\n      ${message}`);
}
