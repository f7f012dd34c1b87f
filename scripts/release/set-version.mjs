import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFiles } from '../files.mjs';
import { listPublished, readJson } from '../packages/published.mjs';
import { addSection, renderSection } from './changelog.mjs';
import { demand } from './demand.mjs';
import { changeset } from './plan.mjs';

/** Turns the changesets into versions, changelog and lock file, in one commit. */
export async function commitVersion(tree, { changesets, version, date }) {
  await demand(tree, [...changeset(), 'version']);
  const root = readJson(join(tree, 'package.json'));
  writeJson(join(tree, 'package.json'), { ...root, version });
  renewPins(tree, root.version, version);
  for (const { folder, manifest } of listPublished(tree)) {
    writeJson(join(tree, folder, 'package.json'), {
      ...manifest,
      repository: { ...root.repository, directory: folder },
    });
  }
  const changelog = join(tree, 'CHANGELOG.md');
  writeFileSync(changelog, addSection(readFileSync(changelog, 'utf8'), renderSection(version, date, changesets)));
  await demand(tree, ['npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
  await demand(tree, ['git', 'add', '--all']);
  await demand(tree, ['git', 'commit', '--quiet', '--message', `release: v${version}`]);
  return demand(tree, ['git', 'rev-parse', 'HEAD']);
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

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
