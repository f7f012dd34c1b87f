import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findFiles } from '../files.mjs';
import { run } from '../setup/run.mjs';
import { addSection, renderSection } from './changelog.mjs';
import { isPublished, listWorkspaces, readJson } from './workspaces.mjs';

/** Ours, in whatever tree it works. */
export const CHANGESET = [process.execPath, createRequire(import.meta.url).resolve('@changesets/cli/bin.js')];

/** Turns the changesets into versions, changelog and lock file, in one commit. */
export async function commitVersion(tree, { changesets, version, date }) {
  await demand(tree, [...CHANGESET, 'version']);
  const root = readJson(join(tree, 'package.json'));
  writeJson(join(tree, 'package.json'), { ...root, version });
  renewPins(tree, root.version, version);
  for (const { dir, manifest } of listWorkspaces(tree).filter(isPublished)) {
    writeJson(join(tree, dir, 'package.json'), { ...manifest, repository: { ...root.repository, directory: dir } });
  }
  const changelog = join(tree, 'CHANGELOG.md');
  writeFileSync(changelog, addSection(readFileSync(changelog, 'utf8'), renderSection(version, date, changesets)));
  await demand(tree, ['npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
  await demand(tree, ['git', 'add', '--all']);
  await demand(tree, ['git', 'commit', '--quiet', '--message', `release: v${version}`]);
}

/** Guides that tell readers to pin a version name this one. */
function renewPins(tree, before, version) {
  for (const path of ['README.md', 'README.zh-CN.md', ...findFiles(tree, 'docs/guides', /\.md$/)]) {
    if (!existsSync(join(tree, path))) continue;
    const text = readFileSync(join(tree, path), 'utf8');
    const renewed = text.replaceAll(`@parley/cli@${before}`, `@parley/cli@${version}`);
    if (renewed !== text) writeFileSync(join(tree, path), renewed);
  }
}

/** Its output, or an error that has it. */
export async function demand(cwd, [program, ...args]) {
  const { code, output, stdout } = await run(program, args, { cwd });
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')}\n${output.trimEnd()}`);
  return stdout.trim();
}

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
