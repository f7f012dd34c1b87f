import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { SkillDescriptor } from '../src/skill/descriptor.ts';
import { validateDescriptor } from '../src/skill/validate.ts';

const FOLDER = new URL('../../../vectors/skills/', import.meta.url);

type Patch = readonly { op: 'add' | 'remove'; path: string; value?: unknown }[];

interface Named {
  readonly code: string;
  readonly field: string;
}

export interface ValidityCase {
  readonly name: string;
  readonly patch: Patch;
  readonly development?: boolean;
  readonly violations: readonly Named[];
  readonly warnings: readonly Named[];
}

export function readVectors<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as T;
}

/** A fresh copy of the seed's example. */
export function seedDescriptor(): SkillDescriptor {
  return readVectors('seed-004.valid.json');
}

/** RFC 6902, `add` and `remove`. Keys are defined, not assigned: one of them is `__proto__`. */
export function patched(patch: Patch): SkillDescriptor {
  const root = seedDescriptor();
  for (const { op, path, value } of patch) {
    const steps = path
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = steps.pop()!;
    const target = steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], root) as object;
    if (Array.isArray(target)) {
      if (op === 'remove') target.splice(Number(last), 1);
      else if (last === '-') target.push(value);
      else target[Number(last)] = value;
    } else if (op === 'remove') Reflect.deleteProperty(target, last);
    else Object.defineProperty(target, last, { value, enumerable: true, configurable: true, writable: true });
  }
  return root;
}

export function checkValidity({ patch, development = false, violations, warnings }: ValidityCase): void {
  const found = validateDescriptor(patched(patch), { development });
  const named = (list: typeof found.violations) => list.map(({ code, field }) => `${code} ${field}`).sort();
  const wanted = (list: readonly Named[]) => list.map(({ code, field }) => `${code} ${field}`).sort();
  expect(named(found.violations)).toEqual(wanted(violations));
  expect(named(found.warnings)).toEqual(wanted(warnings));
  expect(found.valid).toBe(violations.length === 0);
}
