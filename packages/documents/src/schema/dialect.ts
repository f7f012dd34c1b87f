import { join, split } from '../json/pointer.ts';
import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import { APPLICATORS, DIALECT, type Holds, MEANINGFUL } from './keywords.ts';
import { isTooDeep } from './nesting.ts';
import { decodeFragment, lookUp, toReference } from './reference.ts';

/** The older dialects that can be read (CM-6), by their usual names. */
type OldDialect = 'draft-07' | '2019-09';

const OLD_DIALECTS: Readonly<Record<string, OldDialect>> = {
  'http://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
};

/** Every spelling of `$schema` that names one of them. */
export const OLD_SCHEMA_URIS: readonly string[] = Object.keys(OLD_DIALECTS).flatMap((uri) => [uri, `${uri}#`]);

export type DialectProblem =
  | {
      readonly code: 'SCHEMA_DIALECT_UNSUPPORTED';
      readonly path: string;
      readonly params: { readonly expected: string };
    }
  | {
      readonly code: 'SCHEMA_DIALECT_DIFFERS';
      readonly path: string;
      readonly params: { readonly keyword: string; readonly dialect: OldDialect };
    }
  | { readonly code: 'SCHEMA_REF_UNRESOLVED'; readonly path: string; readonly params: Record<string, never> };

export interface Upgrade {
  readonly dialect: OldDialect;
  /** The same schema in 2020-12, without `$schema`. */
  readonly schema: JsonObject;
  readonly problems: readonly DialectProblem[];
  /** Translates a pointer into `schema` to one into the original. */
  readonly written: (pointer: string) => string;
}

/** Assertions of 2020-12 that the dialect does not know, and so ignores. */
const UNKNOWN: Readonly<Record<OldDialect, ReadonlySet<string>>> = {
  'draft-07': new Set([
    'prefixItems',
    'minContains',
    'maxContains',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedItems',
    'unevaluatedProperties',
  ]),
  '2019-09': new Set(['prefixItems']),
};
/** Anchor keywords that the dialect does not know: a reference that uses them leads to nothing. */
const UNKNOWN_ANCHORS: Readonly<Record<OldDialect, ReadonlySet<string>>> = {
  'draft-07': new Set(['$anchor', '$dynamicAnchor']),
  '2019-09': new Set(['$dynamicAnchor']),
};
/** Beside a `$ref`, where draft-07 ignores everything, these change nothing. */
const HARMLESS_BESIDE_REF: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  'definitions',
  ...UNKNOWN_ANCHORS['draft-07'],
]);
/** How keywords that 2020-12 no longer has hold subschemas. `dependencies` holds lists of names too. */
const OLD_APPLICATORS: Readonly<Record<string, Holds>> = { additionalItems: 'schema', dependencies: 'map' };

/** Returns undefined if a schema does not name an older dialect, or nests so deep that it is refused anyway. */
export function upgradeSchema(raw: Json): Upgrade | undefined {
  const dialect = isObject(raw) ? dialectOf(get(raw, '$schema')) : undefined;
  return dialect === undefined || isTooDeep(raw) ? undefined : new Upgrader(raw as JsonObject, dialect).run();
}

function dialectOf(uri: Json | undefined): OldDialect | undefined {
  if (typeof uri !== 'string') return undefined;
  const plain = uri.replace(/#$/, '');
  return Object.hasOwn(OLD_DIALECTS, plain) ? OLD_DIALECTS[plain] : undefined;
}

/** The position of a subschema in its parent: its keyword, and the step below that keyword, if any. */
interface Member {
  readonly value: Json;
  readonly keyword: string;
  readonly step?: string | number;
}

/** Yields the subschemas of a schema in its original dialect. */
function* membersOf(raw: JsonObject): Generator<Member> {
  for (const keyword of Object.keys(raw)) {
    const value = raw[keyword]!;
    const holds = isTuple(raw, keyword) ? 'schemas' : holdsOf(keyword);
    if (holds === 'schema') yield { value, keyword };
    else if (holds === 'schemas' && Array.isArray(value)) {
      for (const [step, item] of value.entries()) yield { value: item, keyword, step };
    } else if (holds === 'map' && isObject(value)) {
      for (const step of Object.keys(value)) {
        if (keyword !== 'dependencies' || !Array.isArray(value[step])) yield { value: value[step]!, keyword, step };
      }
    }
  }
}

function holdsOf(keyword: string): Holds | undefined {
  if (Object.hasOwn(OLD_APPLICATORS, keyword)) return OLD_APPLICATORS[keyword];
  return Object.hasOwn(APPLICATORS, keyword) ? APPLICATORS[keyword] : undefined;
}

const isTuple = (raw: JsonObject, keyword = 'items') => keyword === 'items' && Array.isArray(get(raw, 'items'));

/** The 2020-12 name of a keyword that holds subschemas. */
function currentName(raw: JsonObject, keyword: string): string {
  if (isTuple(raw, keyword)) return 'prefixItems';
  if (keyword === 'additionalItems' && isTuple(raw)) return 'items';
  return keyword === 'dependencies' ? 'dependentSchemas' : keyword;
}

function writtenName(raw: JsonObject, keyword: string): string {
  if (keyword === 'prefixItems') return 'items';
  if (keyword === 'items' && isTuple(raw)) return 'additionalItems';
  return keyword.startsWith('dependent') && Object.hasOwn(raw, 'dependencies') ? 'dependencies' : keyword;
}

class Upgrader {
  readonly #root: JsonObject;
  readonly #dialect: OldDialect;
  readonly #problems: DialectProblem[] = [];
  /** The original subschemas, by their new pointers. */
  readonly #written = new Map<string, { readonly raw: Json; readonly pointer: string }>();
  /** The new pointers, by the original ones. */
  readonly #current = new Map<string, string>();

  constructor(root: JsonObject, dialect: OldDialect) {
    this.#root = root;
    this.#dialect = dialect;
  }

  run(): Upgrade {
    this.#locate(this.#root, '', '');
    this.#checkContains();
    const schema = this.#convert(this.#root, '') as JsonObject;
    return {
      dialect: this.#dialect,
      schema,
      problems: this.#problems,
      written: (pointer) => this.#toWritten(pointer),
    };
  }

  #locate(raw: Json, from: string, to: string): void {
    this.#written.set(to, { raw, pointer: from });
    this.#current.set(from, to);
    if (!isObject(raw)) return;
    for (const { value, keyword, step } of membersOf(raw)) {
      const below = (pointer: string, name: string) => {
        const held = join(pointer, name);
        return step === undefined ? held : join(held, step);
      };
      this.#locate(value, below(from, keyword), below(to, currentName(raw, keyword)));
    }
  }

  /** An item that `contains` matches counts as evaluated in 2020-12, but not in 2019-09. */
  #checkContains(): void {
    const schemas = [...this.#written.values()];
    const uses = (keyword: string) => schemas.filter(({ raw }) => isObject(raw) && Object.hasOwn(raw, keyword));
    if (this.#dialect !== '2019-09' || uses('contains').length === 0) return;
    for (const { pointer } of uses('unevaluatedItems')) this.#refuse('unevaluatedItems', pointer);
  }

  #refuse(keyword: string, pointer: string): void {
    const params = { keyword, dialect: this.#dialect };
    this.#problems.push({ code: 'SCHEMA_DIALECT_DIFFERS', path: join(pointer, keyword), params });
  }

  #convert(raw: Json, pointer: string): Json {
    if (!isObject(raw)) return raw;
    const entries = Object.keys(raw).flatMap((keyword) => this.#convertKeyword(raw, keyword, pointer));
    return Object.fromEntries(entries);
  }

  #convertKeyword(raw: JsonObject, keyword: string, pointer: string): [string, Json][] {
    const value = raw[keyword]!;
    const path = join(pointer, keyword);
    if (keyword === '$schema') {
      if (typeof value === 'string' && dialectOf(value) === this.#dialect) return [];
      this.#problems.push({ code: 'SCHEMA_DIALECT_UNSUPPORTED', path, params: { expected: DIALECT } });
      return [];
    }
    if (keyword === '$ref' && typeof value === 'string') return this.#convertReference(value, path);
    if (UNKNOWN_ANCHORS[this.#dialect].has(keyword)) return [];
    if (this.#isOtherwise(raw, keyword)) {
      this.#refuse(keyword, pointer);
      return [];
    }
    if (keyword === 'dependencies' && isObject(value)) return this.#convertDependencies(value, path);
    return [[currentName(raw, keyword), this.#convertMembers(raw, keyword, path)]];
  }

  /** Would 2020-12 give a keyword another meaning than its own dialect does? */
  #isOtherwise(raw: JsonObject, keyword: string): boolean {
    if (UNKNOWN[this.#dialect].has(keyword)) return true;
    const asserts = MEANINGFUL.has(keyword) || Object.hasOwn(OLD_APPLICATORS, keyword);
    if (this.#dialect === 'draft-07' && Object.hasOwn(raw, '$ref')) return asserts && !HARMLESS_BESIDE_REF.has(keyword);
    return (
      keyword === 'dependencies' && ['dependentRequired', 'dependentSchemas'].some((name) => Object.hasOwn(raw, name))
    );
  }

  #convertMembers(raw: JsonObject, keyword: string, path: string): Json {
    const value = raw[keyword]!;
    const holds = isTuple(raw, keyword) ? 'schemas' : holdsOf(keyword);
    // If `items` is not a list, `additionalItems` means nothing in either dialect.
    if (holds === 'schema') return this.#convert(value, path);
    if (holds === 'schemas' && Array.isArray(value)) {
      return value.map((item, index) => this.#convert(item, join(path, index)));
    }
    if (holds !== 'map' || !isObject(value)) return value;
    return Object.fromEntries(Object.keys(value).map((key) => [key, this.#convert(value[key]!, join(path, key))]));
  }

  #convertDependencies(value: JsonObject, path: string): [string, Json][] {
    const names = Object.keys(value);
    const lists = names.filter((name) => Array.isArray(value[name]));
    const schemas = names.filter((name) => !Array.isArray(value[name]));
    const required = lists.map((name): [string, Json] => [name, value[name]!]);
    const dependent = schemas.map((name): [string, Json] => [name, this.#convert(value[name]!, join(path, name))]);
    return [
      ['dependentRequired', Object.fromEntries(required)],
      ['dependentSchemas', Object.fromEntries(dependent)],
    ];
  }

  #convertReference(reference: string, path: string): [string, Json][] {
    const pointer = readPointer(reference);
    if (pointer === undefined) return [['$ref', reference]];
    const current = this.#current.get(pointer);
    if (current !== undefined) return [['$ref', current === pointer ? reference : toReference(current)]];
    // A value below a keyword that the dialect does not know is not a schema of that dialect.
    if (lookUp(this.#root, pointer) === undefined)
      this.#problems.push({ code: 'SCHEMA_REF_UNRESOLVED', path, params: {} });
    else this.#refuse('$ref', path.slice(0, -'/$ref'.length));
    return [];
  }

  #toWritten(pointer: string): string {
    const steps = split(pointer)!;
    for (let length = steps.length; length >= 0; length--) {
      const subschema = this.#written.get(steps.slice(0, length).reduce<string>(join, ''));
      if (subschema === undefined) continue;
      const [keyword, ...rest] = steps.slice(length);
      if (keyword === undefined || !isObject(subschema.raw))
        return steps.slice(length).reduce<string>(join, subschema.pointer);
      return [writtenName(subschema.raw, keyword), ...rest].reduce<string>(join, subschema.pointer);
    }
    return pointer;
  }
}

/** The JSON Pointer of a reference into the same document; undefined for any other reference. */
function readPointer(reference: string): string | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  return decodeFragment(reference.slice(1));
}
