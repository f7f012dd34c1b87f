import { describe, expect, it } from 'vitest';
import { baseManifest, checkVector, generate, VECTORS, vectorsOf } from '../../tests/manifest-vectors.ts';
import { canonicalise } from '../json/canonicalise.ts';
import { validateManifest } from './validate.ts';

const codesOf = (value: unknown) => validateManifest(value).findings.map(({ code, path }) => `${code} ${path}`);

describe('CM-1 fields of a manifest', () => {
  it.each(vectorsOf('CM-1'))('$about', checkVector);

  it('gives back the very value it was given, without defaults', () => {
    const value = baseManifest();
    const before = canonicalise(value);
    const { manifest } = validateManifest(value);
    expect(manifest).toBe(value);
    expect(canonicalise(value)).toBe(before);
    expect(value.capability_flags).toBeUndefined();
  });

  it('gives back no manifest where there is an error', () => {
    expect(validateManifest({})).not.toHaveProperty('manifest');
  });

  it.each(['text', 5, true, undefined])('refuses %j as manifest', (value) => {
    expect(validateManifest(value).valid).toBe(false);
  });

  it('does not take fields from the prototype', () => {
    const inherited = Object.create({ ...baseManifest() });
    expect(validateManifest(inherited).valid).toBe(false);
  });
});

describe('CM-2 schema_version', () => {
  it.each(vectorsOf('CM-2'))('$about', checkVector);

  it('reports a missing version beside everything else', () => {
    const { schema_version: _, ...manifest } = baseManifest();
    expect(codesOf({ ...manifest, agent_version: 'x' })).toEqual([
      'FIELD_MISSING /schema_version',
      'AGENT_VERSION_INVALID /agent_version',
    ]);
  });
});

describe('CM-3 agent_version', () => {
  it.each(vectorsOf('CM-3'))('$about', checkVector);
});

describe('CM-4 tool names', () => {
  it.each(vectorsOf('CM-4'))('$about', checkVector);

  it('names the first tool of that name', () => {
    const manifest = baseManifest();
    const [tool] = manifest.tools;
    const { findings } = validateManifest({ ...manifest, tools: [tool, tool, tool] });
    expect(findings.map(({ path, params }) => [path, params])).toEqual([
      ['/tools/1/name', { name: 'read_file', first: '/tools/0' }],
      ['/tools/2/name', { name: 'read_file', first: '/tools/0' }],
    ]);
  });
});

describe('CM-5 description key, time-out, required', () => {
  it.each(vectorsOf('CM-5'))('$about', checkVector);
});

describe('CM-6 input schemas', () => {
  it.each(vectorsOf('CM-6'))('$about', checkVector);

  it('asserts a standard format and refuses none', () => {
    const manifest = baseManifest();
    manifest.tools[0]!.input_schema = {
      type: 'object',
      properties: { url: { type: 'string', format: 'uri' } },
      additionalProperties: false,
    };
    expect(codesOf(manifest)).toEqual([]);
  });
});

describe('CM-7 input schemas are untrusted', () => {
  it.each(vectorsOf('CM-7'))('$about', checkVector);

  it('holds depth against a value that was never text', () => {
    expect(codesOf(generate(baseManifest(), { kind: 'nest', depth: 128 }))).toEqual([]);
    expect(codesOf(generate(baseManifest(), { kind: 'nest', depth: 129 }))).toEqual([
      `MANIFEST_TOO_DEEP /x-nest${'/0'.repeat(127)}`,
    ]);
  });

  it('reports other faults beside the depth, and the depth once', () => {
    const deep = generate(baseManifest(), { kind: 'nest', depth: 200 });
    const value = { ...(deep as object), 'x-again': (deep as Record<string, unknown>)['x-nest'], agent_version: '1' };
    expect(codesOf(value)).toEqual([
      `MANIFEST_TOO_DEEP /x-nest${'/0'.repeat(127)}`,
      'AGENT_VERSION_INVALID /agent_version',
    ]);
  });
});

describe('CM-8 scope of a tool', () => {
  it.each(vectorsOf('CM-8'))('$about', checkVector);
});

describe('CM-9 permission scopes', () => {
  it.each(vectorsOf('CM-9'))('$about', checkVector);
});

describe('CM-10 reserved scopes', () => {
  it.each(vectorsOf('CM-10'))('$about', checkVector);

  it('names the prefix that is reserved', () => {
    const manifest = baseManifest();
    Object.assign(manifest.permission_scopes[0]!, { id: 'HASHEE:x', label_fallback: 'x' });
    const reserved = validateManifest(manifest).findings.find(({ code }) => code === 'SCOPE_RESERVED');
    expect(reserved?.params).toEqual({ id: 'HASHEE:x', prefix: 'hashee:' });
  });

  it('CM-10 lets the platform’s own agent declare them, and forgives it nothing else', () => {
    const manifest = baseManifest();
    const { id } = manifest.permission_scopes[0]!;
    Object.assign(manifest.permission_scopes[0]!, { id: 'hashee:agents.read', label_fallback: 'x' });
    for (const tool of manifest.tools) if (tool.permission_scope === id) tool.permission_scope = 'hashee:agents.read';
    expect(validateManifest(manifest, { platform: true }).findings).toEqual([]);
    expect(validateManifest(manifest, { platform: false }).valid).toBe(false);
    Object.assign(manifest.permission_scopes[0]!, { id: 'system:a b' });
    const { findings } = validateManifest(manifest, { platform: true });
    expect(findings.map(({ code }) => code)).toContain('SCOPE_ID_INVALID');
  });
});

describe('CM-11 preset scopes', () => {
  it.each(vectorsOf('CM-11'))('$about', checkVector);
});

describe('CM-12 fallback texts', () => {
  it.each(vectorsOf('CM-12'))('$about', checkVector);
});

describe('CM-13 size', () => {
  it.each(vectorsOf('CM-13'))('$about', checkVector);

  it('reports other faults of a manifest that is too large', () => {
    const value = { ...(generate(baseManifest(), { kind: 'pad', bytes: 131_073 }) as object), agent_version: '1' };
    expect(codesOf({ ...value, 'x-more': '12345' })).toEqual([
      'MANIFEST_TOO_LARGE ',
      'AGENT_VERSION_INVALID /agent_version',
    ]);
  });

  it('checks nothing else of a manifest over ten times the limit', () => {
    const value = { ...(generate(baseManifest(), { kind: 'pad', bytes: 1_310_720 }) as object), agent_version: '1' };
    expect(codesOf(value)).toEqual(['MANIFEST_TOO_LARGE ', 'AGENT_VERSION_INVALID /agent_version']);
    expect(codesOf({ ...value, 'x-more': '' })).toEqual(['MANIFEST_TOO_LARGE ']);
  });

  it('tells the size', () => {
    const { findings } = validateManifest(generate(baseManifest(), { kind: 'pad', bytes: 70_000 }));
    expect(findings.map(({ params }) => params)).toEqual([{ bytes: 70_000, limit: 131_072 }]);
  });
});

describe('CM-14 unknown fields and raw text', () => {
  it.each(vectorsOf('CM-14'))('$about', checkVector);

  it('refuses a lone surrogate in a value that was never text', () => {
    expect(codesOf({ ...baseManifest(), 'x-a': 'a\ud800' })).toEqual(['JSON_LONE_SURROGATE /x-a']);
    expect(codesOf({ ...baseManifest(), 'x-a': { '\udc00': 1 } })).toEqual(['JSON_LONE_SURROGATE /x-a']);
  });
});

describe('CM-15 findings', () => {
  it.each(vectorsOf('CM-15'))('$about', checkVector);

  it('have a code, a severity, a path, parameters and a sentence, in this order', () => {
    const { findings } = validateManifest({ ...baseManifest(), extra: 1 });
    expect(JSON.stringify(findings)).toBe(
      JSON.stringify([
        {
          code: 'FIELD_UNKNOWN',
          severity: 'warning',
          path: '/extra',
          params: { field: 'extra' },
          message:
            'The field "extra" isn’t known and is ignored. For fields of your own, use names that start with "x-".',
        },
      ]),
    );
  });

  it('have a JSON Pointer as path, with what it escapes', () => {
    expect(codesOf({ ...baseManifest(), 'a/b~c': 1 })).toEqual(['FIELD_UNKNOWN /a~1b~0c']);
  });

  it('have parameters that are fit to be shown', () => {
    const { findings } = validateManifest({ ...baseManifest(), ['\u202ename\n'.repeat(1_000)]: 1 });
    expect(findings[0]!.params.field).not.toMatch(/[\u202e\n]/);
    expect(String(findings[0]!.params.field).length).toBeLessThan(300);
  });

  it('speak Chinese when asked to', () => {
    const { findings } = validateManifest({ ...baseManifest(), agent_version: '1' }, { locale: 'zh-CN' });
    expect(findings.map(({ message }) => message)).toEqual(['此处不是 SemVer 2.0.0 版本号，例如“1.0.0”。']);
  });

  it('come in the same order every time', () => {
    const value = { ...baseManifest(), a: 1, b: 2, agent_version: '1', tools: [1, 2] };
    expect(validateManifest(value)).toEqual(validateManifest(structuredClone(value)));
  });

  it('are valid together as long as none is an error', () => {
    const { valid, findings } = validateManifest({ ...baseManifest(), extra: 1 });
    expect([valid, findings.length]).toEqual([true, 1]);
  });
});

describe('CM-15 vectors', () => {
  it('belong to the rules CM-1 to CM-16, all of which have some', () => {
    const rules = Array.from({ length: 16 }, (_, index) => `CM-${index + 1}`);
    expect(new Set(VECTORS.map(({ rule }) => rule))).toEqual(new Set(rules));
  });
});
