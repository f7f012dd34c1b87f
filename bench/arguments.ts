import { type Schema, Validator } from '@cfworker/json-schema';
import { type Check, compileCheck, type Json, readSchema } from '@parley/documents';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type BenchRow, compare, compareTimes, measure } from './measure.ts';

const AIM_CFWORKER = 10;
const AIM_AJV_COMPILE = 20;
const AIM_HOSTILE_MS = 50;

const SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, maxLength: 4096 },
    encoding: { type: 'string', enum: ['utf-8', 'base64'] },
    range: {
      type: 'object',
      properties: { from: { type: 'integer', minimum: 0 }, to: { type: 'integer', minimum: 0 } },
      required: ['from'],
      additionalProperties: false,
    },
    tags: { type: 'array', items: { type: 'string', maxLength: 32 }, maxItems: 16 },
    follow: { type: 'boolean' },
  },
  required: ['path'],
  additionalProperties: false,
};
const VALID = {
  path: '/notes/today.txt',
  encoding: 'utf-8',
  range: { from: 0, to: 100 },
  tags: ['daily', 'private'],
  follow: true,
};
const INVALID = { ...VALID, range: { to: -1 }, tag: 'daily' };

/** Compares validation of tool arguments with generated code and with another interpreter. */
export async function* run(): AsyncIterable<BenchRow> {
  const check = read(SCHEMA);
  const ajv = new Ajv2020({ allErrors: true, strict: false }).compile(SCHEMA);
  const cfworker = new Validator(SCHEMA as Schema, '2020-12', false);
  for (const [detail, value] of Object.entries({ valid: VALID, invalid: INVALID })) {
    const { ours, ...peers } = measure({
      ours: () => check(value),
      ajv: () => ajv(value),
      cfworker: () => cfworker.validate(value),
    });
    const aim = value === VALID ? { atLeast: AIM_CFWORKER } : {};
    yield compare('check arguments', `${detail}, ajv (generated code)`, { ours, peer: peers.ajv });
    yield compare('check arguments', `${detail}, @cfworker/json-schema`, { ours, peer: peers.cfworker, ...aim });
  }

  const { ours, ...peers } = measure({
    ours: () => read(SCHEMA)(VALID),
    ajv: () => new Ajv2020({ allErrors: true, strict: false }).compile(SCHEMA)(VALID),
    cfworker: () => new Validator(SCHEMA as Schema, '2020-12', false).validate(VALID),
  });
  const name = 'read schema, check once';
  yield compare(name, 'ajv (generated code)', { ours, peer: peers.ajv, atLeast: AIM_AJV_COMPILE });
  yield compare(name, '@cfworker/json-schema', { ours, peer: peers.cfworker });
  yield* compareHostile();
}

/** These attacks are small enough for ajv to finish: each further step doubles its time, but not ours. */
function* compareHostile(): Iterable<BenchRow> {
  const $defs: Record<string, Json> = { d18: { type: 'string' } };
  for (let level = 0; level < 18; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { allOf: [next, { ...next, minLength: level }] };
  }
  const items = Array.from({ length: 2000 }, (_, index) => ({ a: { b: [1, 2, 3, index] } }));
  const attacks: Record<string, [schema: Record<string, Json>, value: Json]> = {
    'allOf doubled 18 times': [{ $ref: '#/$defs/d0', $defs }, 'x'.repeat(20)],
    'nested repetition, 22 letters': [{ pattern: '^(a+)+$' }, `${'a'.repeat(22)}b`],
    'uniqueItems, 2,000 objects': [{ uniqueItems: true }, items],
  };
  for (const [detail, [schema, value]] of Object.entries(attacks)) {
    const check = read(schema);
    const ajv = new Ajv2020({ strict: false }).compile(schema);
    const times = measure({ ours: () => check(value), peer: () => ajv(value) });
    yield compareTimes('check hostile arguments', `${detail}, ajv`, { ...times, underMs: AIM_HOSTILE_MS });
  }
}

function read(schema: Json): Check {
  return compileCheck(readSchema(schema).root!);
}
