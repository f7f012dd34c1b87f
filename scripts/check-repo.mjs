#!/usr/bin/env node
// HS-9, HS-19: nothing goes into the repository that belongs to one machine or to nobody, or works by luck.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, ROOT, reportErrors } from './files.mjs';

const MAX_BYTES = 1_048_576;

const TESTS = /\.test\.(?:ts|tsx|mjs)$|(?:^|\/)tests\/|^packages\/testkit\//;

const FORBIDDEN = [
  { name: 'machine path', what: 'a path of one machine', pattern: /(?:^|[\s"'`(=:])\/(?:work|root|home)\// },
  { name: 'token', what: 'what looks like an agent token', pattern: /hsk_[0-9A-Za-z]{40}/ },
  { name: 'private key', what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  {
    name: 'lost timeout',
    what: 'a timeout that only AbortSignal.any knows of (Node 20 may collect it before it comes: use a timer)',
    pattern: /AbortSignal\.any\(.*AbortSignal\.timeout\(/,
    files: /\.(?:ts|tsx|mjs)$/,
  },
  {
    name: 'skipped test',
    what: 'a skipped, focused or unwritten test',
    pattern: /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|only|todo|skipIf|runIf)\b/,
    files: /\.test\.(?:ts|tsx|mjs)$/,
  },
  {
    name: 'short wait',
    what: 'a wait that gives up after a second (`until` of @parley/testkit/until does not)',
    pattern: /\bvi\.wait(?:For|Until)\(/,
    files: TESTS,
  },
  {
    name: 'own limit',
    what: 'a limit of its own for a wait (vitest.config.ts has one for all)',
    pattern: /\.poll\(.*\btimeout:/,
    files: TESTS,
  },
  {
    name: 'sleep',
    what: 'a test that sleeps instead of waiting for something',
    pattern: /\btimers\/promises\b|\bsetTimeout\(\s*(?:resolve|done|r)\b|\bsleep\(|\bwaitForTimeout\(/,
    files: TESTS,
  },
  {
    name: 'duration',
    what: 'a test of how long something takes',
    pattern: /\bexpect\(.*(?:\b(?:elapsed|took|duration)\b|\bnow\(\) - ).*\.toBe(?:Less|Greater)Than/i,
    files: TESTS,
  },
  {
    name: 'port',
    what: 'a port that somebody else may have, now or in a moment',
    pattern: /\.listen\(\s*[1-9]|\.listen\(\s*\{[^}]*\bport: *[1-9]|\b(?:find|get)(?:Free)?Port\b|\bfreePort\b/,
    files: TESTS,
  },
  {
    name: 'module mock',
    what: 'a module that is replaced for the whole process (pass it in, or spy on what it exports)',
    pattern: /\bvi\.(?:mock|doMock|resetModules)\(/,
    files: TESTS,
  },
  {
    name: 'registry',
    what: 'the host of a registry',
    pattern: /"resolved": *"https?:/,
    files: /(?:^|\/)package-lock\.json$/,
  },
  {
    name: 'registry',
    what: 'the host of a registry',
    pattern: /^\s*(?:@[\w-]+:)?registry\s*=/,
    files: /(?:^|\/)\.npmrc$/,
  },
];

/** Files that may hold one of the forbidden things: path → names. Each needs its reason beside it. */
const ALLOWED = {
  // Where waiting itself is made.
  'packages/testkit/src/until.ts': ['sleep'],
  // Waits for a lock on the disk, which another process holds while it builds the pages.
  'apps/web/tests/live/harness/site.ts': ['sleep'],
};

/**
 * @param {Iterable<readonly [path: string, content: Buffer]>} files
 * @param {Record<string, readonly string[]>} allowed
 * @returns {string[]}
 */
export function checkRepo(files, allowed = ALLOWED) {
  const errors = [];
  for (const [path, content] of files) {
    if (content.length > MAX_BYTES) errors.push(`${path}: ${content.length} bytes, more than ${MAX_BYTES}`);
    if (content.includes(0)) continue;
    const rules = FORBIDDEN.filter((rule) => (rule.files?.test(path) ?? true) && !allowed[path]?.includes(rule.name));
    content
      .toString('utf8')
      .split('\n')
      .forEach((line, index) => {
        for (const { what, pattern } of rules) if (pattern.test(line)) errors.push(`${path}:${index + 1}: ${what}`);
      });
  }
  return errors;
}

function* readTracked(root) {
  const paths = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const path of paths.filter((path) => path !== '')) {
    try {
      yield [path, readFileSync(join(root, path))];
    } catch (error) {
      // Deleted in the working tree but not yet in the index: there is nothing left to check.
      if (error.code !== 'ENOENT') throw error;
    }
  }
}

if (isMain(import.meta.url)) {
  const errors = checkRepo(readTracked(ROOT));
  console.log(`repository: ${errors.length} errors`);
  reportErrors('check-repo', errors);
}
