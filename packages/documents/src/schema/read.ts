import { canonicalise } from '../json/canonicalise.ts';
import { equalJson } from '../json/equal.ts';
import { join } from '../json/pointer.ts';
import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import { depthFirst } from './depth-first.ts';
import { upgradeSchema } from './dialect.ts';
import { findFormat } from './format.ts';
import { createGraph, type NodeFields, type SchemaGraph } from './graph.ts';
import { Kind, type SchemaNode } from './node.ts';
import { type SchemaProblem, type Subschema, scan } from './scan.ts';

export interface ReadSchema {
  /** Undefined if there are problems. */
  readonly root?: SchemaNode;
  /** The schema in 2020-12: the original, unless it names an older dialect. */
  readonly schema: Json;
  /** The subschemas by their JSON Pointers into `schema`. */
  readonly subschemas: ReadonlyMap<string, ReadSubschema>;
  /** Translates a pointer into `schema` to one into the original document. */
  readonly written: (pointer: string) => string;
  readonly problems: readonly SchemaProblem[];
  readonly warnings: readonly SchemaWarning[];
}

/** The schema has an older dialect, in which it means the same (CM-6). */
interface SchemaWarning {
  readonly code: 'SCHEMA_DIALECT_OLD';
  readonly path: string;
  readonly params: { readonly dialect: string };
}

export interface ReadSubschema extends Subschema {
  readonly node: SchemaNode;
  readonly ref?: ReadSubschema;
}

/** Checks an untrusted JSON Schema (CM-6, CM-7) and normalises it. */
export function readSchema(raw: Json, graph: SchemaGraph = createGraph()): ReadSchema {
  const upgrade = upgradeSchema(raw);
  const schema = upgrade?.schema ?? raw;
  const written = upgrade?.written ?? ((pointer: string) => pointer);
  const { subschemas, problems: found } = scan(schema, graph);
  const problems = [
    ...(upgrade?.problems ?? []),
    ...found.map((problem) => ({ ...problem, path: written(problem.path) })),
  ];
  const params = { dialect: upgrade?.dialect ?? '' };
  const warnings = upgrade === undefined ? [] : [{ code: 'SCHEMA_DIALECT_OLD', path: '/$schema', params } as const];
  if (problems.length > 0) return { schema, subschemas: new Map(), written, problems, warnings };
  readSubschemas(subschemas, graph);
  const [root, read] = [subschemas.get('')!.node!, subschemas as ReadonlyMap<string, ReadSubschema>];
  return { root, schema, subschemas: read, written, problems, warnings };
}

/**
 * Reads from the inside out. If a reference leads back to a subschema that is still being read, its target is set
 * later.
 */
function readSubschemas(subschemas: ReadonlyMap<string, Subschema>, graph: SchemaGraph): void {
  const waiting = new Map<Subschema, { target: SchemaNode }[]>();
  let family: number | undefined;

  const build = (subschema: Subschema, raw: JsonObject): SchemaNode => {
    const fields = readAssertions(raw, graph);
    const child = (pointer: string) => subschemas.get(pointer)!.node!;
    readApplicators(fields, raw, { pointer: subschema.pointer, child, graph });
    if (subschema.ref === undefined) return graph.intern(fields);
    const target = subschema.ref.node;
    if (target !== undefined) {
      if (Object.keys(fields).length === 0) return target;
      fields.ref = { target };
      return graph.intern(fields);
    }
    // The reference is recursive. Two such references mean the same if everything that any reference of their documents
    // leads to is the same.
    family ??= graph.family(fingerprint(subschemas));
    const reference = { target: graph.anything };
    fields.ref = reference;
    const node = graph.intern(fields, `${family}${JSON.stringify(subschema.ref.pointer)}`);
    if (node.ref === reference) {
      const list = waiting.get(subschema.ref);
      if (list === undefined) waiting.set(subschema.ref, [reference]);
      else list.push(reference);
    }
    return node;
  };

  depthFirst(
    subschemas.values(),
    (subschema) => (subschema.ref ? [...subschema.children, subschema.ref] : subschema.children),
    {
      leave: (subschema) => {
        if (typeof subschema.raw !== 'boolean') subschema.node = build(subschema, subschema.raw);
        else subschema.node = subschema.raw ? graph.anything : graph.nothing;
        for (const reference of waiting.get(subschema) ?? []) reference.target = subschema.node;
      },
    },
  );
}

function fingerprint(subschemas: ReadonlyMap<string, Subschema>): string {
  const targets = new Set<Subschema>();
  for (const subschema of subschemas.values()) if (subschema.ref !== undefined) targets.add(subschema.ref);
  return [...targets]
    .map((target) => `${JSON.stringify(target.pointer)}:${canonicalise(target.raw)}`)
    .sort()
    .join('\n');
}

const COUNTS = ['minLength', 'minItems', 'minProperties'] as const;
const LIMITS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'maxLength',
  'maxItems',
  'maxProperties',
] as const;

function readAssertions(raw: JsonObject, graph: SchemaGraph): NodeFields {
  const fields: NodeFields = {};
  const type = get(raw, 'type');
  if (type !== undefined) fields.kinds = kindsOf(type as string | string[]);
  readEnum(fields, raw);
  for (const name of LIMITS) {
    const value = get(raw, name);
    if (value !== undefined) fields[name] = value as number;
  }
  for (const name of COUNTS) {
    const value = get(raw, name);
    if (value !== undefined && value !== 0) fields[name] = value as number;
  }
  const pattern = get(raw, 'pattern');
  if (pattern !== undefined) fields.pattern = graph.pattern(pattern as string)!;
  const format = get(raw, 'format');
  const known = format === undefined ? undefined : findFormat(format as string);
  if (known !== undefined) fields.format = known;
  if (get(raw, 'uniqueItems') === true) fields.uniqueItems = true;
  const required = get(raw, 'required') as readonly string[] | undefined;
  if (required !== undefined && required.length > 0) fields.required = required;
  const dependent = get(raw, 'dependentRequired');
  if (isObject(dependent) && Object.keys(dependent).length > 0) {
    fields.dependentRequired = new Map(Object.entries(dependent)) as ReadonlyMap<string, readonly string[]>;
  }
  return fields;
}

function readEnum(fields: NodeFields, raw: JsonObject): void {
  const listed = get(raw, 'enum') as readonly Json[] | undefined;
  const only = get(raw, 'const');
  if (listed === undefined && only === undefined) return;
  const values =
    only === undefined ? listed! : listed === undefined ? [only] : listed.filter((v) => equalJson(v, only));
  if (values.length === 0) fields.kinds = 0;
  else fields.enum = values;
}

function kindsOf(type: string | readonly string[]): number {
  let kinds = 0;
  for (const name of typeof type === 'string' ? [type] : type) kinds |= Kind[name as keyof typeof Kind];
  return kinds;
}

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const SINGLES = [
  'not',
  'items',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'if',
] as const;

interface Surroundings {
  readonly pointer: string;
  readonly child: (pointer: string) => SchemaNode;
  readonly graph: SchemaGraph;
}

function readApplicators(fields: NodeFields, raw: JsonObject, { pointer, child, graph }: Surroundings): void {
  for (const name of LISTS) {
    const value = get(raw, name) as readonly Json[] | undefined;
    if (value !== undefined) fields[name] = value.map((_, index) => child(`${pointer}/${name}/${index}`));
  }
  for (const name of SINGLES) if (get(raw, name) !== undefined) fields[name] = child(`${pointer}/${name}`);
  if (fields.if !== undefined) {
    for (const name of ['then', 'else'] as const) {
      if (get(raw, name) !== undefined) fields[name] = child(`${pointer}/${name}`);
    }
  }
  if (fields.contains !== undefined) {
    const least = get(raw, 'minContains');
    const most = get(raw, 'maxContains');
    if (least !== undefined && least !== 1) fields.minContains = least as number;
    if (most !== undefined) fields.maxContains = most as number;
  }
  for (const name of ['properties', 'dependentSchemas'] as const) {
    const value = get(raw, name);
    if (!isObject(value) || Object.keys(value).length === 0) continue;
    fields[name] = new Map(Object.keys(value).map((key) => [key, child(join(`${pointer}/${name}`, key))]));
  }
  const patterns = get(raw, 'patternProperties');
  if (isObject(patterns) && Object.keys(patterns).length > 0) {
    fields.patternProperties = Object.keys(patterns).map((key) => [
      graph.pattern(key)!,
      child(join(`${pointer}/patternProperties`, key)),
    ]);
  }
}
