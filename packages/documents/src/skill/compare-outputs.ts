import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import { createSchemaDiff, type SchemaChange } from '../schema/diff/index.ts';
import type { ChangeFact } from './change-fact.ts';
import type { SkillOutput } from './descriptor.ts';

const SCHEMA = '/output/schema';

/** Everything that a consumer could rely on must still be reliable (SD-7). */
export function compareOutputs(before: SkillOutput, after: SkillOutput): ChangeFact[] {
  const changes: ChangeFact[] = [];
  if (before.content_type !== after.content_type) {
    const params = { before: before.content_type, after: after.content_type };
    changes.push({ code: 'output.content_type_changed', path: '/output/content_type', side: 'new', params });
  }
  const [was, is]: [Json, Json] = [before.schema ?? true, after.schema ?? true];
  changes.push(...compareSchemas(was, is));
  if (before.description !== after.description) {
    const side = after.description === undefined ? 'old' : 'new';
    changes.push({ code: 'text.changed', path: '/output/description', side, params: { field: 'output.description' } });
  }
  return changes;
}

/** An output may only narrow, so the question is reversed: would the old schema reject a new value? */
function compareSchemas(was: Json, is: Json): ChangeFact[] {
  const removed = removedProperties(was, is).map(
    ([property, path]): ChangeFact => ({
      code: 'output.property_removed',
      path: `${SCHEMA}${path}`,
      side: 'old',
      params: { property },
    }),
  );
  const edits = createSchemaDiff()(is, was);
  const broken = edits.filter(({ code }) => REJECTING.has(code)).map(toFact);
  if (removed.length > 0 || broken.length > 0) {
    const known = new Set(removed.map(({ path }) => path));
    return [...removed, ...broken.filter(({ path }) => !known.has(path))];
  }
  const narrowed = edits.some(({ code }) => code !== 'schema.annotation');
  return narrowed ? [{ code: 'output.narrowed', path: SCHEMA, side: 'new', params: {} }] : [];
}

/** Codes that, for the reversed question, mean that a new value is possible. */
const REJECTING: ReadonlySet<SchemaChange['code']> = new Set([
  'schema.required_added',
  'schema.type_changed',
  'schema.closed',
  'schema.enum_removed',
  'schema.narrowed',
]);

function toFact({ code, path, side, witness, undecided }: SchemaChange): ChangeFact {
  return {
    code: code === 'schema.type_changed' ? 'output.type_changed' : undecided ? 'output.undecided' : 'output.widened',
    path: `${SCHEMA}${path}`,
    side: side === 'new' ? 'old' : 'new',
    params: {},
    ...(witness === undefined ? {} : { witness }),
  };
}

/** The rule names this, so it counts even if containment alone would let it pass. */
function removedProperties(was: Json, is: Json): [name: string, path: string][] {
  const [old, now] = [was, is].map((schema) => (isObject(schema) ? get(schema, 'properties') : undefined));
  if (!isObject(old)) return [];
  const left: JsonObject = isObject(now) ? now : {};
  return Object.keys(old)
    .filter((name) => !Object.hasOwn(left, name))
    .map((name) => [name, `/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`]);
}
