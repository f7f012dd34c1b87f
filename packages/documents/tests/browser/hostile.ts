import type { Json } from '../../src/json/value.ts';

/** Definitions that each ask the next one twice. */
function doubling(levels: number, last: Json): { readonly $ref: string; readonly $defs: Record<string, Json> } {
  const $defs: Record<string, Json> = { [`d${levels}`]: last };
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { allOf: [next, { ...next, minLength: level }] };
  }
  return { $ref: '#/$defs/d0', $defs };
}

const markup = '<img src=x onerror=alert(1)>\u202Egnp.exe\u200B\u0007';

function manifestWith(schema: Json, change: Record<string, Json> = {}): Json {
  return {
    schema_version: '1.0',
    agent_version: '1.0.0',
    tools: [
      {
        name: 'constructor',
        description_i18n_key: markup,
        description_fallback: { en: markup, 'zh-CN': `工具 ${markup}` },
        input_schema: schema,
        permission_scope: 'toString',
        ...change,
      },
    ],
    permission_scopes: [{ id: 'toString', label_i18n_key: markup, label_fallback: markup, sensitivity: 'low' }],
  };
}

/** Valid, but made to hang a matcher, to double an evaluator's work and to deceive whoever reads it. */
const valid = manifestWith({
  type: 'object',
  additionalProperties: false,
  properties: { slow: { type: 'string', pattern: '^(a+)+$' }, doubled: { $ref: '#/$defs/d0' } },
  patternProperties: { '^(x|xx)*y$': { not: { pattern: '(.*)*=' } } },
  $defs: doubling(22, { type: 'string' }).$defs,
});

const invalid = manifestWith(
  {
    type: 'object',
    properties: {
      remote: { $ref: 'https://example.com/schema.json' },
      loop: { $ref: '#/properties/loop' },
      back: { pattern: '(a)\\1' },
      look: { pattern: '(?=a)' },
    },
    $dynamicRef: '#node',
  },
  { timeout_ms: 1e9, permission_scope: 'hasOwnProperty' },
);

export const HOSTILE_MANIFESTS = {
  'hostile, valid': JSON.stringify(valid),
  'hostile, invalid': JSON.stringify(invalid).replace('{', '{"__proto__":{"tools":[]},'),
  'hostile, no JSON': '{"tools":[],"tools":[{"name":"\\ud800"}]}',
  'hostile, deep': `{"x-nest":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
};

export const REDOS = { schema: { type: 'string', pattern: '^(a+)+$' }, values: [`${'a'.repeat(50_000)}!`, 'aaaa', 1] };

export const HOSTILE_CHECKS: readonly { readonly schema: Json; readonly values: readonly Json[] }[] = [
  { schema: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' }, values: ['a'.repeat(20_000), 'ab Cd'] },
  { schema: { pattern: '^\\p{L}+$', maxLength: 2 }, values: ['é好', '😀', 'ab1', 'abc'] },
  { schema: doubling(40, { type: 'number' }), values: [1, 'one'] },
  { schema: { properties: { next: { $ref: '#' } }, unevaluatedProperties: false }, values: [{ next: { other: 1 } }] },
  { schema: { properties: { __proto__: false, constructor: false } }, values: [JSON.parse('{"__proto__":1}'), {}] },
  { schema: { uniqueItems: true, items: { format: 'date-time' } }, values: [['2024-02-30T00:00:00Z', 'x', 'x'], []] },
  { schema: { pattern: '(a)\\1' }, values: ['aa'] },
];
