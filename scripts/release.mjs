import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { release } from './release/release.mjs';

const HELP = `Usage: npm run release -- [options]

Makes a release of everything that .changeset describes. It first looks whether anything is missing, says all of it at once,
and changes nothing as long as something is. Then it sets versions and changelog, runs every check, commits, tags and
pushes; the workflow "release" publishes from the tag, with provenance. Run it again after an interruption: it goes on
where it was.

  --check            only say what is missing
  --publish <folder> publish the tarballs in it as the version that is tagged here (what the workflow does)
  --registry <url>   another registry than npm's: everything is published from here, without provenance
  --help             this text

Exit codes: 0 done or nothing missing, 1 something is missing or a check failed, 2 wrong usage.`;

const OPTIONS = {
  check: { type: 'boolean' },
  publish: { type: 'string' },
  registry: { type: 'string' },
  help: { type: 'boolean' },
};

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

const options = readArguments();
if (options.help) console.log(HELP);
else process.exitCode = await release(fileURLToPath(new URL('..', import.meta.url)), options, console.log);
