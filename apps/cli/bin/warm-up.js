// Part of the build: runs what people run most, in a folder of its own, and keeps what V8 made of it.
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { createLoader } = require('./code-cache.js');

const PROGRAM = join(__dirname, '../dist/program');
const EXAMPLES = join(__dirname, '../../../examples');
const MANIFEST = join(EXAMPLES, 'manifests/demobot.json');
const NEXT = join(EXAMPLES, 'manifests/demobot-next.json');
const SKILL = join(EXAMPLES, 'skills/translate.json');
const BUNDLE = join(EXAMPLES, 'bundles/note-taker');
const NOWHERE = ['--url', 'http://127.0.0.1:1'];

async function warmUp() {
  const home = mkdtempSync(join(tmpdir(), 'parley-warm-up-'));
  const place = ['--workspace', home];
  Object.assign(process.env, {
    HOME: home,
    PARLEY_HOME: home,
    PARLEY_DATA_DIR: join(home, 'server'),
    ROLEOS_HOME: home,
  });
  const { load, keep } = createLoader(PROGRAM);
  const { main } = load(join(PROGRAM, 'parley.cjs'));
  const { runRoleos } = load(join(PROGRAM, 'roleos.cjs'));
  const isPrinted = silence();
  try {
    for (const args of [
      ['--help'],
      ['manifest', 'validate', MANIFEST],
      ['manifest', 'diff', MANIFEST, NEXT],
      ['manifest', 'preview', MANIFEST],
      ['manifest', 'push', MANIFEST, '--agent', 'none', ...NOWHERE],
      ['skill', 'validate', SKILL],
      ['skill', 'show', SKILL],
      ['skill', 'search', ...NOWHERE],
      ['status'],
      ['whoami', ...NOWHERE],
      ['audit', 'list', ...NOWHERE],
      ['devices', 'list', ...NOWHERE],
      ['chat', 'none', '--send', 'hello', ...NOWHERE],
      ['bundle', 'run-as-agent', 'none', ...place],
    ])
      await main(args);
    for (const args of [
      ['validate', BUNDLE],
      ['preview', BUNDLE, ...place],
      ['status', ...place],
    ])
      await runRoleos(args);
    if (!isPrinted()) throw new Error('warm-up: the programs print nothing');
    keep();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Nobody wants to read what the commands say; only whether they say something. */
function silence() {
  let printed = false;
  for (const stream of [process.stdout, process.stderr])
    stream.write = (_text, ...rest) => {
      printed = true;
      rest.at(-1)?.();
      return true;
    };
  return () => printed;
}

// A rejection that nobody handles ends the process, and with it the build.
void warmUp();
