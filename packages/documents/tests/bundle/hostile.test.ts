import { LOCALES } from '@parley/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUNDLE_CODES } from '../../src/bundle/codes.ts';
import {
  BUNDLE_SCHEMA,
  computeRoutes,
  diffBundles,
  parseBundle,
  previewBundle,
  projectToManifest,
  readBundle,
  rejectBundle,
  renderMarkdown,
  validateBundle,
} from '../../src/bundle/index.ts';
import { CODES, type CodeTable } from '../../src/codes.ts';
import { compileCheck, type Json, readSchema } from '../../src/index.ts';
import { minimalBundle } from './minimal.ts';

const PLAN = { files: [], planDigest: 'sha256:0' };

/** JSON that looks like a bundle here and there, so that more than the first check is reached. */
const name = fc.constantFrom('a', 'b', 'c', 'A', '', '__proto__', 'constructor', '\u202e');
const edge = fc.record(
  {
    source: name,
    target: name,
    type: fc.oneof(fc.constantFrom('sequential', 'fallback', 'conditional', 'kit-attach'), fc.jsonValue()),
    condition: fc.constantFrom('output.a', 'true', '1 +', ''),
    priority: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const part = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.record(
    {
      id: name,
      label: name,
      kits: fc.array(name),
      dependsOn: fc.array(name),
      capabilities: fc.array(name),
      riskLevel: fc.constantFrom('low', 'critical', 'x'),
      permissions: fc.array(fc.record({ type: name, target: name, mode: name }, { requiredKeys: [] })),
      members: fc.array(fc.record({ id: name, isEntry: fc.boolean() }, { requiredKeys: [] })),
      handoffGraph: fc.array(fc.oneof(edge, fc.jsonValue())),
      topology: fc.constantFrom('single', 'pipeline', 'hierarchical', 'parallel', 'mesh', 'x'),
      terminationRules: fc.array(name),
      entryRoleId: name,
      isEntry: fc.boolean(),
      mirror: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);
const bundleLike = fc
  .record({ roles: fc.array(part), kits: fc.array(part), teams: fc.array(part) }, { requiredKeys: [] })
  .map((parts) => ({ ...minimalBundle(), ...parts }));

describe('BV-1 a bundle of any kind', () => {
  it('never makes the validator throw, and its reply always adds up', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), bundleLike), fc.constantFrom(...LOCALES), (value, locale) => {
        const { validation, bundle } = readBundle(value, { locale, runtimes: [], planPaths: ['a'] });
        const { valid, errors, warnings, results } = validation;
        expect(valid).toBe(errors.length === 0);
        expect(results.flatMap((result) => result.errors)).toEqual(errors);
        expect(results.flatMap((result) => result.warnings)).toEqual(warnings);
        for (const { message } of [...errors, ...warnings])
          expect(message).not.toMatch(/\{(id|field|value|allowed|limit|detail)\}/);
        expect(bundle !== undefined).toBe(valid);
        if (bundle === undefined) return;
        computeRoutes(bundle);
        expect(renderMarkdown(previewBundle(bundle, PLAN), locale)).not.toContain('undefined');
        expect(diffBundles(bundle, bundle).changes).toEqual([]);
        expect(projectToManifest(bundle).validation.valid).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is valid only if it fits the published schema', () => {
    const { root, problems } = readSchema(JSON.parse(JSON.stringify(withoutDialect(BUNDLE_SCHEMA))));
    expect(problems).toEqual([]);
    const check = compileCheck(root!);
    fc.assert(
      fc.property(bundleLike, (value) => {
        if (validateBundle(value).valid) expect(check(value as unknown as Json).valid).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(check(minimalBundle() as unknown as Json).valid).toBe(true);
    expect(check({ ...minimalBundle(), id: 'NO' } as unknown as Json).valid).toBe(false);
  });
});

/** Our reader takes RE2 patterns, and the one of SemVer looks ahead; nor does it take a `$id`. */
function withoutDialect({ $id: _, ...schema }: typeof BUNDLE_SCHEMA): object {
  const { pattern: _pattern, ...version } = schema.properties.version;
  return { ...schema, properties: { ...schema.properties, version } };
}

describe('BN-11 huge manifests', () => {
  it('of more than two megabytes are refused with a clear finding', () => {
    const text = JSON.stringify({ ...minimalBundle(), summary: 'a'.repeat(3_000_000) });
    const validation = validateBundle(JSON.parse(text));
    expect(validation.errors[0]).toMatchObject({
      level: 'L1',
      code: 'MANIFEST_TOO_LARGE',
      params: { limit: 2_097_152 },
    });
    const parsed = parseBundle('x'.repeat(5_000_000));
    expect(parsed).toMatchObject({ ok: false, findings: [{ code: 'MANIFEST_TOO_LARGE' }] });
  });

  it('of any form have short replies and end soon', () => {
    const many = 20_000;
    const team = { id: 't', label: 'T', terminationRules: ['x'] };
    const shapes: object[] = [
      { roles: Array.from({ length: many }, (_, n) => ({ id: `r${n}`, label: 'x' })) },
      {
        teams: Array.from({ length: many }, (_, n) => ({ ...team, id: `t${n}` })),
        roles: Array.from({ length: 5_000 }, (_, n) => ({ id: `r${n}`, label: 'x' })),
      },
      { teams: [{ ...team, members: Array.from({ length: many }, (_, n) => ({ id: `r${n}` })) }] },
      {
        teams: [
          {
            ...team,
            topology: 'mesh',
            handoffGraph: Array.from({ length: many }, (_, n) => ({ source: `r${n}`, target: 'only' })),
          },
        ],
      },
      {
        kits: Array.from({ length: 1_000 }, (_, n) => ({
          id: `k${n}`,
          label: 'x',
          capabilities: ['c'],
          dependsOn: [`k${n + 1}`],
        })),
      },
      Object.fromEntries(Array.from({ length: many }, (_, n) => [`field${n}`, n])),
      {
        assertions: Array.from({ length: 700 }, (_, n) => ({
          id: `a${n}`,
          expr: `${'('.repeat(900)}true${')'.repeat(900)}`,
        })),
      },
      { tags: Array.from({ length: 100_000 }, () => 1) },
    ];
    for (const shape of shapes) {
      const { errors, warnings } = validateBundle({ ...minimalBundle(), ...shape });
      expect(errors.length + warnings.length).toBeLessThan(6 * 1_002);
    }
  });

  it('with more expressions than can be read soon are refused', () => {
    const assertions = Array.from({ length: 70 }, (_, n) => ({
      id: `a${n}`,
      expr: Array(300).fill('true').join('&&'),
    }));
    const { errors } = validateBundle({ ...minimalBundle(), assertions });
    expect(errors).toHaveLength(59);
    expect(errors[0]).toMatchObject({
      code: 'EXPRESSION_INVALID',
      path: '/assertions/11/expr',
      params: { reason: 'too_many' },
    });
  });

  it('nested too deep are refused, as text and as a value', () => {
    const text = `{"x-a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    expect(parseBundle(text)).toMatchObject({ ok: false, findings: [{ code: 'MANIFEST_TOO_DEEP' }] });
    expect(validateBundle(JSON.parse(text)).errors.map(({ code }) => code)).toContain('MANIFEST_TOO_DEEP');
  });
});

describe('BV-1 text that is no bundle', () => {
  it.each([
    ['{', 'JSON_SYNTAX'],
    ['{"id":"a","id":"b"}', 'JSON_DUPLICATE_KEY'],
    ['\ufeff{}', 'JSON_BOM'],
  ])('%j gives a reply of 9.2', (text, code) => {
    const parsed = parseBundle(text);
    const reply = rejectBundle(parsed.ok ? [] : parsed.findings, 'zh-CN');
    expect(reply).toMatchObject({ valid: false, passedLevels: 0, totalLevels: 6 });
    expect(reply.errors[0]).toMatchObject({ level: 'L1', code });
    expect(reply.errors[0]!.message).toMatch(/\p{Script=Han}/u);
  });

  it('names like those of Object.prototype are data', () => {
    const value = JSON.parse(
      '{"__proto__":{"id":"x"},"constructor":1,"roles":[{"id":"constructor","label":"l","kits":["toString"]}]}',
    );
    const codes = validateBundle(value).errors.map(({ code, path }) => `${code} ${path}`);
    expect(codes).toContain('FIELD_MISSING /id');
    expect(codes).toContain('KIT_UNKNOWN /roles/0/kits/0');
  });
});

describe('BV-3 versions', () => {
  const migrations = new Map([['2', (bundle: object) => ({ ...bundle, name: 'Migrated' })]]);

  it('of another major are read where a migration is registered, and only there', () => {
    const future = { ...minimalBundle(), rktVersion: '2.3' };
    expect(validateBundle(future).errors.map(({ code }) => code)).toEqual(['RKT_MAJOR_UNSUPPORTED']);
    const { validation, bundle } = readBundle(future, { migrations });
    expect(validation.warnings.map(({ code, level }) => `${level} ${code}`)).toEqual(['L3 RKT_MIGRATED']);
    expect(bundle).toMatchObject({ rktVersion: '1.0', name: 'Migrated' });
    expect(future.rktVersion).toBe('2.3');
  });

  it('of this major are left alone by migrations', () => {
    const current = minimalBundle();
    expect(readBundle(current, { migrations }).bundle).toBe(current);
  });
});

describe('BV-1 the words of findings', () => {
  const own = Object.entries(BUNDLE_CODES as CodeTable).filter(([code]) => !Object.hasOwn(CODES, code));
  const places = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place))].sort();

  it.each(own)('%s has the same parameters in both languages, and Chinese', (_, texts) => {
    expect(places(texts['zh-CN'])).toEqual(places(texts.en));
    expect(texts['zh-CN']).toMatch(/\p{Script=Han}/u);
  });
});
