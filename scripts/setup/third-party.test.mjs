import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLicence } from './third-party.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-licence-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const write = (name, text) => writeFileSync(join(folder, name), text);
const describePackage = (fields) => write('package.json', JSON.stringify({ name: 'one', version: '1.0.0', ...fields }));

describe('PK-1 PK-4 the licence of code that is bundled', () => {
  it('PK-1 is the text that the package brings, with its notice', () => {
    describePackage({ license: 'Apache-2.0' });
    write('LICENSE.md', 'All of it.\n');
    write('NOTICE', 'Made by someone.\n');
    write('licences.js', 'no licence');
    expect(readLicence(folder)).toEqual({
      name: 'one',
      version: '1.0.0',
      license: 'Apache-2.0',
      text: 'All of it.\n\nMade by someone.',
    });
  });

  it('PK-1 is named with its author where the package brings no text', () => {
    describePackage({ license: 'MIT', author: { name: 'Someone' } });
    expect(readLicence(folder).text).toBe('The package names its licence and brings no text of it. Author: Someone');
  });

  it('PK-1 must have a name, or nothing is built', () => {
    describePackage({});
    write('LICENSE', 'Whatever.');
    expect(() => readLicence(folder)).toThrow('one 1.0.0 is bundled and does not name its licence');
  });
});
