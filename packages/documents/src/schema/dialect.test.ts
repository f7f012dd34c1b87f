import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, it } from 'vitest';
import { hashManifest } from '../capability/hash.ts';
import type { Manifest } from '../capability/manifest.ts';
import { previewConsent } from '../capability/preview.ts';
import type { Json, JsonObject } from '../json/value.ts';
import { toInputs } from '../skill/from-schema.ts';
import { toInputSchema } from '../skill/input-schema.ts';
import { compileCheck } from './evaluate.ts';
import { createGraph } from './graph.ts';
import { readSchema } from './read.ts';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';

const POINT = {
  $schema: DRAFT_07,
  type: 'object',
  definitions: {
    pair: { type: 'array', items: [{ type: 'number' }, { $ref: '#/definitions/unit' }], additionalItems: false },
    unit: { enum: ['m', 'km'] },
    'odd/name~': { type: 'array', items: { $ref: '#/definitions/pair/items/0' }, additionalItems: { type: 'string' } },
  },
  properties: {
    from: { $ref: '#/definitions/pair', description: 'beside a reference, which changes nothing' },
    path: { $ref: '#/definitions/odd~1name~0' },
    via: { type: 'array', items: [{ type: 'number' }], additionalItems: { $ref: '#/definitions/pair' } },
    tree: { type: 'object', properties: { left: { $ref: '#/properties/tree' } }, additionalProperties: false },
  },
  dependencies: {
    path: ['from'],
    via: { properties: { from: false } },
    never: false,
  },
  additionalProperties: { type: 'boolean' },
} as const satisfies JsonObject;

const VALUES: readonly Json[] = [
  {},
  { from: [1, 'm'] },
  { from: [1, 'mile'] },
  { from: [1] },
  { from: [1, 'm', 2] },
  { from: ['m'] },
  { path: [1, 2], from: [] },
  { path: [1, 2] },
  { path: [1, 'x'], from: [] },
  { via: [1, [2, 'km']] },
  { via: [1, [2, 'mile']] },
  { via: ['x'] },
  { via: [], from: [] },
  { via: [] },
  { never: true },
  { tree: { left: { left: {} } } },
  { tree: { left: { right: {} } } },
  { other: 1 },
  { other: true },
];

function verdicts(schema: JsonObject, values: readonly Json[]): boolean[] {
  const { root, problems } = readSchema(schema);
  expect(problems).toEqual([]);
  const check = compileCheck(root!);
  return values.map((value) => check(value).valid);
}

describe('CM-6 older dialects', () => {
  it('CM-6 a draft-07 schema decides as a draft-07 validator does', () => {
    const peer = new Ajv({ strict: false }).compile(POINT);
    const expected = VALUES.map((value) => peer(value));
    expect(verdicts(POINT, VALUES)).toEqual(expected);
    expect(new Set(expected).size).toBe(2);
  });

  it('CM-6 a 2019-09 schema decides as a 2019-09 validator does', () => {
    const schema = {
      $schema: DRAFT_2019,
      type: 'object',
      $defs: { short: { $anchor: 'short', maxLength: 3 } },
      properties: {
        a: { $ref: '#short', type: 'string' },
        l: { items: [{ type: 'number' }, true], unevaluatedItems: { type: 'string' } },
        m: { items: [{ type: 'number' }], additionalItems: { type: 'boolean' }, unevaluatedItems: false },
      },
      dependencies: { a: ['l'] },
      unevaluatedProperties: false,
    };
    const values = [
      { a: 'abc', l: [] },
      { a: 'abcd', l: [] },
      { a: 1, l: [] },
      { a: 'abc' },
      { l: [1, null, 'x'] },
      { l: [1, null, 2] },
      { m: [1, true] },
      { m: [1, 2] },
      { z: 1 },
    ];
    const peer = new Ajv2019({ strict: false }).compile(schema);
    expect(verdicts(schema, values)).toEqual(values.map((value) => peer(value)));
  });

  it('CM-6 means the same as what it is in 2020-12, to the node', () => {
    const graph = createGraph();
    const modern = {
      type: 'array',
      prefixItems: [{ type: 'number' }],
      items: false,
      dependentRequired: { a: ['b'] },
      dependentSchemas: { c: { required: ['d'] } },
      $defs: {},
    };
    const old = {
      $schema: DRAFT_07,
      type: 'array',
      items: [{ type: 'number' }],
      additionalItems: false,
      dependencies: { a: ['b'], c: { required: ['d'] } },
    };
    expect(readSchema(old, graph).root).toBe(readSchema(modern, graph).root);
  });

  it('CM-6 finds what is wrong where it is written', () => {
    const { problems } = readSchema({
      $schema: DRAFT_07,
      items: [{ type: 'text' }],
      additionalItems: { minLength: -1 },
      dependencies: { a: { pattern: '(?=x)' } },
    });
    expect(problems.map(({ path }) => path)).toEqual([
      '/items/0/type',
      '/additionalItems/minLength',
      '/dependencies/a/pattern',
    ]);
  });

  it('CM-6 CM-7 a schema too deep to be looked into is refused whatever its dialect', () => {
    let schema: Json = {};
    for (let level = 0; level < 100_000; level++) schema = { not: schema };
    const { problems } = readSchema({ $schema: DRAFT_07, not: schema });
    expect(problems).toMatchObject([{ code: 'SCHEMA_UNSAFE', params: { reason: 'too_deep' } }]);
  });

  it('CM-6 CM-16 the hash is of the document as it was written, the preview of what it means', () => {
    const manifest = (input_schema: JsonObject): Manifest => ({
      schema_version: '1.0',
      agent_version: '1.0.0',
      tools: [{ name: 'go_to', description_i18n_key: 't', input_schema, permission_scope: 'map:read' }],
      permission_scopes: [{ id: 'map:read', label_i18n_key: 's', sensitivity: 'low' }],
    });
    const { schema } = readSchema(POINT);
    const parameters = (written: JsonObject) =>
      previewConsent(manifest(written), 'en').groups[0]!.scopes[0]!.tools[0]!.parameters;
    expect(parameters(POINT)).toEqual(parameters(schema as JsonObject));
    expect(hashManifest(manifest(POINT))).not.toBe(hashManifest(manifest(schema as JsonObject)));
  });

  it('CM-6 SD-3 a tool in draft-07 becomes inputs that decide the same', () => {
    const { dependencies: _, ...single } = POINT;
    const converted = toInputs({ ...single, additionalProperties: false });
    if (!converted.ok) throw new Error('refused');
    const values = VALUES.filter((value) => !Object.hasOwn(value as object, 'other'));
    expect(verdicts(toInputSchema(converted.inputs), values)).toEqual(
      verdicts({ ...single, additionalProperties: false }, values),
    );
    expect(JSON.stringify(converted.inputs)).not.toContain('"items":[');
  });

  it('CM-6 SD-3 an input whose own schema is in draft-07 keeps its meaning inside another', () => {
    const schema = { $schema: DRAFT_07, items: [{ type: 'number' }], additionalItems: { $ref: '#/items/0' } };
    const whole = toInputSchema([{ name: 'l', type: 'array', description: '', required: true, schema }]);
    expect(verdicts(whole, [{ l: [1, 2] }, { l: [1, 'x'] }])).toEqual([true, false]);
  });
});
