import { join } from '../json/pointer.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import type { Report } from './report.ts';

interface FieldSchema {
  /** A localised text (CM-12) has `anyOf` instead. */
  readonly anyOf?: readonly unknown[];
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly minLength?: number;
}

interface ObjectSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, FieldSchema>>;
}

/** May an author use this name freely (CM-14)? */
export function isExtension(name: string): boolean {
  return name.startsWith('x-');
}

/** Reports missing, unknown and mistyped fields of one object, by its part of the manifest's JSON Schema. */
export function checkFields(object: JsonObject, schema: ObjectSchema, path: string, report: Report): void {
  for (const field of schema.required) {
    if (!Object.hasOwn(object, field)) report.add('FIELD_MISSING', join(path, field), { field });
  }
  for (const field of Object.keys(object)) {
    const known = Object.hasOwn(schema.properties, field) ? schema.properties[field] : undefined;
    if (known !== undefined) checkField(field, object[field]!, known, join(path, field), report);
    else if (!isExtension(field)) report.add('FIELD_UNKNOWN', join(path, field), { field });
  }
}

function checkField(field: string, value: Json, schema: FieldSchema, path: string, report: Report): void {
  if (schema.type === undefined) checkText(value, path, report);
  else if (checkType(value, schema.type, path, report) && schema.minLength !== undefined && value === '') {
    report.add('FIELD_EMPTY', path, { field });
  }
}

function checkText(value: Json, path: string, report: Report): void {
  if (isObject(value)) {
    for (const locale of Object.keys(value)) checkType(value[locale]!, 'string', join(path, locale), report);
  } else if (typeof value !== 'string') {
    report.add('FIELD_TYPE', path, { expected: 'text', actual: typeName(value) });
  }
}

export function checkType(
  value: unknown,
  expected: NonNullable<FieldSchema['type']>,
  path: string,
  report: Report,
): boolean {
  const actual = typeName(value);
  if (actual === expected || (expected === 'integer' && Number.isInteger(value))) return true;
  report.add('FIELD_TYPE', path, { expected, actual });
  return false;
}

export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' || type === 'object' ? type : 'other';
}
