import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FOLLOWED, followPage } from '../guides/pages.mjs';
import { createReader } from '../guides/reader.mjs';
import { checkTypes, runPrograms, writePrograms } from './consumers.mjs';
import { checkContents, checkFiles } from './contents.mjs';
import { installInto, registryEnvironment } from './install.mjs';
import { checkLicences } from './licences.mjs';
import { lintPackage } from './lint.mjs';
import { packAll } from './pack.mjs';
import { startRegistry } from './registry.mjs';
import { ensureRuntime } from './runtimes/install.mjs';
import { ANSWERS } from './runtimes/person.mjs';
import { runScenario } from './runtimes/scenario.mjs';
import { startServer } from './server.mjs';
import { checkSizes, measure, writeTable } from './sizes.mjs';

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string[]} problems
 * @property {string} [skipped] Why it was not run.
 * @property {number} seconds
 */

/**
 * @typedef {object} Stage
 * @property {string} root
 * @property {string} temporary
 * @property {string} folder Where everything is installed.
 * @property {readonly import('./pack.mjs').Packed[]} packages
 * @property {Record<string, string>} npm
 * @property {boolean} measure
 * @property {(name: string, run: () => Promise<string[] | { skipped: string }>) => Promise<void>} row
 */

/** @type {Record<string, (stage: Stage) => Promise<void>>} */
export const STEPS = {
  contents: ({ packages, folder, root, row }) =>
    row('contents', async () => [
      ...packages.flatMap(checkContents),
      ...packages.flatMap((packed) => checkFiles(packed, { folder, root })),
    ]),

  lint: ({ packages, row }) =>
    row('publint and attw', async () => (await Promise.all(packages.map(lintPackage))).flat()),

  sizes: ({ packages, folder, row, measure: isMeasured }) =>
    row('sizes', async () => {
      const sizes = measure(packages, folder);
      if (isMeasured) writeTable(sizes);
      return checkSizes(sizes);
    }),

  licences: ({ folder, row }) => row('licences', async () => checkLicences(folder)),

  types: ({ packages, folder, root, row }) =>
    row('types, nodenext and bundler', async () => {
      writePrograms({ packages, folder, root });
      return checkTypes({ folder, root });
    }),

  node: async ({ packages, folder, root, row }) => {
    writePrograms({ packages, folder, root });
    await checkTypes({ folder, root });
    await row(`every entry on Node ${process.versions.node}`, () => runPrograms({ folder }));
    for (const name of ['node22', 'node24']) {
      const { missing, path, version } = await ensureRuntime(name);
      const title = `every entry on Node ${version ?? name}`;
      await row(title, async () =>
        missing === undefined ? runPrograms({ folder, node: path }) : { skipped: missing },
      );
    }
  },

  guides: async (stage) => {
    await followGuides(stage);
    for (const name of ['node22', 'node24']) {
      const { missing, path, version } = await ensureRuntime(name);
      if (missing === undefined) await followGuides(stage, { node: path, title: ` on Node ${version}` });
      else await stage.row(`the guides on ${name}`, async () => ({ skipped: missing }));
    }
  },

  runtimes: async ({ folder, temporary, row }) => {
    const server = await startServer({ folder, temporary });
    try {
      await row(`an agent on Node ${process.versions.node}`, () =>
        tryAgent('node', process.execPath, folder, server.url),
      );
      for (const name of ['node22', 'node24', 'bun', 'deno', 'workerd']) {
        const { missing, path, version } = await ensureRuntime(name);
        const title = `an agent on ${name} ${version ?? ''}`.trimEnd();
        await row(title, async () =>
          missing === undefined ? tryAgent(name, path, folder, server.url) : { skipped: missing },
        );
      }
    } finally {
      await server.stop();
    }
  },
};

/** Word for word, from an empty folder and a server that nobody knows. */
async function followGuides({ root, temporary, npm, row }, { node, title = '' } = {}) {
  const reader = await createReader({ clone: root, temporary, npm, node });
  const follow = (path) =>
    followPage(reader, path).then(
      () => [],
      (error) => [error.message],
    );
  try {
    for (const path of FOLLOWED) await row(`${path}${title}`, () => follow(path));
  } finally {
    await reader.close();
  }
}

async function tryAgent(name, path, folder, serverUrl) {
  const told = await runScenario({ runtime: { name, path }, folder, serverUrl });
  const { held, ...answers } = told;
  const isRight = Object.values(answers).every((given) => isDeepStrictEqual(given, ANSWERS));
  const isHeld = name === 'workerd' || held === 'is in use by process';
  return isRight && isHeld ? [] : [`it answered ${JSON.stringify(told, null, 2)}`];
}

/**
 * Packs, installs, and tries what was installed.
 *
 * @param {object} options
 * @param {string} options.root
 * @param {string} options.temporary
 * @param {string} options.out Where the tarballs go.
 * @param {readonly string[]} options.names Of the steps.
 * @param {boolean} options.measure
 * @param {(line: string) => void} options.say
 * @returns {Promise<Row[]>}
 */
export async function tryPackages({ root, temporary, out, names, measure: isMeasured, say }) {
  const rows = [];
  const row = async (name, run) => {
    say(`${name} …`);
    const started = Date.now();
    const result = await run().catch((error) => [error.stack ?? error.message]);
    const [problems, skipped] = Array.isArray(result) ? [result, undefined] : [[], result.skipped];
    rows.push({ name, problems, skipped, seconds: (Date.now() - started) / 1000 });
  };
  const folder = join(temporary, 'consumer');
  mkdirSync(folder);
  let tarballs = new Map();
  await row('npm pack', async () => {
    tarballs = await packAll({ root, out });
    return [];
  });
  const registry = await startRegistry({ root, tarballs });
  try {
    const npm = await registryEnvironment(registry.url);
    await row('npm init -y && npm i', async () => {
      await installInto({ folder, names: [...tarballs.keys()], env: npm });
      return [];
    });
    if (rows.some(({ problems }) => problems.length > 0)) return rows;
    const stage = { root, temporary, folder, packages: [...tarballs.values()], npm, measure: isMeasured, row };
    for (const name of names) await STEPS[name](stage);
  } finally {
    await registry.close();
  }
  return rows;
}
