import { describe, expect, it } from 'vitest';
import { baseManifest } from '../../tests/manifest-vectors.ts';
import { parseManifest } from './parse.ts';
import { validateManifest } from './validate.ts';

const codesOf = (value: unknown) => validateManifest(value).findings.map(({ code, path }) => `${code} ${path}`);

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = null;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

describe('CM-7 depth bombs', () => {
  it.each(['[', '{"a":'])('a text of 100,000 times %s is refused', (opening) => {
    const result = parseManifest(opening.repeat(100_000));
    expect(result.ok ? [] : result.findings.map(({ code }) => code)).toEqual(['MANIFEST_TOO_DEEP']);
  });

  it('a value 100,000 levels deep is refused, wherever it hides', () => {
    const array = nested(100_000, (inner) => [inner]);
    const object = nested(100_000, (inner) => ({ properties: inner }));
    expect(validateManifest(array).valid).toBe(false);
    for (const field of ['schema_version', 'tools', 'capability_flags', 'unknown', 'x-a']) {
      expect(codesOf({ ...baseManifest(), [field]: array })[0]).toMatch(/^MANIFEST_TOO_DEEP \//);
    }
    const [tool] = baseManifest().tools;
    expect(codesOf({ ...baseManifest(), tools: [{ ...tool, input_schema: object }] })[0]).toMatch(/^MANIFEST_TOO_DEEP/);
  });

  it('a value that holds itself twice ends', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle, cycle);
    expect(codesOf({ ...baseManifest(), 'x-cycle': cycle })).toContain('MANIFEST_TOO_LARGE ');
  });
});

describe('CM-13 key bombs and giant strings', () => {
  it('100,000 unknown keys end in a bounded report', () => {
    const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]));
    const { findings } = validateManifest({ ...baseManifest(), ...fields });
    expect(findings).toHaveLength(502);
    expect(findings[0]).toMatchObject({ code: 'MANIFEST_TOO_LARGE' });
    expect(findings.at(-1)).toMatchObject({ code: 'TOO_MANY_FINDINGS', params: { limit: 500 } });
  });

  it('a string of 10 MB is too large as a value and as text', () => {
    const value = { ...baseManifest(), 'x-a': 'a'.repeat(10_000_000) };
    expect(codesOf(value)).toEqual(['MANIFEST_TOO_LARGE ']);
    const result = parseManifest(JSON.stringify(value));
    expect(result.ok ? [] : result.findings.map(({ code }) => code)).toEqual(['MANIFEST_TOO_LARGE']);
  });

  it('a giant key, name, id or version is not echoed', () => {
    const giant = 'g'.repeat(50_000);
    const manifest = baseManifest();
    manifest.tools[0]!.name = giant;
    manifest.permission_scopes[0]!.id = `${giant} `;
    const { findings } = validateManifest({ ...manifest, agent_version: giant });
    expect(findings.map(({ code }) => code)).toEqual([
      'MANIFEST_TOO_LARGE',
      'AGENT_VERSION_INVALID',
      'TOOL_NAME_INVALID',
      'SCOPE_UNDECLARED',
      'SCOPE_ID_INVALID',
      'SCOPE_TEXT_MISSING',
    ]);
    for (const { message, params } of findings) {
      expect(message.length).toBeLessThan(1000);
      expect(JSON.stringify(params).length).toBeLessThan(1000);
    }
  });

  it('a long key above many faults cannot make the report large', () => {
    const properties = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`p${index}`, 0]));
    const manifest = baseManifest();
    manifest.tools[0]!.input_schema = {
      type: 'object',
      additionalProperties: false,
      properties: { ['k'.repeat(60_000)]: { properties } },
    };
    const { valid, findings } = validateManifest(manifest);
    expect(valid).toBe(false);
    expect(JSON.stringify(findings).length).toBeLessThan(1_200_000);
    expect(findings.at(-1)?.code).toBe('TOO_MANY_FINDINGS');
  });
});

describe('CM-14 prototype pollution', () => {
  it('__proto__ is data at every level', () => {
    const text = JSON.stringify(baseManifest())
      .replace('{', '{"__proto__":{"polluted":1},')
      .replace('{"name"', '{"__proto__":{"required":true},"name"')
      .replace('{"type":"object"', '{"__proto__":{"type":"object"},"type":"object"');
    const result = parseManifest(text);
    expect(result.ok && codesOf(result.value)).toEqual([
      'FIELD_UNKNOWN /__proto__',
      'FIELD_UNKNOWN /tools/0/__proto__',
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('names of Object.prototype are no known fields, flags or presets', () => {
    const manifest = baseManifest();
    Object.assign(manifest, { toString: 1, capability_flags: { hasOwnProperty: true } });
    Object.assign(manifest.permission_scopes[0]!, { id: 'constructor' });
    manifest.tools[0]!.permission_scope = 'constructor';
    expect(codesOf(manifest)).toEqual([
      'FIELD_UNKNOWN /toString',
      'SCOPE_ID_UNCONVENTIONAL /permission_scopes/0/id',
      'SCOPE_TEXT_MISSING /permission_scopes/0',
      'FLAG_UNKNOWN /capability_flags/hasOwnProperty',
    ]);
  });
});

describe('CM-15 values that are not JSON', () => {
  it.each([
    ['undefined', undefined],
    ['bigint', 1n],
    ['number', Number.NaN],
    ['number', Number.POSITIVE_INFINITY],
    ['function', () => 1],
    ['symbol', Symbol('s')],
    ['object', new Date(0)],
    ['object', new Map()],
    ['object', new (class Tool {})()],
  ])('a %s is a finding where it stands', (actual, value) => {
    const { valid, findings } = validateManifest({ ...baseManifest(), 'x-a': [1, { b: value }] });
    expect(valid).toBe(false);
    expect(findings.map(({ code, path, params }) => ({ code, path, params }))).toEqual([
      { code: 'VALUE_NOT_JSON', path: '/x-a/1/b', params: { actual } },
    ]);
  });

  it('a value that is not JSON inside a schema does not stop the other checks', () => {
    const manifest = baseManifest();
    Object.assign(manifest.tools[0]!, { input_schema: { type: 'object', enum: [1n] }, name: 'A' });
    expect(codesOf(manifest)).toEqual([
      'VALUE_NOT_JSON /tools/0/input_schema/enum/0',
      'TOOL_NAME_INVALID /tools/0/name',
    ]);
  });

  it('wrong types in every place are findings, never exceptions', () => {
    const wrong = [null, true, 0, '', [], {}, [null], { a: null }, undefined, 1n];
    const paths: ((value: unknown) => unknown)[] = [
      (value) => value,
      ...Object.keys(baseManifest()).map((field) => (value: unknown) => ({ ...baseManifest(), [field]: value })),
      (value) => ({ ...baseManifest(), capability_flags: { supports_voice: value } }),
      (value) => ({ ...baseManifest(), tools: [value] }),
      (value) => ({ ...baseManifest(), permission_scopes: [value] }),
      ...['name', 'description_i18n_key', 'description_fallback', 'input_schema', 'permission_scope', 'timeout_ms'].map(
        (field) => (value: unknown) => ({ ...baseManifest(), tools: [{ ...baseManifest().tools[0], [field]: value }] }),
      ),
      ...['id', 'label_i18n_key', 'label_fallback', 'description_i18n_key', 'sensitivity'].map(
        (field) => (value: unknown) => ({
          ...baseManifest(),
          permission_scopes: [{ ...baseManifest().permission_scopes[0], [field]: value }],
        }),
      ),
    ];
    for (const place of paths) {
      for (const value of wrong) {
        const { valid, findings } = validateManifest(place(value));
        expect(valid).toBe(!findings.some(({ severity }) => severity === 'error'));
      }
    }
  });
});

describe('CM-15 floods of findings', () => {
  it('warnings cannot crowd out an error', () => {
    const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, 1]));
    const { valid, findings } = validateManifest({ ...fields, ...baseManifest(), agent_version: '1' });
    expect(valid).toBe(false);
    expect(findings.filter(({ code }) => code === 'AGENT_VERSION_INVALID')).toHaveLength(1);
  });

  it('a flood of warnings alone is still valid', () => {
    const fields = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`k${index}`, 1]));
    const { valid, findings } = validateManifest({ ...baseManifest(), ...fields });
    expect([valid, findings.length]).toEqual([true, 501]);
    expect(findings.at(-1)?.code).toBe('TOO_MANY_FINDINGS');
  });

  it('500 warnings are all shown', () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1]));
    const { findings } = validateManifest({ ...baseManifest(), ...fields });
    expect(findings.map(({ code }) => code)).toEqual(Array(500).fill('FIELD_UNKNOWN'));
  });

  it('values that are not JSON by the million end early', () => {
    const { findings } = validateManifest({ ...baseManifest(), 'x-a': new Array(1_000_000) });
    expect(findings).toHaveLength(501);
  });
});
