import { isObject, type Json } from '../../json/value.ts';
import { Run } from './run.ts';
import type { Test } from './test.ts';

/** The cost of writing a number, and of inserting it into a growing table. */
const KEY_STEPS = 5;
const INSERT_STEPS = 5;

/**
 * Returns one text per JSON value: only equal values have equal texts. Each starts with a mark of its kind, which also
 * keeps numbers and index-like strings out of hash tables: V8 hashes those without a seed, so an attacker could choose
 * ten thousand of them that share one bucket.
 */
function keyOf(value: Json, run: Run): string {
  run.spend(KEY_STEPS);
  if (typeof value === 'string') {
    run.spendOnText(value.length);
    return `"${value.length}:${value}`;
  }
  if (typeof value !== 'object' || value === null) return `#${value}`;
  run.enter();
  let key: string;
  if (isObject(value)) {
    key = '{';
    const names = run.listNames(value);
    for (const name of names) run.spendOnText(8 * name.length);
    names.sort();
    for (const name of names) key += `${name.length}:${name}${keyOf(value[name]!, run)},`;
  } else {
    key = '[';
    for (const item of value) key += `${keyOf(item, run)},`;
  }
  run.leave();
  return key;
}

export function areUnique(items: readonly Json[], run: Run): boolean {
  run.spend(INSERT_STEPS * items.length);
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item, run);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

const unbounded = new Run(Number.POSITIVE_INFINITY);

/** The texts of the values of one `enum`. Each form is built on first use. */
class EnumKeys {
  /** The texts in the order of the values. */
  readonly list: readonly string[];
  #set: ReadonlySet<string> | undefined;
  #whole: string | undefined;

  constructor(values: readonly Json[]) {
    this.list = values.map((value) => keyOf(value, unbounded));
  }

  get set(): ReadonlySet<string> {
    this.#set ??= new Set(this.list);
    return this.#set;
  }

  /** The same text for lists of the same values in any order. */
  get whole(): string {
    this.#whole ??= [...this.list].sort().join();
    return this.#whole;
  }
}
const known = new WeakMap<readonly Json[], EnumKeys>();

/** The texts are cached: a list may be as long as the document, and is compared, interned and searched. */
export function enumKeys(values: readonly Json[]): EnumKeys {
  let keys = known.get(values);
  if (keys === undefined) {
    keys = new EnumKeys(values);
    known.set(values, keys);
  }
  return keys;
}

/** Remembers the text of the last value, which is often looked up in several lists. */
export function createListed(): (values: readonly Json[], value: Json) => boolean {
  let last: Json | undefined;
  let key = '';
  return (values, value) => {
    if (value !== last) {
      key = keyOf(value, unbounded);
      last = value;
    }
    return enumKeys(values).set.has(key);
  };
}

/** Up to this many values, comparing each is faster than a hash table. */
const FEW = 8;

const compiled = new WeakMap<readonly Json[], Test>();

/** Compiled once per list: explaining a failure asks again for every item. */
export function compileEnum(values: readonly Json[]): Test {
  let test = compiled.get(values);
  if (test === undefined) {
    test = buildEnum(values);
    compiled.set(values, test);
  }
  return test;
}

function buildEnum(values: readonly Json[]): Test {
  const hasCompound = !values.every(isScalar);
  if (values.length <= FEW && !hasCompound) return (value) => values.includes(value);
  const { set } = enumKeys(values);
  return (value, run) => (hasCompound || isScalar(value)) && set.has(keyOf(value, run));
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}
