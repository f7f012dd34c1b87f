import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../../../schemas/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.schema.json'));
const read = (file: string) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { $id: string };

describe('HS-5 the published JSON Schemas', () => {
  it.each(FILES)('HS-5 %s compiles in strict mode', (file) => {
    const ajv = new Ajv2020({ strict: true });
    addFormats.default(ajv);
    const schema = read(file);
    expect(ajv.compile(schema)({})).toBe(false);
    expect(ajv.getSchema(schema.$id)).toBeDefined();
  });

  it('HS-5 each have a name of their own, which binds them to no host', () => {
    const names = FILES.map((file) => read(file).$id);
    expect(names).toEqual(FILES.map((file) => `urn:parley:schema:${file.slice(0, -'.schema.json'.length)}:1.0`));
    const listed = readFileSync(new URL('README.md', FOLDER), 'utf8');
    for (const name of names) expect(listed).toContain(`\`${name}\``);
  });
});
