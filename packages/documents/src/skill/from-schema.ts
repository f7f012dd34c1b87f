import { equalJson } from '../json/equal.ts';
import { join } from '../json/pointer.ts';
import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import { type ReadSchema, readSchema } from '../schema/read.ts';
import { toReference } from '../schema/reference.ts';
import type { SchemaProblem } from '../schema/scan.ts';
import { INPUT_TYPES, type InputType, type SkillInput } from './descriptor.ts';
import { OWN_KEYWORDS } from './input-schema.ts';
import { relocate } from './relocate.ts';

/** What inputs cannot express: a keyword that relates several of them, or a reference from one to another. */
export interface SchemaLoss {
  readonly path: string;
  readonly reason: 'keyword' | 'reference' | 'type' | 'open';
}

export type InputsFromSchema =
  | { readonly ok: true; readonly inputs: SkillInput[]; readonly losses: readonly SchemaLoss[] }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

const SAID = new Set(['$schema', 'type', 'properties', 'required', 'additionalProperties', '$defs', 'definitions']);
const ANNOTATIONS = new Set(['title', 'description', '$comment', 'examples', 'default', 'deprecated']);

/**
 * Splits one JSON Schema of arguments into a list of inputs, the reverse of `toInputSchema`. Where inputs cannot
 * express the schema, each input alone accepts no more than the schema does, and the loss is listed.
 */
export function toInputs(written: JsonObject): InputsFromSchema {
  const read = readSchema(written);
  if (read.problems.length > 0) return { ok: false, problems: read.problems };
  const schema = read.schema as JsonObject;
  const losses: SchemaLoss[] = [];
  for (const keyword of Object.keys(schema)) {
    if (!SAID.has(keyword) && !ANNOTATIONS.has(keyword)) losses.push({ path: `/${keyword}`, reason: 'keyword' });
  }
  if (get(schema, 'additionalProperties') !== false) losses.push({ path: '/additionalProperties', reason: 'open' });
  const properties = get(schema, 'properties');
  const required = new Set(get(schema, 'required') as readonly string[] | undefined);
  const names = new Set([...(isObject(properties) ? Object.keys(properties) : []), ...required]);
  const inputs = [...names].map((name) => {
    const property = (isObject(properties) ? get(properties, name) : undefined) ?? true;
    return toInput({ name, property, required: required.has(name), read, root: schema }, losses);
  });
  return { ok: true, inputs, losses: losses.map((loss) => ({ ...loss, path: read.written(loss.path) })) };
}

interface Property {
  readonly name: string;
  readonly property: Json;
  readonly required: boolean;
  readonly read: ReadSchema;
  readonly root: JsonObject;
}

function toInput({ name, property, required, read, root }: Property, losses: SchemaLoss[]): SkillInput {
  const at = join('/properties', name);
  const raw = isObject(property) ? property : {};
  const wrapped = unwrap(raw);
  const start = wrapped === undefined ? at : `${at}/allOf/0`;
  const shared = new Set<string>();
  const move = (target: string): string => {
    if (target === start || target.startsWith(`${start}/`)) return toReference(target.slice(start.length));
    const definition = /^\/(?:\$defs|definitions)\/[^/]+/.exec(target);
    if (definition === null) losses.push({ path: at, reason: 'reference' });
    else shared.add(definition[0]);
    return definition === null ? toReference('') : toReference(target);
  };
  const moved = relocate(wrapped ?? raw, read.subschemas, { start, move }) as JsonObject;
  const own = wrapped === undefined ? pickOther(moved) : moved;
  const type = typeOf(raw, read, at);
  if (type.loss) losses.push({ path: at, reason: 'type' });
  const rest = withShared(type.loss ? without(own, 'type') : own, shared, {
    root,
    read,
    clash: () => losses.push({ path: at, reason: 'reference' }),
  });
  const fallback = get(raw, 'default');
  const description = get(raw, 'description');
  return {
    name,
    type: type.name,
    description: typeof description === 'string' ? description : '',
    required,
    ...(fallback === undefined || (fallback === null && type.name !== 'null') ? {} : { default: fallback }),
    ...(Object.keys(rest).length === 0 ? {} : { schema: rest }),
  };
}

/** Restores what `toPropertySchema` kept apart. */
function unwrap(property: JsonObject): JsonObject | undefined {
  const allOf = get(property, 'allOf');
  const others = Object.keys(property).filter((key) => key !== 'allOf' && !OWN_KEYWORDS.includes(key as never));
  const [only] = Array.isArray(allOf) && allOf.length === 1 && others.length === 0 ? allOf : [];
  return isObject(only) && OWN_KEYWORDS.some((keyword) => Object.hasOwn(only, keyword)) ? only : undefined;
}

function pickOther(property: JsonObject): JsonObject {
  const single = typeof get(property, 'type') === 'string';
  const drop = new Set<string>(single ? OWN_KEYWORDS : ['description', 'default']);
  return Object.fromEntries(Object.entries(property).filter(([key]) => !drop.has(key)));
}

function without(schema: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}

const isTypeName = (value: unknown): value is InputType => (INPUT_TYPES as readonly unknown[]).includes(value);

/** An input has one type. Of several the first is taken, null last: then less is accepted, never more. */
function typeOf(property: JsonObject, read: ReadSchema, at: string): { name: InputType; loss: boolean } {
  const type = get(property, 'type');
  if (isTypeName(type)) return { name: type, loss: false };
  const listed = [...(Array.isArray(type) ? type : []), ...alternatives(property), ...typesOfTarget(read, at)];
  const names = listed.filter(isTypeName);
  const loss = new Set(names).size !== 1 || names.length < listed.length;
  return { name: names.find((name) => name !== 'null') ?? names[0] ?? 'string', loss };
}

function alternatives(property: JsonObject): Json[] {
  const branches = ['anyOf', 'oneOf'].flatMap(
    (keyword) => (get(property, keyword) as readonly Json[] | undefined) ?? [],
  );
  const only = get(property, 'const');
  const values = (get(property, 'enum') as readonly Json[] | undefined) ?? (only === undefined ? [] : [only]);
  return [
    ...branches.map((branch) => (isObject(branch) ? (get(branch, 'type') ?? null) : null)),
    ...values.map(nameOf),
  ].flat();
}

function typesOfTarget(read: ReadSchema, at: string): Json[] {
  const target = read.subschemas.get(at)?.ref?.raw;
  const type = isObject(target) ? get(target, 'type') : undefined;
  return type === undefined ? [] : [type].flat();
}

function nameOf(value: Json): InputType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'object' : (typeof value as 'string' | 'number' | 'boolean');
}

interface Source {
  readonly root: JsonObject;
  readonly read: ReadSchema;
  /** Called if the input has a definition of its own by that name. */
  readonly clash: () => void;
}

/** Copies the shared definitions that an input refers to into its schema. */
function withShared(schema: JsonObject, shared: Set<string>, { root, read, clash }: Source): JsonObject {
  const copies: Record<string, Record<string, Json>> = {};
  for (const pointer of shared) {
    const [, holder, name] = pointer.split('/') as [string, '$defs' | 'definitions', string];
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    const own = get(schema, holder);
    const definition = get(get(root, holder) as JsonObject, key)!;
    const move = (target: string): string => {
      const further = /^\/(?:\$defs|definitions)\/[^/]+/.exec(target);
      if (further !== null) shared.add(further[0]);
      return toReference(target);
    };
    const copy = relocate(definition, read.subschemas, { start: pointer, move });
    if (isObject(own) && Object.hasOwn(own, key) && !equalJson(own[key]!, copy)) {
      clash();
      continue;
    }
    copies[holder] ??= { ...(isObject(own) ? own : {}) };
    copies[holder][key] = copy;
  }
  return { ...schema, ...copies };
}
