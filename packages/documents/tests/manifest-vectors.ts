import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { hashManifest } from '../src/capability/hash.ts';
import type { Manifest } from '../src/capability/manifest.ts';
import { parseManifest } from '../src/capability/parse.ts';
import { validateManifest } from '../src/capability/validate.ts';
import { canonicalise } from '../src/json/canonicalise.ts';
import type { Json, JsonObject } from '../src/json/value.ts';

const FOLDER = new URL('../../../vectors/manifests/', import.meta.url);

interface Expectation {
  readonly code: string;
  readonly severity: string;
  readonly path: string;
}

type Recipe =
  | { readonly kind: 'pad'; readonly bytes: number; readonly with?: string }
  | { readonly kind: 'nest'; readonly depth: number }
  | { readonly kind: 'schema_depth'; readonly depth: number }
  | { readonly kind: 'subschemas'; readonly count: number };

export interface Vector {
  readonly rule: string;
  readonly about: string;
  readonly valid: boolean;
  readonly codes: readonly Expectation[];
  readonly hash?: string;
  readonly file?: string;
  readonly base64?: string;
  readonly generate?: Recipe;
  readonly base?: string;
}

export const VECTORS: readonly Vector[] = JSON.parse(readFileSync(new URL('index.json', FOLDER), 'utf8'));

export function vectorsOf(rule: string): Vector[] {
  return VECTORS.filter((vector) => vector.rule === rule);
}

function readManifestFile(file: string): Buffer {
  return readFileSync(new URL(file, FOLDER));
}

/** A fresh copy of the smallest ordinary manifest, to be spoiled. */
export function baseManifest(): Manifest {
  return JSON.parse(readManifestFile('base.valid.json').toString());
}

/** The bytes an implementation is given. */
export function bytesOf(vector: Vector): Buffer {
  if (vector.base64 !== undefined) return Buffer.from(vector.base64, 'base64');
  if (vector.file !== undefined) return readManifestFile(vector.file);
  return Buffer.from(JSON.stringify(generate(baseManifest(), vector.generate!)));
}

export function generate(base: Manifest, recipe: Recipe): Json {
  switch (recipe.kind) {
    case 'pad':
      return pad(base, recipe.bytes, recipe.with ?? 'a');
    case 'nest':
      return { ...base, 'x-nest': nest(recipe.depth - 1, (inner) => [inner], []) };
    case 'schema_depth':
      return withSchema(base, { items: nest(recipe.depth - 1, (items) => ({ items }), {}) });
    case 'subschemas':
      return withSchema(base, { allOf: Array<boolean>(recipe.count - 2).fill(true) });
  }
}

function pad(base: Manifest, bytes: number, unit: string): Json {
  const size = (value: Json) => Buffer.byteLength(canonicalise(value));
  const rest = bytes - size({ ...base, 'x-pad': '' });
  const unitBytes = size(unit) - 2;
  return { ...base, 'x-pad': unit.repeat(Math.floor(rest / unitBytes)) + 'a'.repeat(rest % unitBytes) };
}

function nest(levels: number, wrap: (inner: Json) => Json, innermost: Json): Json {
  let value = innermost;
  for (let level = 1; level < levels; level++) value = wrap(value);
  return value;
}

function withSchema(base: Manifest, keywords: JsonObject): Json {
  const [tool, ...others] = base.tools;
  const input_schema = { type: 'object', additionalProperties: false, ...keywords };
  return { ...base, tools: [{ ...tool!, input_schema }, ...others] };
}

/** Reads, validates and hashes one vector as its entry says. */
export function checkVector(vector: Vector): void {
  const parsed = parseManifest(bytesOf(vector));
  const findings = parsed.ok ? validateManifest(parsed.value).findings : parsed.findings;
  const codes = findings.map(({ code, severity, path }) => ({ code, severity, path }));
  expect(codes.sort(byPathAndCode)).toEqual(vector.codes);
  expect(parsed.ok && validateManifest(parsed.value).valid).toBe(vector.valid);
  if (vector.hash !== undefined) expect(parsed.ok && hashManifest(parsed.value)).toBe(vector.hash);
}

function byPathAndCode(a: Expectation, b: Expectation): number {
  return compare(a.path, b.path) || compare(a.code, b.code);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
