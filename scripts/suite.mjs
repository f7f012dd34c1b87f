#!/usr/bin/env node
// Makes the official JSON Schema test suite available: it is too large to keep here, and Debian packages it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMain, ROOT } from './files.mjs';

const PACKAGE = 'libtest-json-schema-acceptance-perl';
const SHARE = 'usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance';
const DRAFT = join('tests', 'draft2020-12');
const CACHE = join(ROOT, 'node_modules', '.cache', 'json-schema-suite');
const LIMIT_MS = 60_000;

/** The folder of the draft's tests, if there is one on this machine. Looks, and does nothing else. */
export function findSuite(environment = process.env) {
  const chosen = environment.JSON_SCHEMA_SUITE;
  const homes = chosen ? [chosen] : [CACHE, join('/', SHARE)];
  return homes.map((home) => join(home, DRAFT)).find((folder) => existsSync(join(folder, 'allOf.json')));
}

/** Why `findSuite` found nothing, in one line. */
export function explainMissing(environment = process.env) {
  const { JSON_SCHEMA_SUITE: chosen } = environment;
  if (chosen) return `JSON_SCHEMA_SUITE names a folder without ${DRAFT}`;
  return `install the Debian package ${PACKAGE}, or set JSON_SCHEMA_SUITE to a checkout of JSON-Schema-Test-Suite`;
}

/** The same as `findSuite`, but fetches the suite where it is missing and can be had. */
export function ensureSuite() {
  const found = findSuite();
  if (found !== undefined) return found;
  if (!process.env.JSON_SCHEMA_SUITE) fetchPackage();
  const fetched = findSuite();
  if (fetched === undefined) console.error(`The official JSON Schema suite is not available: ${explainMissing()}`);
  return fetched;
}

/** Leaves the system alone: package lists, archive and contents all go into a folder that is removed. */
function fetchPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-suite-'));
  const end = Date.now() + LIMIT_MS;
  const run = (command, args) => {
    const timeout = Math.max(1, end - Date.now());
    return spawnSync(command, args, { cwd: folder, timeout, stdio: 'ignore' }).status === 0;
  };
  try {
    mkdirSync(join(folder, 'lists', 'partial'), { recursive: true });
    mkdirSync(join(folder, 'cache', 'archives', 'partial'), { recursive: true });
    const own = ['-o', `Dir::State::Lists=${join(folder, 'lists')}`, '-o', `Dir::Cache=${join(folder, 'cache')}`];
    if (!run('apt-get', ['download', PACKAGE])) {
      // One source of several that cannot be reached makes `update` fail, but the package may still be found.
      run('apt-get', [...own, 'update']);
      run('apt-get', [...own, 'download', PACKAGE]);
    }
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (archive && run('dpkg-deb', ['-x', archive, 'contents'])) keep(join(folder, 'contents', SHARE, DRAFT));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copied aside first, so that a run that is interrupted leaves no half of a suite. */
function keep(folder) {
  const aside = `${CACHE}.${process.pid}`;
  cpSync(folder, join(aside, DRAFT), { recursive: true });
  rmSync(CACHE, { recursive: true, force: true });
  renameSync(aside, CACHE);
}

if (isMain(import.meta.url)) {
  const folder = ensureSuite();
  if (folder !== undefined) console.log(folder);
}
