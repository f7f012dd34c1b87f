import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What may be combined with Apache-2.0 and handed on without more than naming it (PK-1). */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Python-2.0',
]);

/** `(MIT OR GPL-2.0)`: one we like is enough; with `AND` all must be. @param {string} expression */
export function isAllowed(expression) {
  const words = expression.replaceAll(/[()]/g, ' ').trim();
  return words.split(/\s+OR\s+/).some((choice) => choice.split(/\s+AND\s+/).every((one) => ALLOWED.has(one.trim())));
}

/**
 * The packages of others that were installed, with their licences.
 *
 * @param {string} folder @returns {{ name: string, version: string, licence: string }[]}
 */
function readLicences(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'));
  return Object.keys(packages)
    .filter((path) => existsSync(join(folder, path, 'package.json')))
    .map((path) => JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')))
    .map(({ name, version, license, licenses }) => ({ name, version, licence: nameLicence(license ?? licenses) }));
}

const nameLicence = (licence) =>
  Array.isArray(licence) ? licence.map(nameLicence).join(' OR ') : (licence?.type ?? licence ?? 'none');

/** @param {string} folder @returns {string[]} */
export function checkLicences(folder) {
  return readLicences(folder)
    .filter(({ licence }) => !isAllowed(licence))
    .map(({ name, version, licence }) => `${name} ${version} has the licence ${licence}`);
}
