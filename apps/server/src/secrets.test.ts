import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startError } from './errors.ts';
import { loadSecrets, prepareSecrets, replaceSecrets, secretsFile } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('HS-8 secrets are made once, of 32 random bytes each, for nobody else to read', () => {
  const first = loadSecrets(folder);
  expect(statSync(secretsFile(folder)).mode & 0o777).toBe(0o600);
  expect([first.tokenSecret.length, first.storageSecret.length]).toEqual([32, 32]);
  expect(first.tokenSecret).not.toEqual(first.storageSecret);
  expect(loadSecrets(folder)).toEqual(first);
});

test('HS-8 a secrets file that others can read is refused', () => {
  loadSecrets(folder);
  for (const mode of [0o644, 0o640, 0o604, 0o660]) {
    chmodSync(secretsFile(folder), mode);
    expect(() => loadSecrets(folder)).toThrow(expect.objectContaining({ code: 'SECRETS_READABLE' }));
  }
  chmodSync(secretsFile(folder), 0o400);
  expect(loadSecrets(folder).tokenSecret).toHaveLength(32);
});

test('HS-8 a secrets file that is damaged or short is refused, never made anew, never quoted', () => {
  for (const text of [
    '',
    '{',
    '{"token_secret":"","storage_secret":""}',
    '{"token_secret":"c2hvcnQ","storage_secret":"c2hvcnQ"}',
  ]) {
    writeFileSync(secretsFile(folder), text, { mode: 0o600 });
    const said = startError('SECRETS_INVALID', { params: { file: secretsFile(folder) } });
    expect(() => loadSecrets(folder)).toThrow(expect.objectContaining({ code: said.code, message: said.message }));
    expect(readFileSync(secretsFile(folder), 'utf8')).toBe(text);
  }
});

test('HS-7 secrets from a backup take the place of those there, for nobody else to read', () => {
  loadSecrets(folder);
  const kept = readFileSync(secretsFile(folder), 'utf8');
  rmSync(secretsFile(folder));
  loadSecrets(folder);
  const current = readFileSync(secretsFile(folder), 'utf8');
  replaceSecrets(folder, kept)();
  expect(readFileSync(secretsFile(folder), 'utf8')).toBe(current);
  replaceSecrets(folder, kept);
  expect(readFileSync(secretsFile(folder), 'utf8')).toBe(kept);
  expect(statSync(secretsFile(folder)).mode & 0o777).toBe(0o600);
  expect(() => replaceSecrets(folder, '{}')).toThrow(expect.objectContaining({ code: 'SECRETS_INVALID' }));
});

test('OP-11 attack: a draft that a crash left is in nobody’s way, not even for a process with the same number', () => {
  writeFileSync(`${secretsFile(folder)}.${process.pid}`, '{');
  loadSecrets(folder);
  prepareSecrets(folder);
  expect(loadSecrets(folder).acceptedTokenSecrets).toHaveLength(1);
});
