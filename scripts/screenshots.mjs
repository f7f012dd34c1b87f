// Every screen of the web client, on a desktop and a phone, light and dark, in both languages: to be looked at.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './files.mjs';
import { ensureReady } from './setup.mjs';

const TAKERS = {
  'sign-in': () => import('./screenshots/sign-in.mjs'),
  first: () => import('./screenshots/first.mjs'),
  talk: () => import('./screenshots/talk.mjs'),
  questions: () => import('./screenshots/questions.mjs'),
  agents: () => import('./screenshots/agents.mjs'),
  pages: () => import('./screenshots/pages.mjs'),
  makers: () => import('./screenshots/makers.mjs'),
  bundles: () => import('./screenshots/bundles.mjs'),
  devices: () => import('./screenshots/devices.mjs'),
};
const PARTS = Object.keys(TAKERS);
const LOCALES = ['en', 'zh-CN'];
const HELP = `Usage: npm run screenshots -- [options]

Takes a picture of every screen of the web client, on a desktop and a phone, light and dark, in both languages, and
prints the folder that holds them. Takes some minutes.

  --only <part>      only this part, beside the pictures that are there; may be given more than once:
                     ${PARTS.join(', ')}
  --language <name>  only this one: ${LOCALES.join(', ')}
  --help             this text`;

let options;
try {
  options = parseArgs({
    options: {
      help: { type: 'boolean' },
      only: { type: 'string', multiple: true, default: PARTS },
      language: { type: 'string', multiple: true, default: LOCALES },
    },
  }).values;
  for (const name of options.only) if (!PARTS.includes(name)) throw new Error(`There is no part "${name}".`);
  for (const name of options.language) if (!LOCALES.includes(name)) throw new Error(`There is no language "${name}".`);
} catch (error) {
  console.error(`${error.message}\n\n${HELP}`);
  process.exit(2);
}
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const out = join(ROOT, '.parley', 'screenshots');
if (!process.env.PARLEY_TEST_SITE) await ensureReady();
const { openStage } = await import('./screenshots/stage.mjs');
if (options.only === PARTS && options.language === LOCALES) rmSync(out, { recursive: true, force: true });

const stage = await openStage(out);
const missing = [];
try {
  for (const part of options.only) {
    const { take } = await TAKERS[part]();
    for (const locale of options.language) {
      const began = performance.now();
      await scene(`${part}, ${locale}`, () => take(stage, locale, scene));
      console.error(`${part}, ${locale}: ${Math.round((performance.now() - began) / 1000)} s`);
    }
  }
} finally {
  await stage.close();
}
console.log(out);
if (missing.length > 0) {
  console.error(`\nThese could not be taken:\n${missing.join('\n')}`);
  process.exit(1);
}

/** What fails is told in the end; the rest is taken. */
async function scene(name, act) {
  try {
    await act();
  } catch (error) {
    const [line] = error.message.split('\n');
    missing.push(
      `${name}: ${line} (${/screenshots\/[\w-]+\.mjs:\d+/.exec(error.stack?.replace(/.*(stage|person)\.mjs.*/g, ''))?.[0] ?? ''})`,
    );
    console.error(missing.at(-1));
  }
}
