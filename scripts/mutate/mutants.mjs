import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFiles, ROOT } from '../files.mjs';

/**
 * A check taken away: in `file`, the one place where `find` stands becomes `replace`, and a test that cites `rule` has
 * to fail.
 *
 * `tests` names the files that hold such a test, where they are not of the same package.
 *
 * @typedef {{ id: string, rule: string, file: string, find: string, replace: string, tests?: string[] }} Mutant
 */

/** @param {string} root @returns {Mutant[]} */
export function readMutants(root = ROOT) {
  return findFiles(root, 'scripts/mutants', /\.json$/).flatMap((path) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')),
  );
}

/** @param {string} source @param {Mutant} mutant @returns {string} */
export function applyMutant(source, { id, file, find, replace }) {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${id}: the text to replace stands ${parts.length - 1} times in ${file}`);
  return parts.join(replace);
}

/**
 * What is wrong with the list itself.
 *
 * @param {readonly Mutant[]} mutants @param {(file: string) => string} read @returns {string[]}
 */
export function checkMutants(mutants, read) {
  const errors = [];
  const seen = new Set();
  for (const mutant of mutants) {
    if (seen.has(mutant.id)) errors.push(`${mutant.id}: listed twice`);
    seen.add(mutant.id);
    try {
      if (applyMutant(read(mutant.file), mutant) === read(mutant.file)) errors.push(`${mutant.id}: changes nothing`);
    } catch (error) {
      errors.push(error.message);
    }
  }
  return errors;
}
