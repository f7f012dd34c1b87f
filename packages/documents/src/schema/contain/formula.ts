import type { Json } from '../../json/value.ts';
import { enumKeys } from '../evaluate/equality.ts';
import type { Format } from '../format.ts';
import { Kind, type SchemaNode } from '../node.ts';
import type { Pattern } from '../pattern.ts';

/**
 * A statement about one JSON value. An atom says something about the kinds in `on` and holds for every other value, as
 * JSON Schema keywords do. Formulas are interned: equal ones are the same object.
 */
export type Formula = Constant | Compound | Later | Not | Atom;

interface Base {
  readonly id: number;
}
interface Constant extends Base {
  readonly op: 'true' | 'false';
}
interface Compound extends Base {
  readonly op: 'and' | 'or';
  readonly parts: readonly Formula[];
}
/** A formula that is expanded only when needed: schemas may be recursive, and their negations large. */
interface Later extends Base {
  readonly op: 'later';
  readonly holds: () => Formula;
  readonly fails: () => Formula;
}
interface Not extends Base {
  readonly op: 'not';
  readonly part: Atom | Later;
}

export type Size = 'length' | 'items' | 'properties';

export type Atom = Base & { readonly on: number } & (
    | { readonly op: 'kinds'; readonly kinds: number }
    | { readonly op: 'enum'; readonly values: readonly Json[] }
    | { readonly op: 'least' | 'most'; readonly value: number; readonly open: boolean }
    | { readonly op: 'multiple'; readonly of: number }
    | { readonly op: 'min' | 'max'; readonly size: Size; readonly count: number }
    | { readonly op: 'pattern'; readonly pattern: Pattern }
    | { readonly op: 'format'; readonly format: Format }
    | { readonly op: 'unique' }
    | { readonly op: 'item'; readonly index: number; readonly part: Formula }
    | { readonly op: 'items'; readonly from: number; readonly part: Formula }
    | { readonly op: 'some' | 'few'; readonly count: number; readonly part: Formula }
    | { readonly op: 'has'; readonly name: string }
    | { readonly op: 'property'; readonly name: string; readonly part: Formula }
    | { readonly op: 'matching'; readonly pattern: Pattern; readonly part: Formula }
    | {
        readonly op: 'others';
        readonly names: ReadonlySet<string>;
        readonly patterns: readonly Pattern[];
        readonly part: Formula;
      }
    | { readonly op: 'names'; readonly part: Formula }
    /** A schema that is too complex to expand; only its verdict on a given value is known. */
    | { readonly op: 'opaque'; readonly node: SchemaNode }
  );

export type AtomOf<Op extends Atom['op']> = Extract<Atom, { op: Op }>;

const SIZE_KIND: Record<Size, number> = { length: Kind.string, items: Kind.array, properties: Kind.object };

export type Algebra = ReturnType<typeof createAlgebra>;

/** Creates formulas. Each constructor simplifies what it sees at once; none looks below one level. */
export function createAlgebra() {
  const table = new Map<string, Formula>();
  const inverses = new Map<Formula, Formula>();

  const intern = <F extends Formula>(key: string, make: (id: number) => F): F => {
    let formula = table.get(key) as F | undefined;
    if (formula === undefined) {
      formula = make(table.size);
      table.set(key, formula);
    }
    return formula;
  };
  const yes = intern<Formula>('true', (id) => ({ id, op: 'true' }));
  const no = intern<Formula>('false', (id) => ({ id, op: 'false' }));

  const compound = (op: 'and' | 'or', given: readonly Formula[]): Formula => {
    const [neutral, ruling] = op === 'and' ? [yes, no] : [no, yes];
    const parts = new Set<Formula>();
    for (const part of given) {
      if (part === ruling) return ruling;
      if (part === neutral) continue;
      if (part.op === op) for (const inner of part.parts) parts.add(inner);
      else parts.add(part);
    }
    const sorted = [...parts].sort((a, b) => a.id - b.id);
    if (sorted.length === 0) return neutral;
    if (sorted.length === 1) return sorted[0]!;
    return intern(`${op}:${sorted.map((part) => part.id)}`, (id) => ({ id, op, parts: sorted }));
  };
  const and = (...parts: readonly Formula[]) => compound('and', parts);
  const or = (...parts: readonly Formula[]) => compound('or', parts);

  const kinds = (mask: number): Formula =>
    mask === Kind.any
      ? yes
      : mask === 0
        ? no
        : intern(`kinds:${mask}`, (id) => ({ id, op: 'kinds', on: Kind.any, kinds: mask }));
  const later = (key: string, holds: () => Formula, fails: () => Formula): Formula =>
    intern(`later:${key}`, (id) => ({ id, op: 'later', holds: once(holds), fails: once(fails) }));

  const oneOf = (values: readonly Json[]): Formula =>
    values.length === 0
      ? no
      : intern(`enum:${enumKeys(values).whole}`, (id) => ({ id, op: 'enum', on: Kind.any, values }));
  const bound = (op: 'least' | 'most', value: number, open: boolean): Formula =>
    intern(`${op}:${value}:${open}`, (id) => ({ id, op, on: Kind.number, value, open }));
  const multiple = (of: number): Formula =>
    intern(`multiple:${of}`, (id) => ({ id, op: 'multiple', on: Kind.number, of }));
  const min = (size: Size, count: number): Formula =>
    count <= 0 ? yes : intern(`min:${size}:${count}`, (id) => ({ id, op: 'min', on: SIZE_KIND[size], size, count }));
  const max = (size: Size, count: number): Formula =>
    count === Number.POSITIVE_INFINITY
      ? yes
      : count < 0
        ? kinds(Kind.any & ~SIZE_KIND[size])
        : intern(`max:${size}:${count}`, (id) => ({ id, op: 'max', on: SIZE_KIND[size], size, count }));
  const pattern = (p: Pattern): Formula =>
    intern(`pattern:${p.source}`, (id) => ({ id, op: 'pattern', on: Kind.string, pattern: p }));
  const format = (f: Format): Formula =>
    intern(`format:${f.name}`, (id) => ({ id, op: 'format', on: Kind.string, format: f }));
  const unique = intern<Formula>('unique', (id) => ({ id, op: 'unique', on: Kind.array }));

  const item = (index: number, part: Formula): Formula =>
    part === yes
      ? yes
      : part === no
        ? max('items', index)
        : intern(`item:${index}:${part.id}`, (id) => ({ id, op: 'item', on: Kind.array, index, part }));
  const items = (from: number, part: Formula): Formula =>
    part === yes
      ? yes
      : part === no
        ? max('items', from)
        : intern(`items:${from}:${part.id}`, (id) => ({ id, op: 'items', on: Kind.array, from, part }));
  const some = (count: number, part: Formula): Formula =>
    count <= 0
      ? yes
      : part === yes
        ? min('items', count)
        : part === no
          ? kinds(Kind.any & ~Kind.array)
          : intern(`some:${count}:${part.id}`, (id) => ({ id, op: 'some', on: Kind.array, count, part }));
  const few = (count: number, part: Formula): Formula =>
    part === no
      ? yes
      : part === yes
        ? max('items', count)
        : count === 0
          ? items(0, not(part))
          : intern(`few:${count}:${part.id}`, (id) => ({ id, op: 'few', on: Kind.array, count, part }));

  const has = (name: string): Formula => intern(`has:${name}`, (id) => ({ id, op: 'has', on: Kind.object, name }));
  const property = (name: string, part: Formula): Formula =>
    part === yes
      ? yes
      : intern(`property:${part.id}:${name}`, (id) => ({ id, op: 'property', on: Kind.object, name, part }));
  const matching = (p: Pattern, part: Formula): Formula =>
    part === yes
      ? yes
      : intern(`matching:${part.id}:${p.source}`, (id) => ({ id, op: 'matching', on: Kind.object, pattern: p, part }));
  const others = (names: readonly string[], patterns: readonly Pattern[], part: Formula): Formula => {
    if (part === yes) return yes;
    const key = JSON.stringify([[...names].sort(), patterns.map((p) => p.source).sort()]);
    return intern(`others:${part.id}:${key}`, (id) => ({
      id,
      op: 'others',
      on: Kind.object,
      names: new Set(names),
      patterns,
      part,
    }));
  };
  const names = (part: Formula): Formula =>
    part === yes
      ? yes
      : part === no
        ? max('properties', 0)
        : intern(`names:${part.id}`, (id) => ({ id, op: 'names', on: Kind.object, part }));
  const opaque = (node: SchemaNode): Formula =>
    intern(`opaque:${node.id}`, (id) => ({ id, op: 'opaque', on: Kind.any, node }));

  function not(formula: Formula): Formula {
    let inverse = inverses.get(formula);
    if (inverse === undefined) {
      inverse = invert(formula);
      inverses.set(formula, inverse);
    }
    return inverse;
  }
  function invert(formula: Formula): Formula {
    switch (formula.op) {
      case 'true':
        return no;
      case 'false':
        return yes;
      case 'not':
        return formula.part;
      case 'and':
        return or(...formula.parts.map(not));
      case 'or':
        return and(...formula.parts.map(not));
      case 'kinds':
        return kinds(Kind.any & ~formula.kinds);
      case 'least':
        return and(kinds(Kind.number), bound('most', formula.value, !formula.open));
      case 'most':
        return and(kinds(Kind.number), bound('least', formula.value, !formula.open));
      case 'min':
        return and(kinds(formula.on), max(formula.size, formula.count - 1));
      case 'max':
        return and(kinds(formula.on), min(formula.size, formula.count + 1));
      case 'some':
        return and(kinds(Kind.array), few(formula.count - 1, formula.part));
      case 'few':
        return and(kinds(Kind.array), some(formula.count + 1, formula.part));
      default:
        return intern(`not:${formula.id}`, (id) => ({ id, op: 'not', part: formula }));
    }
  }

  return {
    yes,
    no,
    and,
    or,
    not,
    later,
    kinds,
    oneOf,
    bound,
    multiple,
    min,
    max,
    pattern,
    format,
    unique,
    item,
    items,
    some,
    few,
    has,
    property,
    matching,
    others,
    names,
    opaque,
  };
}

function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
