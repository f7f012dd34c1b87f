import { readdirSync, readFileSync } from 'node:fs';
import { LOCALES } from '@parley/base';
import { describe, expect, it } from 'vitest';
import {
  type BundleFinding,
  type BundleOptions,
  computeRoutes,
  parseBundle,
  readBundle,
  validateBundle,
} from '../src/bundle/index.ts';
import { canonicalise, type Json } from '../src/index.ts';

const FOLDER = new URL('../../../vectors/bundles/', import.meta.url);
const EXAMPLES = new URL('../../../examples/bundles/', import.meta.url);

interface Expected {
  readonly level: string;
  readonly code: string;
  readonly path: string;
}

interface Case {
  readonly name: string;
  readonly document?: Json;
  readonly set?: Readonly<Record<string, Json>>;
  readonly remove?: readonly string[];
  readonly runtimes?: BundleOptions['runtimes'];
  readonly kitDigests?: Readonly<Record<string, string>>;
  readonly planPaths?: readonly string[];
  readonly errors: readonly Expected[];
  readonly warnings: readonly Expected[];
  readonly passedLevels?: number;
  readonly entryRole?: string;
}

const read = (url: URL) => JSON.parse(readFileSync(url, 'utf8'));
const BASE = readFileSync(new URL('base.json', FOLDER), 'utf8');
const FILES = readdirSync(FOLDER).filter((name) => /^b[nv]-\d+\.json$/.test(name));

type Container = Record<string, unknown>;

function open(document: unknown, pointer: string): [Container, string] {
  const steps = pointer.slice(1).split('/');
  const last = steps.pop()!;
  return [steps.reduce((value, step) => value[step] as Container, document as Container), last];
}

function build({ document, set = {}, remove = [] }: Case): unknown {
  if (document !== undefined) return document;
  const built: unknown = JSON.parse(BASE);
  for (const [pointer, value] of Object.entries(set)) {
    const [container, name] = open(built, pointer);
    container[name] = value;
  }
  for (const pointer of remove) {
    const [container, name] = open(built, pointer);
    delete container[name];
  }
  return built;
}

function optionsOf({ runtimes, kitDigests, planPaths }: Case): BundleOptions {
  return {
    ...(runtimes === undefined ? {} : { runtimes }),
    ...(kitDigests === undefined ? {} : { kitDigests: new Map(Object.entries(kitDigests)) }),
    ...(planPaths === undefined ? {} : { planPaths }),
  };
}

const brief = (findings: readonly (BundleFinding | Expected)[]) =>
  findings.map(({ level, code, path }) => `${level} ${code} ${path}`).sort();

describe('BN-1 BN-2 BN-3 BN-4 BN-5 BN-6 BN-7 BN-8 BN-9 BN-10 BV-1 BV-2 BV-3 BV-4 BV-5 BV-6 vectors', () => {
  it('BN-1 exist for every rule of the document and of the validator', () => {
    const wanted = [
      ...Array.from({ length: 10 }, (_, n) => `bn-${n + 1}`),
      ...Array.from({ length: 6 }, (_, n) => `bv-${n + 1}`),
    ];
    expect(FILES.toSorted()).toEqual(wanted.map((name) => `${name}.json`).toSorted());
  });

  for (const file of FILES) {
    const { rule, cases } = read(new URL(file, FOLDER)) as { rule: string; cases: Case[] };
    describe(`${rule}`, () => {
      it.each(cases)('$name', (vector) => {
        const { validation, bundle } = readBundle(build(vector), optionsOf(vector));
        expect(brief(validation.errors)).toEqual(brief(vector.errors));
        expect(brief(validation.warnings)).toEqual(brief(vector.warnings));
        expect(validation.valid).toBe(vector.errors.length === 0);
        const failed = new Set(vector.errors.map(({ level }) => level)).size;
        expect(validation.passedLevels).toBe(vector.passedLevels ?? 6 - failed);
        if (vector.entryRole !== undefined) expect(computeRoutes(bundle!).entryRole).toBe(vector.entryRole);
      });
    });
  }

  it('BV-1 give a reply of the form of 9.2, in both languages', () => {
    const [english, chinese] = LOCALES.map((locale) => validateBundle({}, { locale }));
    expect(Object.keys(english!)).toEqual(['valid', 'passedLevels', 'totalLevels', 'results', 'errors', 'warnings']);
    expect(english).toMatchObject({ valid: false, passedLevels: 5, totalLevels: 6 });
    expect(english!.results.map(({ level }) => level)).toEqual(['L1', 'L2', 'L3', 'L4', 'L5', 'L6']);
    expect(english!.results[0]).toMatchObject({ name: 'structure', passed: false, warnings: [] });
    expect(chinese!.results[0]!.name).toBe('包体结构');
    expect(english!.errors[0]).toEqual({
      code: 'FIELD_MISSING',
      severity: 'error',
      path: '/rktVersion',
      params: { field: 'rktVersion' },
      message: 'The field "rktVersion" is missing.',
      level: 'L1',
    });
    expect(chinese!.errors[0]!.message).toBe('缺少字段“rktVersion”。');
  });
});

describe('BV-3 the fragments of the seed', () => {
  const text = readFileSync(new URL('seed-003.json', FOLDER), 'utf8');

  it('validate as printed, with a warning for the short digest', () => {
    const { valid, passedLevels, warnings } = validateBundle(JSON.parse(text));
    expect({ valid, passedLevels }).toEqual({ valid: true, passedLevels: 6 });
    expect(brief(warnings)).toEqual(['L3 DIGEST_SHORT /kits/2/mirror/digest']);
  });

  it('BN-12 give their routes in a stable form', () => {
    const { bundle } = readBundle(JSON.parse(text));
    expect(JSON.stringify(computeRoutes(bundle!), null, 2)).toBe(
      readFileSync(new URL('seed-003.routes.json', FOLDER), 'utf8').trimEnd(),
    );
  });
});

describe('BN-1 the examples', () => {
  it.each([
    ['note-taker', ['L4 KIT_RISKY /kits/0/riskLevel']],
    ['research-pipeline', []],
    ['review-board', ['L4 KIT_RISKY /kits/2/riskLevel']],
  ])('%s is valid', (name, warnings) => {
    const parsed = parseBundle(readFileSync(new URL(`${name}/manifest.json`, EXAMPLES)));
    expect(parsed.ok).toBe(true);
    const validation = validateBundle(parsed.ok ? parsed.value : undefined);
    expect(validation.errors).toEqual([]);
    expect(brief(validation.warnings)).toEqual(warnings);
  });

  it('BN-10 are left as they were by validating', () => {
    const value = read(new URL('review-board/manifest.json', EXAMPLES));
    const before = canonicalise(value);
    const { bundle } = readBundle(value);
    expect(bundle).toBe(value);
    expect(canonicalise(value)).toBe(before);
  });
});
