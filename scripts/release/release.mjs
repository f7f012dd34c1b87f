import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readJson } from '../packages/published.mjs';
import { run } from '../setup/run.mjs';
import { demand } from './demand.mjs';
import { findInGit, findMissing, findMissingToPublish, findTag } from './find-missing.mjs';
import { contains, forgetPassed, keepPassed, readCommit, readPassed, withTree } from './git.mjs';
import { readPlan } from './plan.mjs';
import { publishAll } from './publish.mjs';
import { commitVersion } from './set-version.mjs';

/** What has to pass, from the quickest to the slowest. The last one packs, too; there, what was not run has not passed. */
const CHECKS = [
  ['npm', 'run', 'verify'],
  ['npm', 'test'],
  ['npm', 'run', 'packages', '--', '--all', '--out'],
];

/**
 * A release, or the rest of one that was interrupted (PK-8). Gives an exit code.
 *
 * @param {string} root
 * @param {{ check?: boolean, publish?: string, registry?: string }} options
 * @param {(line: string) => void} say
 */
export async function release(root, { check = false, publish, registry }, say) {
  try {
    if (publish !== undefined) return await publishTagged(root, { check, folder: resolve(publish), registry, say });
    return (await goOn(root, { check, registry, say })) ?? (await begin(root, { check, registry, say }));
  } catch (error) {
    say(error.message);
    return 1;
  }
}

const readVersion = (root) => readJson(join(root, 'package.json')).version;

async function begin(root, { check, registry, say }) {
  const plan = await readPlan(root);
  const { changesets, version } = plan;
  const missing = await findMissing(root, { ...plan, registry });
  if (version !== undefined) say(`The next version is v${version}.`);
  if (missing.length > 0) return refuse(missing, say);
  if (check) {
    say('Nothing is missing. `verify`, `test` and `packages` run when it is made.');
    return 0;
  }
  const before = await readCommit(root, 'HEAD');
  // In a tree of its own, so that nothing changes here before everything has passed, whatever happens meanwhile.
  return withTree(root, before, (tree) =>
    withTarballs(async (folder) => {
      const commit = await commitVersion(tree, { changesets, version, date: new Date().toISOString().slice(0, 10) });
      for (const command of CHECKS) {
        if (!(await passes(tree, command, folder, say)))
          return refuse([`${describe(command)} fails on v${version}.`], say);
      }
      await keepPassed(root, commit);
      return finish(root, { commit, version, registry, say, tree, folder });
    }),
  );
}

/** Undefined where there is nothing to go on with. */
async function goOn(root, { check, registry, say }) {
  const commit = await readPassed(root);
  if (commit === undefined) return undefined;
  const version = JSON.parse(await demand(root, ['git', 'show', `${commit}:package.json`])).version;
  const isNext = (await readCommit(root, `${commit}^`)) === (await readCommit(root, 'HEAD'));
  if (!isNext && !(await contains(root, 'main', commit))) {
    // Whatever was committed since has not been checked, so the release is made again.
    await forgetPassed(root);
    return undefined;
  }
  say(`v${version} has passed every check (${commit.slice(0, 8)}).`);
  if (check) return 0;
  if (registry === undefined) return finish(root, { commit, version, say });
  return withTree(root, commit, (tree) =>
    withTarballs(async (folder) => {
      if (!(await passes(tree, CHECKS.at(-1), folder, say))) return refuse([`${describe(CHECKS.at(-1))} fails.`], say);
      return finish(root, { commit, version, registry, say, tree, folder });
    }),
  );
}

/** Main moves to the commit that has passed, which is tagged and pushed, or published from here. Each step may be there already. */
async function finish(root, { commit, version, registry, say, tree, folder }) {
  // Minutes have passed since this was looked at.
  const missing = [...(await findInGit(root, registry)), ...(await findTag(root, version, { commit, registry }))];
  if (missing.length > 0) return refuse(missing, say);
  if (!(await contains(root, 'main', commit))) await demand(root, ['git', 'merge', '--ff-only', '--quiet', commit]);
  if ((await readCommit(root, `refs/tags/v${version}`)) === undefined) {
    await demand(root, ['git', 'tag', '--annotate', `v${version}`, '--message', `v${version}`, commit]);
    say(`Tagged v${version}.`);
  }
  if (registry !== undefined) await publishAll(tree, { folder, version, registry, say });
  else {
    await demand(root, ['git', 'push', '--atomic', '--quiet', 'origin', 'main', `refs/tags/v${version}`]);
    say(`Pushed v${version}. The workflow "release" publishes it.`);
  }
  await forgetPassed(root);
  return 0;
}

async function publishTagged(root, { check, folder, registry, say }) {
  const version = readVersion(root);
  const missing = await findMissingToPublish(root, { version, registry, env: process.env });
  if (missing.length > 0) return refuse(missing, say);
  if (check) say(`Nothing is missing to publish v${version}.`);
  else await publishAll(root, { folder, version, registry, say });
  return 0;
}

async function passes(tree, command, folder, say) {
  say(`\n${describe(command)}`);
  const [program, ...args] = command.at(-1) === '--out' ? [...command, folder] : command;
  const { code } = await run(program, args, { cwd: tree, stdio: ['ignore', 'inherit', 'inherit'] });
  return code === 0;
}

const describe = (command) => `\`${command.join(' ').replace(' -- --all --out', '')}\``;

async function withTarballs(work) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-release-tarballs-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuse(missing, say) {
  say(`\nNothing was published. Missing:\n${missing.map((line) => `  - ${line}`).join('\n')}`);
  return 1;
}
