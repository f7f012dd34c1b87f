import { isObject, type Json } from '../json/value.ts';

/** How a keyword's value holds subschemas (JSON Schema 2020-12, sections 8, 10 and 11). */
export type Holds = 'schema' | 'schemas' | 'map';

export const APPLICATORS: Readonly<Record<string, Holds>> = {
  $defs: 'map',
  definitions: 'map',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  dependentSchemas: 'map',
  prefixItems: 'schemas',
  items: 'schema',
  contains: 'schema',
  properties: 'map',
  patternProperties: 'map',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
  contentSchema: 'schema',
};

/** Applicators of the same instance; a `$ref` loop through these alone never ends (CM-7). */
export const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

const TYPE_NAMES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

const isString = (value: Json) => typeof value === 'string';
const isBoolean = (value: Json) => typeof value === 'boolean';
const isNumber = (value: Json) => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: Json) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isStrings = (value: Json) =>
  Array.isArray(value) && value.every(isString) && new Set(value).size === value.length;
const isTypeName = (value: Json) => (TYPE_NAMES as readonly Json[]).includes(value);

type Test = (value: Json) => boolean;

/** What the 2020-12 meta-schema requires of each other keyword's value, with a word for it. */
export const VALUES: Readonly<Record<string, readonly [expected: string, test: Test]>> = {
  type: ['type', (v) => isTypeName(v) || (Array.isArray(v) && v.length > 0 && isStrings(v) && v.every(isTypeName))],
  enum: ['array', Array.isArray],
  multipleOf: ['positive_number', (v) => isNumber(v) && (v as number) > 0],
  minimum: ['number', isNumber],
  maximum: ['number', isNumber],
  exclusiveMinimum: ['number', isNumber],
  exclusiveMaximum: ['number', isNumber],
  minLength: ['count', isCount],
  maxLength: ['count', isCount],
  minItems: ['count', isCount],
  maxItems: ['count', isCount],
  minContains: ['count', isCount],
  maxContains: ['count', isCount],
  minProperties: ['count', isCount],
  maxProperties: ['count', isCount],
  uniqueItems: ['boolean', isBoolean],
  required: ['unique_strings', isStrings],
  dependentRequired: ['map_of_unique_strings', (v) => isObject(v) && Object.values(v).every(isStrings)],
  pattern: ['string', isString],
  format: ['string', isString],
  $ref: ['string', isString],
  $anchor: ['anchor', (v) => isString(v) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(v as string)],
  $dynamicAnchor: ['anchor', (v) => isString(v) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(v as string)],
  $schema: ['string', isString],
  $comment: ['string', isString],
  title: ['string', isString],
  description: ['string', isString],
  deprecated: ['boolean', isBoolean],
  readOnly: ['boolean', isBoolean],
  writeOnly: ['boolean', isBoolean],
  examples: ['array', Array.isArray],
  contentEncoding: ['string', isString],
  contentMediaType: ['string', isString],
};

/** Keywords that would let a schema reach outside itself or change what its references mean (CM-7). */
export const REFUSED: ReadonlySet<string> = new Set(['$id', '$dynamicRef', '$vocabulary', '$recursiveRef']);

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const DESCRIBING: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  'title',
  'description',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

/** Keywords that decide about values or lead to schemas that do; all others only describe. */
export const MEANINGFUL: ReadonlySet<string> = new Set(
  [...Object.keys(APPLICATORS), ...Object.keys(VALUES), 'const'].filter((name) => !DESCRIBING.has(name)),
);
