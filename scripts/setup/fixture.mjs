import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Stands in for npm: notes how it was called, then leaves behind what npm would, a compiler included. */
const NPM = `
const fs = require('node:fs');
const path = require('node:path');
fs.appendFileSync('calls.log', ['npm', ...process.argv.slice(2, process.argv.indexOf('--include=dev'))].join(' ') + '\\n');
const mode = fs.existsSync('npm-mode') ? fs.readFileSync('npm-mode', 'utf8') : '';
fs.rmSync('node_modules', { recursive: true, force: true });
fs.mkdirSync('node_modules/typescript/bin', { recursive: true });
if (mode === 'offline') { console.error('npm error code ENOTFOUND'); process.exit(1); }
if (mode === 'disagree') {
  console.error('npm error npm ci can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync.');
  process.exit(1);
}
if (mode === 'killed') process.kill(process.pid, 'SIGKILL');
fs.writeFileSync('node_modules/typescript/bin/tsc', fs.readFileSync('tsc.js'));
const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
delete lock.packages[''];
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock));
`;

const TSC = `
const fs = require('node:fs');
fs.appendFileSync('calls.log', 'tsc\\n');
if (fs.readFileSync('packages/one/src/index.ts', 'utf8').includes('wrong')) {
  console.log('packages/one/src/index.ts(1,1): error TS0000: wrong');
  process.exit(1);
}
fs.mkdirSync('packages/one/dist', { recursive: true });
fs.writeFileSync('packages/one/dist/.tsbuildinfo', String(process.hrtime.bigint()));
`;

/** A clone of a tiny project in a temporary folder, with a stand-in npm that needs no network. */
export function createProject() {
  const root = mkdtempSync(join(tmpdir(), 'parley-setup-'));
  const project = {
    root,
    npm: join(root, 'npm-cli.js'),
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
    },
    /** What was run since the last time this was asked. */
    calls() {
      const log = join(root, 'calls.log');
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
      rmSync(log, { force: true });
      return lines;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  project.write('npm-cli.js', NPM);
  project.write('tsc.js', TSC);
  project.write('package.json', { name: 'tiny', workspaces: ['packages/*'], devDependencies: { tool: '1.0.0' } });
  project.write('packages/one/package.json', { name: 'one' });
  project.write('packages/one/src/index.ts', 'export {};');
  project.write('tsconfig.json', { references: [{ path: 'packages/one' }] });
  project.write('package-lock.json', {
    lockfileVersion: 3,
    packages: {
      '': { name: 'tiny', workspaces: ['packages/*'], devDependencies: { tool: '1.0.0' } },
      'packages/one': { name: 'one' },
      'node_modules/tool': { version: '1.0.0', integrity: 'sha512-aaaa' },
    },
  });
  return project;
}
