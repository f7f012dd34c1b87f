import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPublished, readJson } from '../packages/published.mjs';
import { findStalePrevious } from './find-stale-previous.mjs';
import { contains, git, readCommit } from './git.mjs';
import { askWho, canAttest, listVersions } from './npm.mjs';

const WORKFLOW = '.github/workflows/release.yml';

/** What a release from this clone lacks, each with what to do about it (PK-8). */
export async function findMissing(root, { version, problem, registry }) {
  const published = listPublished(root);
  const lists = await Promise.all([
    findInGit(root, registry),
    problem === undefined ? [] : [problem],
    version === undefined ? [] : findTag(root, version, { registry }),
    version === undefined ? [] : findTaken(root, published, { version, registry }),
    findInPackages(root, published),
    findStalePrevious(root),
    registry === undefined ? findInWorkflow(root) : findRegistry(root, registry),
  ]);
  return lists.flat();
}

/** What publishing the version that is tagged here lacks. */
export async function findMissingToPublish(root, { version, registry, env }) {
  const missing = [];
  if (await git(root, 'status', '--porcelain', '--untracked-files=no')) {
    missing.push('The work tree has changes: publish what was committed.');
  }
  const head = await readCommit(root, 'HEAD');
  if ((await readCommit(root, `refs/tags/v${version}`)) !== head) {
    missing.push(`This commit has no tag v${version}: \`npm run release\` makes it.`);
  }
  if (registry !== undefined) missing.push(...(await findRegistry(root, registry)));
  else {
    // Whoever may push a tag need not be allowed to change main.
    if (!(await contains(root, 'origin/main', 'HEAD'))) missing.push('This commit is not part of main at origin.');
    if (!canAttest(env)) {
      missing.push(
        'Provenance needs a build in GitHub Actions with `permissions: id-token: write`, or in GitLab CI with SIGSTORE_ID_TOKEN.',
      );
    }
  }
  return [...missing, ...findInPackages(root, listPublished(root))];
}

export async function findInGit(root, registry) {
  const missing = [];
  const branch = await git(root, 'branch', '--show-current');
  if (branch !== 'main')
    missing.push(`A release is made on main, and this is ${branch || 'no branch'}: \`git switch main\`.`);
  if (await git(root, 'status', '--porcelain')) missing.push('The work tree has changes: commit or stash them.');
  // Published from here to a registry of one's own, nothing has to be pushed.
  if (registry !== undefined) return missing;
  if (!(await git(root, 'remote'))) {
    missing.push('There is no remote repository: `git remote add origin <address>`, then `git push -u origin main`.');
  } else if (!(await git(root, 'rev-parse', '--abbrev-ref', 'main@{upstream}'))) {
    missing.push('main is not connected to a remote branch: `git push -u origin main`.');
  } else if ((await git(root, 'fetch', '--no-tags')) === undefined) {
    missing.push('The remote repository cannot be reached: `git fetch` says why.');
  } else if ((await git(root, 'rev-list', '--count', 'main..main@{upstream}')) !== '0') {
    missing.push('The remote main has commits that this one lacks: `git pull`.');
  }
  return missing;
}

/** A tag of this name that stands for something else than `commit`, here or where it would be pushed. */
export async function findTag(root, version, { commit, registry }) {
  const name = `refs/tags/v${version}`;
  const here = await readCommit(root, name);
  if (here !== undefined && here !== commit)
    return [`The tag v${version} exists, of another commit: \`git tag -d v${version}\` removes it.`];
  if (registry !== undefined) return [];
  const there = await git(root, 'ls-remote', 'origin', `${name}^{}`, name);
  const commits = (there ?? '').split('\n').filter((line) => line !== '');
  // An annotated tag is listed twice; the commit stands beside the name that ends with ^{}.
  const tagged = commits.find((line) => line.endsWith('^{}')) ?? commits[0];
  if (tagged === undefined || tagged.split('\t')[0] === commit) return [];
  return [`The tag v${version} exists at origin, of another commit: raise the version of the changesets.`];
}

async function findTaken(root, published, { version, registry }) {
  const names = published.map(({ manifest }) => manifest.name);
  const answers = await Promise.all(names.map((name) => listVersions(root, registry, name)));
  const failure = answers.find((answer) => 'failure' in answer);
  if (failure !== undefined) return [`The registry gives no answer: ${failure.failure}`];
  const missing = names
    .filter((_, index) => answers[index].versions?.includes(version))
    .map((name) => `${name}@${version} is published already: raise the version of the changesets.`);
  const unknown = names.filter((_, index) => answers[index].versions === undefined);
  // A registry of one's own takes new names from whoever is logged in; npm trusts a workflow only with those it knows.
  if (registry === undefined && unknown.length > 0) {
    missing.push(
      `npm does not know ${unknown.join(', ')} yet: publish a first version of each by hand (\`npm run packages -- --out tarballs\`, \`npm publish <tarball> --provenance=false\`), then name this workflow as their trusted publisher.`,
    );
  }
  return missing;
}

function findInPackages(root, published) {
  const missing = [];
  const { license, repository } = readJson(join(root, 'package.json'));
  if (!existsSync(join(root, 'LICENSE'))) missing.push('LICENSE is not there.');
  if (repository?.url === undefined) {
    missing.push(
      'package.json has no `repository`: set its `type` and `url`. Provenance compares it with where the release is built.',
    );
  }
  const changelog = existsSync(join(root, 'CHANGELOG.md')) ? readFileSync(join(root, 'CHANGELOG.md'), 'utf8') : '';
  if (!changelog.includes('\n## [Unreleased]\n')) missing.push('CHANGELOG.md has no section [Unreleased].');
  for (const { folder, manifest } of published) {
    const { publishConfig = {} } = manifest;
    if (manifest.license !== license) missing.push(`${folder}/package.json: \`license\` is not ${license}.`);
    if (publishConfig.provenance !== true || publishConfig.access !== 'public') {
      missing.push(`${folder}/package.json: \`publishConfig\` lacks \`"access": "public", "provenance": true\`.`);
    }
  }
  return missing;
}

function findInWorkflow(root) {
  const text = existsSync(join(root, WORKFLOW)) ? readFileSync(join(root, WORKFLOW), 'utf8') : '';
  if (/id-token: write/.test(text) && text.includes('scripts/release.mjs --publish')) return [];
  return [`${WORKFLOW} does not publish: it runs \`node scripts/release.mjs --publish\` with \`id-token: write\`.`];
}

async function findRegistry(root, registry) {
  // There, everybody would get packages without provenance.
  if (!URL.canParse(registry)) return [`${registry} is not the address of a registry, such as http://localhost:4873.`];
  if (/(^|\.)npmjs\.(org|com)$/.test(new URL(registry).hostname)) {
    return ['`--registry` is for a registry of your own; without it, the workflow publishes for everybody.'];
  }
  const { isLoggedIn, failure } = await askWho(root, registry);
  if (failure !== undefined) return [`The registry gives no answer: ${failure}`];
  return isLoggedIn ? [] : [`You are not logged in there: \`npm login --registry ${registry}\`.`];
}
