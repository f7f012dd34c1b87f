import { join } from '../json/pointer.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { depthFirst } from './depth-first.ts';
import type { DialectProblem } from './dialect.ts';
import { MAX_PATTERN_COST, type SchemaGraph } from './graph.ts';
import { APPLICATORS, DIALECT, IN_PLACE, REFUSED, VALUES } from './keywords.ts';
import { isTooDeep } from './nesting.ts';
import type { SchemaNode } from './node.ts';
import { decodeFragment, lookUp } from './reference.ts';

const MAX_DEPTH = 64;
const MAX_SUBSCHEMAS = 2_000;

export type SchemaProblem =
  | { readonly code: 'SCHEMA_INVALID'; readonly path: string; readonly params: InvalidParams }
  | { readonly code: 'SCHEMA_UNSAFE'; readonly path: string; readonly params: UnsafeParams }
  | DialectProblem;

type InvalidParams = {
  readonly reason: 'not_a_schema' | 'wrong_value' | 'duplicate_anchor';
  readonly expected: string;
};

type UnsafeParams =
  | { readonly reason: 'keyword'; readonly keyword: string }
  | { readonly reason: 'pattern' | 'remote_ref' | 'ref_loop' }
  | { readonly reason: 'too_deep' | 'too_many_subschemas' | 'too_many_patterns'; readonly limit: number };

export interface Subschema {
  readonly raw: JsonObject | boolean;
  readonly pointer: string;
  readonly children: Subschema[];
  /** The target of its `$ref`, once resolved. */
  ref?: Subschema;
  /** Its normal form, once read. */
  node?: SchemaNode;
}

/** Collects all subschemas by JSON Pointer and checks each (CM-6, CM-7). All problems are reported. */
export function scan(
  root: Json,
  graph: SchemaGraph,
): { subschemas: Map<string, Subschema>; problems: SchemaProblem[] } {
  const subschemas = new Map<string, Subschema>();
  const problems: SchemaProblem[] = [];
  if (isTooDeep(root)) {
    problems.push({ code: 'SCHEMA_UNSAFE', path: '', params: { reason: 'too_deep', limit: MAX_DEPTH } });
    return { subschemas, problems };
  }
  const anchors = new Map<string, Subschema>();
  const references: Subschema[] = [];

  const invalid = (path: string, reason: InvalidParams['reason'], expected: string) =>
    problems.push({ code: 'SCHEMA_INVALID', path, params: { reason, expected } });
  const unsafe = (path: string, params: UnsafeParams) => problems.push({ code: 'SCHEMA_UNSAFE', path, params });

  const visit = (raw: Json, pointer: string, depth: number, parent?: Subschema): void => {
    if (typeof raw !== 'boolean' && !isObject(raw)) {
      invalid(pointer, 'not_a_schema', 'schema');
      return;
    }
    if (subschemas.size > MAX_SUBSCHEMAS) return;
    const known = subschemas.get(pointer);
    const subschema: Subschema = known ?? { raw, pointer, children: [] };
    parent?.children.push(subschema);
    if (known !== undefined) return;
    subschemas.set(pointer, subschema);
    if (subschemas.size > MAX_SUBSCHEMAS) {
      unsafe(pointer, { reason: 'too_many_subschemas', limit: MAX_SUBSCHEMAS });
    } else if (depth > MAX_DEPTH) {
      unsafe(pointer, { reason: 'too_deep', limit: MAX_DEPTH });
    } else if (raw !== true && raw !== false) {
      for (const keyword of Object.keys(raw)) visitKeyword(subschema, raw, keyword, depth);
    }
  };

  const visitKeyword = (subschema: Subschema, raw: JsonObject, keyword: string, depth: number): void => {
    const value = raw[keyword]!;
    const path = join(subschema.pointer, keyword);
    if (REFUSED.has(keyword)) unsafe(path, { reason: 'keyword', keyword });
    else if (Object.hasOwn(APPLICATORS, keyword)) visitApplicator(subschema, keyword, path, depth);
    else if (Object.hasOwn(VALUES, keyword)) {
      const [expected, test] = VALUES[keyword]!;
      if (test(value)) visitValue(subschema, keyword, value as string, path);
      else invalid(path, 'wrong_value', expected);
    }
  };

  const visitApplicator = (subschema: Subschema, keyword: string, path: string, depth: number): void => {
    const value = (subschema.raw as JsonObject)[keyword]!;
    const holds = APPLICATORS[keyword]!;
    if (holds === 'schema') visit(value, path, depth + 1, subschema);
    else if (holds === 'schemas') {
      if (!Array.isArray(value) || value.length === 0) invalid(path, 'wrong_value', 'schemas');
      else for (const [index, item] of value.entries()) visit(item, join(path, index), depth + 1, subschema);
    } else if (!isObject(value)) invalid(path, 'wrong_value', 'map_of_schemas');
    else {
      for (const key of Object.keys(value)) {
        const inner = join(path, key);
        if (keyword === 'patternProperties') checkPattern(key, inner);
        visit(value[key]!, inner, depth + 1, subschema);
      }
    }
  };

  const checkPattern = (source: string, path: string): void => {
    if (graph.pattern(source)) return;
    if (graph.isFullOfPatterns()) unsafe(path, { reason: 'too_many_patterns', limit: MAX_PATTERN_COST });
    else unsafe(path, { reason: 'pattern' });
  };

  const visitValue = (subschema: Subschema, keyword: string, value: string, path: string): void => {
    switch (keyword) {
      case '$ref':
        references.push(subschema);
        break;
      case 'pattern':
        checkPattern(value, path);
        break;
      case '$schema':
        if (value !== DIALECT && value !== `${DIALECT}#`) {
          problems.push({ code: 'SCHEMA_DIALECT_UNSUPPORTED', path, params: { expected: DIALECT } });
        }
        break;
      case '$anchor':
      case '$dynamicAnchor':
        if (anchors.has(value)) invalid(path, 'duplicate_anchor', 'anchor');
        else anchors.set(value, subschema);
    }
  };

  visit(root, '', 1);
  // The list grows during the loop: a reference may lead to a subschema under an unknown keyword that holds more
  // references.
  for (const subschema of references) {
    const path = `${subschema.pointer}/$ref`;
    const reference = (subschema.raw as JsonObject).$ref as string;
    if (!reference.startsWith('#')) {
      unsafe(path, { reason: 'remote_ref' });
      continue;
    }
    const target = resolve(reference);
    if (target === undefined) problems.push({ code: 'SCHEMA_REF_UNRESOLVED', path, params: {} });
    else subschema.ref = target;
  }
  if (references.length > 0) problems.push(...findLoops(subschemas));
  return { subschemas, problems };

  function resolve(reference: string): Subschema | undefined {
    const fragment = decodeFragment(reference.slice(1));
    if (fragment === undefined) return undefined;
    if (fragment !== '' && !fragment.startsWith('/')) return anchors.get(fragment);
    const known = subschemas.get(fragment);
    if (known !== undefined) return known;
    const raw = lookUp(root, fragment);
    if (raw === undefined || (typeof raw !== 'boolean' && !isObject(raw))) return undefined;
    visit(raw, fragment, 1);
    return subschemas.get(fragment);
  }
}

/** A `$ref` that comes back to itself without entering a property or an item would never end (CM-7). */
function findLoops(subschemas: ReadonlyMap<string, Subschema>): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  depthFirst(subschemas.values(), inPlace, {
    back: (from, to) => {
      // A reference closes the loop, because subschemas alone only lead inwards.
      const path = from.ref === to ? `${from.pointer}/$ref` : from.pointer;
      problems.push({ code: 'SCHEMA_UNSAFE', path, params: { reason: 'ref_loop' } });
    },
  });
  return problems;
}

/** The subschemas that apply to the same instance. */
function inPlace(subschema: Subschema): Subschema[] {
  const again = subschema.children.filter(({ pointer }) => {
    const [keyword] = pointer.slice(subschema.pointer.length + 1).split('/', 1);
    return IN_PLACE.has(keyword!);
  });
  return subschema.ref === undefined ? again : [...again, subschema.ref];
}
