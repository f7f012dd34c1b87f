import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { baseManifest, bytesOf, VECTORS } from '../../tests/manifest-vectors.ts';
import type { JsonObject } from '../json/value.ts';
import { MANIFEST_SCHEMA } from './manifest.ts';

const published = JSON.parse(
  readFileSync(new URL('../../../../schemas/capability-manifest.schema.json', import.meta.url), 'utf8'),
);
const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(published);

/** What JSON Schema can see of a manifest by itself. */
const STRUCTURAL = new Set([
  'FIELD_MISSING',
  'FIELD_TYPE',
  'FIELD_EMPTY',
  'MANIFEST_SCHEMA_VERSION_UNSUPPORTED',
  'AGENT_VERSION_INVALID',
  'TOOL_NAME_INVALID',
  'TIMEOUT_OUT_OF_RANGE',
  'SENSITIVITY_INVALID',
  'SCHEMA_ROOT_NOT_OBJECT',
]);

const files = VECTORS.filter(({ file }) => file !== undefined);

describe('HS-5 the published JSON Schema', () => {
  it('is what the types and the validator are derived from', () => {
    expect(published).toEqual(MANIFEST_SCHEMA);
  });
});

describe('CM-1 the published JSON Schema', () => {
  it('says in words what every field is for', () => {
    const silent: string[] = [];
    const visit = (schema: JsonObject, path: string): void => {
      for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)) {
        if (field.description === undefined) silent.push(`${path}/${name}`);
        if (name !== 'input_schema') visit((field.items as JsonObject | undefined) ?? field, `${path}/${name}`);
      }
    };
    visit(published, '');
    expect(silent).toEqual([]);
  });

  it('accepts a manifest that names it', () => {
    expect(accepts({ $schema: './capability-manifest.schema.json', ...baseManifest() })).toBe(true);
  });

  it.each(files.filter(({ valid }) => valid))('accepts what is valid: $rule $about', (vector) => {
    expect(accepts(JSON.parse(bytesOf(vector).toString()))).toBe(true);
  });

  it.each(files.filter(({ codes }) => codes.some(({ code }) => STRUCTURAL.has(code))))(
    'refuses what it can see is invalid: $rule $about',
    (vector) => {
      expect(accepts(JSON.parse(bytesOf(vector).toString()))).toBe(false);
    },
  );
});
