import { isObject, type Json } from '../../json/value.ts';
import { Run } from './run.ts';
import type { Test } from './test.ts';

/**
 * One text per JSON value: equal values, and only they, have equal texts. Each starts with a mark of its kind, which
 * also keeps numbers and index-like strings out of hash tables: V8 hashes those without a seed, so an attacker could
 * choose ten thousand of them that share one bucket.
 */
function keyOf(value: Json, run: Run): string {
  run.spend(1);
  if (typeof value === 'string') {
    run.spendOnText(value.length);
    return `"${value.length}:${value}`;
  }
  if (typeof value !== 'object' || value === null) return `#${value}`;
  run.enter();
  let key: string;
  if (isObject(value)) {
    key = '{';
    const names = Object.keys(value);
    for (const name of names) run.spendOnText(8 * name.length);
    for (const name of names.sort()) key += `${name.length}:${name}${keyOf(value[name]!, run)},`;
  } else {
    key = '[';
    for (const item of value) key += `${keyOf(item, run)},`;
  }
  run.leave();
  return key;
}

export function areUnique(items: readonly Json[], run: Run): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item, run);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** Up to here a look at each value is faster than a hash table. */
const FEW = 8;

export function compileEnum(values: readonly Json[]): Test {
  const isScalar = (value: Json): boolean => typeof value !== 'object' || value === null;
  if (values.length <= FEW && values.every(isScalar)) return (value) => values.includes(value);
  const unbounded = new Run(Number.POSITIVE_INFINITY);
  const keys = new Set(values.map((value) => keyOf(value, unbounded)));
  const hasCompound = !values.every(isScalar);
  return (value, run) => (hasCompound || isScalar(value)) && keys.has(keyOf(value, run));
}
