#!/usr/bin/env node
// HS-9: nothing goes into the repository that belongs to one machine or to nobody.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, ROOT, reportErrors } from './files.mjs';

const MAX_BYTES = 1_048_576;

const FORBIDDEN = [
  { name: 'machine path', what: 'a path of one machine', pattern: /(?:^|[\s"'`(=:])\/(?:work|root|home)\// },
  { name: 'token', what: 'what looks like an agent token', pattern: /hsk_[0-9A-Za-z]{40}/ },
  { name: 'private key', what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  {
    name: 'skipped test',
    what: 'a skipped, focused or unwritten test',
    pattern: /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|only|todo|skipIf|runIf)\b/,
    files: /\.test\.(?:ts|tsx|mjs)$/,
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
const ALLOWED = {};

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
