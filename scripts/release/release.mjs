import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../setup/run.mjs';
import { findMissing, findMissingToPublish } from './find-missing.mjs';
import { packTree, publishAll } from './publish.mjs';
import { CHANGESET, commitVersion, demand } from './set-version.mjs';
import { readJson } from './workspaces.mjs';

/** What has to pass, from the quickest to the slowest. Packing comes after them. */
const CHECKS = [
  ['npm', 'run', 'verify'],
  ['npm', 'test'],
];

/**
 * A release, or the next step of one that was interrupted. Gives an exit code.
 *
 * @param {string} root
 * @param {{ check?: boolean, publish?: boolean, registry?: string }} options
 * @param {(line: string) => void} say
 */
export async function release(root, { check, publish, registry }, say) {
  try {
    if (publish) return await publishTagged(root, { check, registry }, say);
    if (await isPrepared(root)) return await finish(root, { check, registry }, say);
    return await prepare(root, { check, registry }, say);
  } catch (error) {
    say(error.message);
    return 1;
  }
}

const readVersion = (root) => readJson(join(root, 'package.json')).version;

/** The last commit is a release that nobody has finished. */
async function isPrepared(root) {
  const subject = await demand(root, ['git', 'log', '-1', '--format=%s']);
  return subject === `release: v${readVersion(root)}`;
}

async function prepare(root, { check, registry }, say) {
  const { changesets, version } = await readPlan(root);
  const missing = await findMissing(root, { changesets, version, registry });
  if (missing.length > 0) return refuse(missing, say);
  if (check) {
    say(`Nothing is missing for v${version}.`);
    return 0;
  }
  // In a tree of its own, so that nothing changes here before everything has passed, whatever happens meanwhile.
  const tree = join(mkdtempSync(join(tmpdir(), 'parley-release-')), 'tree');
  await demand(root, ['git', 'worktree', 'prune']);
  await demand(root, ['git', 'worktree', 'add', '--detach', '--quiet', tree]);
  try {
    await commitVersion(tree, { changesets, version, date: new Date().toISOString().slice(0, 10) });
    for (const command of CHECKS) {
      say(`\n${command.join(' ')}`);
      const [program, ...args] = command;
      const { code } = await run(program, args, { cwd: tree, stdio: ['ignore', 'inherit', 'inherit'] });
      if (code !== 0) return refuse([`\`${command.join(' ')}\` fails on v${version}.`], say);
    }
    const folder = await packTree(tree);
    if (folder === undefined) return refuse([`\`npm run packages\` fails on v${version}.`], say);
    await demand(root, ['git', 'merge', '--ff-only', '--quiet', await demand(tree, ['git', 'rev-parse', 'HEAD'])]);
    await tag(root, version, say);
    if (registry !== undefined) await publishAll(tree, { folder, version, registry, say });
    else await push(root, version, say);
    rmSync(folder, { recursive: true });
    return 0;
  } finally {
    await run('git', ['worktree', 'remove', '--force', tree], { cwd: root });
    rmSync(join(tree, '..'), { recursive: true, force: true });
  }
}

const isChangeset = (name) => name.endsWith('.md') && name !== 'README.md';

/** What changed since the last release, and which version that makes. */
async function readPlan(root) {
  if (!readdirSync(join(root, '.changeset')).some(isChangeset)) return { changesets: [], version: undefined };
  const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
  try {
    await demand(root, [...CHANGESET, 'status', '--output', join(folder, 'plan.json')]);
    const { changesets, releases } = readJson(join(folder, 'plan.json'));
    return { changesets, version: releases[0].newVersion };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function finish(root, { check, registry }, say) {
  const version = readVersion(root);
  say(`v${version} is prepared.`);
  if (registry !== undefined) {
    if (!check) await tag(root, version, say);
    return publishTagged(root, { check, registry }, say);
  }
  if (check) return 0;
  await tag(root, version, say);
  await push(root, version, say);
  return 0;
}

async function tag(root, version, say) {
  if ((await demand(root, ['git', 'tag', '--list', `v${version}`])) !== '') return;
  await demand(root, ['git', 'tag', '--annotate', `v${version}`, '--message', `v${version}`]);
  say(`Tagged v${version}.`);
}

async function push(root, version, say) {
  await demand(root, ['git', 'push', '--atomic', '--quiet', 'origin', 'main', `v${version}`]);
  say(`Pushed v${version}. The workflow "release" publishes it.`);
}

async function publishTagged(root, { check, registry }, say) {
  const version = readVersion(root);
  const missing = await findMissingToPublish(root, { version, registry, env: process.env });
  if (missing.length > 0) return refuse(missing, say);
  if (check) {
    say(`Nothing is missing to publish v${version}.`);
    return 0;
  }
  const folder = await packTree(root);
  if (folder === undefined) return refuse([`\`npm run packages\` fails on v${version}.`], say);
  await publishAll(root, { folder, version, registry, say });
  rmSync(folder, { recursive: true });
  return 0;
}

function refuse(missing, say) {
  say(`\nNothing was published. Missing:\n${missing.map((line) => `  - ${line}`).join('\n')}`);
  return 1;
}
