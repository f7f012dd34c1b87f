import type { SchemaGraph } from '../graph.ts';
import { Kind, type SchemaNode } from '../node.ts';
import type { Pattern } from '../pattern.ts';
import type { Algebra, Formula } from './formula.ts';

/** If a schema's parts can hold or fail in more ways than this, `unevaluated…` is left to the evaluator. */
const MAX_CASES = 128;
/**
 * `oneOf` says something about every pair of its branches; with more branches than this it is left to the evaluator.
 */
const MAX_ONE_OF = 40;

export type SchemaToFormula = (node: SchemaNode) => Formula;

/** Turns normalised schemas into formulas. The result stands for the schema; it is expanded only when it is needed. */
export function createSchemaToFormula(algebra: Algebra, graph: SchemaGraph): SchemaToFormula {
  const { and, or, not, later, kinds } = algebra;
  const isObject = kinds(Kind.object);
  const isNoObject = kinds(Kind.any & ~Kind.object);

  const toFormula: SchemaToFormula = (node) => {
    const keywords = Object.keys(node).length - 1;
    if (keywords === 0) return algebra.yes;
    if (node.kinds === 0) return algebra.no;
    return later(
      `schema:${node.id}`,
      () => and(assert(node), evaluated(node, true)),
      () => or(not(assert(node)), evaluated(node, false)),
    );
  };

  /** Covers everything but `unevaluated…`. */
  const assert = (node: SchemaNode): Formula => and(ownAssertions(node), ...applicators(node).map((a) => a.formula));

  const ownAssertions = (node: SchemaNode): Formula =>
    and(...scalars(algebra, node), ...arrays(algebra, node, toFormula), ...objects(algebra, node, toFormula));

  /** The in-place applicators, each with the exclusive cases in which it holds and the subschemas that then hold. */
  const applicators = (node: SchemaNode): Applicator[] => {
    const list: Applicator[] = [];
    const add = (formula: Formula, cases: () => Case[]) => list.push({ formula, cases });
    if (node.ref) {
      const { target } = node.ref;
      add(toFormula(target), () => [{ when: algebra.yes, holding: [target] }]);
    }
    for (const part of node.allOf ?? []) add(toFormula(part), () => [{ when: algebra.yes, holding: [part] }]);
    if (node.anyOf) {
      const parts = node.anyOf;
      add(or(...parts.map(toFormula)), () =>
        subsets(parts).map((holding) => ({ when: exactly(parts, holding), holding })),
      );
    }
    if (node.oneOf) {
      const parts = node.oneOf;
      const formula = parts.length > MAX_ONE_OF ? algebra.opaque(graph.intern({ oneOf: parts })) : exactlyOne(parts);
      add(formula, () => parts.map((part) => ({ when: exactlyAt(parts, parts.indexOf(part)), holding: [part] })));
    }
    if (node.not) add(not(toFormula(node.not)), () => []);
    if (node.if) {
      const test = toFormula(node.if);
      const yes = node.then;
      const no = node.else;
      add(and(or(not(test), yes ? toFormula(yes) : algebra.yes), or(test, no ? toFormula(no) : algebra.yes)), () => [
        { when: test, holding: yes ? [node.if!, yes] : [node.if!] },
        { when: not(test), holding: no ? [no] : [] },
      ]);
    }
    for (const [name, part] of node.dependentSchemas ?? []) {
      const there = and(isObject, algebra.has(name));
      add(or(isNoObject, not(algebra.has(name)), toFormula(part)), () => [
        { when: there, holding: [part] },
        { when: not(there), holding: [] },
      ]);
    }
    for (const [name, needed] of node.dependentRequired ?? []) {
      add(or(isNoObject, not(algebra.has(name)), and(...needed.map(algebra.has))), () => []);
    }
    return list;
  };

  const exactlyAt = (parts: readonly SchemaNode[], index: number): Formula =>
    and(...parts.map((part, i) => (i === index ? toFormula(part) : not(toFormula(part)))));
  const exactly = (parts: readonly SchemaNode[], holding: readonly SchemaNode[]): Formula =>
    and(...parts.map((part) => (holding.includes(part) ? toFormula(part) : not(toFormula(part)))));
  const exactlyOne = (parts: readonly SchemaNode[]): Formula =>
    later(
      `one:${parts.map((part) => part.id).sort((a, b) => a - b)}`,
      () => or(...parts.map((_, index) => exactlyAt(parts, index))),
      () => {
        const terms: Formula[] = [and(...parts.map((part) => not(toFormula(part))))];
        for (const [i, a] of parts.entries()) {
          for (const b of parts.slice(i + 1)) terms.push(and(toFormula(a), toFormula(b)));
        }
        return or(...terms);
      },
    );

  /**
   * Handles `unevaluatedProperties` and `unevaluatedItems`. In each case in which the rest of the schema holds, the
   * evaluated names and positions are known, and the keyword becomes an ordinary "all others". The cases exclude each
   * other and cover everything, so the keyword fails if, in one of them, the "all others" fails.
   */
  const evaluated = (node: SchemaNode, holds: boolean): Formula => {
    if (!node.unevaluatedItems && !node.unevaluatedProperties) return holds ? algebra.yes : algebra.no;
    const cases = splitCases(node, true);
    if (cases === undefined) return holds ? algebra.opaque(node) : not(algebra.opaque(node));
    return or(
      ...cases.map(({ when, seen }) => {
        const rest = and(
          node.unevaluatedProperties && !seen.allNames
            ? algebra.others([...seen.names], [...seen.patterns.values()], toFormula(node.unevaluatedProperties))
            : algebra.yes,
          node.unevaluatedItems && seen.items !== Number.POSITIVE_INFINITY
            ? algebra.items(seen.items, or(...seen.contained.map(toFormula), toFormula(node.unevaluatedItems)))
            : algebra.yes,
        );
        return and(when, holds ? rest : not(rest));
      }),
    );
  };

  /**
   * What a subschema that holds has evaluated. It is remembered, because a schema may lead to it in exponentially many
   * ways.
   */
  const partCases = (node: SchemaNode): Seen[] | undefined => {
    if (!known.has(node)) known.set(node, splitCases(node, false));
    return known.get(node);
  };
  const known = new Map<SchemaNode, Seen[] | undefined>();

  const splitCases = (node: SchemaNode, top: boolean): Seen[] | undefined => {
    let cases: Seen[] = [{ when: algebra.yes, seen: ownSeen(node, top) }];
    for (const applicator of applicators(node)) {
      const ways: Seen[] = [];
      for (const { when, holding } of applicator.cases()) {
        let inner: Seen[] = [{ when, seen: NOTHING_SEEN }];
        for (const part of holding) {
          const more = partCases(part);
          if (more === undefined) return undefined;
          inner = combine(inner, more);
          if (inner.length > MAX_CASES) return undefined;
        }
        ways.push(...inner);
      }
      if (ways.length === 0 || ways.every((way) => way.seen === NOTHING_SEEN)) continue;
      cases = combine(cases, ways);
      if (cases.length > MAX_CASES) return undefined;
    }
    return cases;
  };

  const combine = (a: readonly Seen[], b: readonly Seen[]): Seen[] =>
    a.flatMap((x) => b.map((y) => ({ when: and(x.when, y.when), seen: union(x.seen, y.seen) })));

  return toFormula;
}

interface Applicator {
  readonly formula: Formula;
  readonly cases: () => Case[];
}
interface Case {
  readonly when: Formula;
  readonly holding: readonly SchemaNode[];
}
interface Seen {
  readonly when: Formula;
  readonly seen: Evaluated;
}
interface Evaluated {
  readonly names: ReadonlySet<string>;
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly allNames: boolean;
  /** Items before this index are evaluated. */
  readonly items: number;
  /** Items that satisfy one of these are evaluated too. */
  readonly contained: readonly SchemaNode[];
}

const NOTHING_SEEN: Evaluated = { names: new Set(), patterns: new Map(), allNames: false, items: 0, contained: [] };

function ownSeen(node: SchemaNode, top: boolean): Evaluated {
  const allNames = node.additionalProperties !== undefined || (!top && node.unevaluatedProperties !== undefined);
  const allItems = node.items !== undefined || (!top && node.unevaluatedItems !== undefined);
  if (!allNames && !allItems && !node.properties && !node.patternProperties && !node.prefixItems && !node.contains) {
    return NOTHING_SEEN;
  }
  return {
    names: new Set(node.properties?.keys()),
    patterns: new Map(node.patternProperties?.map(([pattern]) => [pattern.source, pattern])),
    allNames,
    items: allItems ? Number.POSITIVE_INFINITY : (node.prefixItems?.length ?? 0),
    contained: node.contains ? [node.contains] : [],
  };
}

function union(a: Evaluated, b: Evaluated): Evaluated {
  if (a === NOTHING_SEEN) return b;
  if (b === NOTHING_SEEN) return a;
  return {
    names: new Set([...a.names, ...b.names]),
    patterns: new Map([...a.patterns, ...b.patterns]),
    allNames: a.allNames || b.allNames,
    items: Math.max(a.items, b.items),
    contained: [...a.contained, ...b.contained],
  };
}

function subsets(parts: readonly SchemaNode[]): SchemaNode[][] {
  if (parts.length > 7) return Array.from({ length: MAX_CASES + 1 }, () => [...parts]);
  const all: SchemaNode[][] = [];
  for (let bits = 1; bits < 1 << parts.length; bits++) all.push(parts.filter((_, i) => bits & (1 << i)));
  return all;
}

function scalars(algebra: Algebra, node: SchemaNode): Formula[] {
  const list: Formula[] = [];
  if (node.kinds !== undefined) list.push(algebra.kinds(node.kinds));
  if (node.enum) list.push(algebra.oneOf(node.enum));
  if (node.minimum !== undefined) list.push(algebra.bound('least', node.minimum, false));
  if (node.exclusiveMinimum !== undefined) list.push(algebra.bound('least', node.exclusiveMinimum, true));
  if (node.maximum !== undefined) list.push(algebra.bound('most', node.maximum, false));
  if (node.exclusiveMaximum !== undefined) list.push(algebra.bound('most', node.exclusiveMaximum, true));
  if (node.multipleOf !== undefined) list.push(algebra.multiple(node.multipleOf));
  if (node.minLength !== undefined) list.push(algebra.min('length', node.minLength));
  if (node.maxLength !== undefined) list.push(algebra.max('length', node.maxLength));
  if (node.pattern) list.push(algebra.pattern(node.pattern));
  if (node.format) list.push(algebra.format(node.format));
  return list;
}

function arrays(algebra: Algebra, node: SchemaNode, toFormula: SchemaToFormula): Formula[] {
  const list: Formula[] = [];
  const prefix = node.prefixItems ?? [];
  for (const [index, part] of prefix.entries()) list.push(algebra.item(index, toFormula(part)));
  if (node.items) list.push(algebra.items(prefix.length, toFormula(node.items)));
  if (node.contains) {
    list.push(algebra.some(node.minContains ?? 1, toFormula(node.contains)));
    if (node.maxContains !== undefined) list.push(algebra.few(node.maxContains, toFormula(node.contains)));
  }
  if (node.minItems !== undefined) list.push(algebra.min('items', node.minItems));
  if (node.maxItems !== undefined) list.push(algebra.max('items', node.maxItems));
  if (node.uniqueItems) list.push(algebra.unique);
  return list;
}

function objects(algebra: Algebra, node: SchemaNode, toFormula: SchemaToFormula): Formula[] {
  const list: Formula[] = [];
  for (const name of node.required ?? []) list.push(algebra.has(name));
  for (const [name, part] of node.properties ?? []) list.push(algebra.property(name, toFormula(part)));
  for (const [pattern, part] of node.patternProperties ?? []) list.push(algebra.matching(pattern, toFormula(part)));
  if (node.additionalProperties) {
    const patterns = node.patternProperties?.map(([pattern]) => pattern) ?? [];
    list.push(algebra.others([...(node.properties?.keys() ?? [])], patterns, toFormula(node.additionalProperties)));
  }
  if (node.propertyNames) list.push(algebra.names(toFormula(node.propertyNames)));
  if (node.minProperties !== undefined) list.push(algebra.min('properties', node.minProperties));
  if (node.maxProperties !== undefined) list.push(algebra.max('properties', node.maxProperties));
  return list;
}
