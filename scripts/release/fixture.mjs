import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Packs as `npm run packages -- --out folder` does, without trying what it packed. */
const PACK = `
const { execFileSync } = require('node:child_process');
const out = process.argv.at(-1);
if (process.argv.at(-3) !== '--all') process.exit(1);
execFileSync('npm', ['pack', '--pack-destination', out, '--workspace', 'packages/one', '--workspace', 'packages/two'], { stdio: 'ignore' });
`;
const CHECK = `process.exit(require('node:fs').existsSync('broken') ? 1 : 0);`;

/** A small repository in a temporary folder, with two packages that are published and one that is not. */
export function createRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
  const root = join(folder, 'clone');
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  const repository = {
    root,
    git,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
    },
    commit(message) {
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    },
    /** A change that describes itself. */
    describe: (name, type, summary) =>
      repository.write(`.changeset/${name}.md`, `---\n"@parley/one": ${type}\n---\n\n${summary}\n`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  const published = {
    version: '0.1.0',
    license: 'Apache-2.0',
    publishConfig: { access: 'public', provenance: true },
  };
  repository.write('package.json', {
    name: 'small',
    version: '0.1.0',
    private: true,
    license: 'Apache-2.0',
    repository: { type: 'git', url: 'git+https://example.org/small.git' },
    workspaces: ['packages/*'],
    scripts: { verify: 'node check.cjs', test: 'node check.cjs', packages: 'node pack.cjs' },
  });
  repository.write('packages/one/package.json', {
    name: '@parley/one',
    ...published,
    dependencies: { '@parley/two': '0.1.0' },
  });
  repository.write('packages/two/package.json', { name: '@parley/two', ...published });
  repository.write('packages/three/package.json', { name: '@parley/three', version: '0.1.0', private: true });
  repository.write('.changeset/config.json', {
    changelog: false,
    commit: false,
    fixed: [['@parley/*']],
    access: 'public',
    baseBranch: 'main',
    updateInternalDependencies: 'patch',
    privatePackages: { version: true, tag: false },
  });
  repository.write(
    'CHANGELOG.md',
    '# Changelog\n\n## [Unreleased]\n\nIn .changeset.\n\n## [0.1.0] - 2026-01-01\n\n- All of it.\n',
  );
  repository.write('docs/guides/ci.md', 'npx --yes @parley/cli@0.1.0 manifest validate\n');
  repository.write('LICENSE', 'Apache License 2.0\n');
  repository.write('check.cjs', CHECK);
  repository.write('pack.cjs', PACK);
  repository.write('.gitignore', 'node_modules\n');
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--offline'], {
    cwd: root,
    stdio: 'pipe',
  });
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'A maintainer');
  git('config', 'user.email', 'maintainer@example.org');
  repository.commit('feat: all of it');
  return repository;
}
