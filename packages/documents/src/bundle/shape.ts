import { isExtension, typeName } from '../capability/fields.ts';
import { isSemVer } from '../capability/semver.ts';
import { join } from '../json/pointer.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { isDate, isDateTime } from '../schema/format/date.ts';
import type { Level } from './finding.ts';
import type { PartialBundle } from './partial.ts';
import type { Reports } from './reports.ts';
import { BUNDLE_SCHEMA, MAX_ID_LENGTH } from './schema.ts';

type Type = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

interface FieldSchema {
  readonly type: Type | readonly Type[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: FieldSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly 'x-level'?: Level;
  readonly 'x-format'?: keyof typeof FORMATS;
}

const FORMATS = {
  id: {
    code: 'ID_INVALID',
    test: (text: string) => text.length <= MAX_ID_LENGTH && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text),
  },
  semver: { code: 'VERSION_INVALID', test: isSemVer },
  protocol: { code: 'RKT_VERSION_INVALID', test: (text: string) => /^(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(text) },
  digest: { code: 'DIGEST_INVALID', test: (text: string) => /^sha256:[0-9a-f]{8,64}$/.test(text) },
  reference: { code: 'REFERENCE_INVALID', test: isReference },
  time: { code: 'TIME_INVALID', test: (text: string) => isDate(text) || isDateTime(text) },
} as const;

/**
 * Reports missing, mistyped and unknown fields to the level they belong to (BV-1, BV-2, BN-10), and returns the rest of
 * the bundle.
 */
export function readShape(value: JsonObject, reports: Reports): PartialBundle {
  return new Reading(reports).object(value, BUNDLE_SCHEMA, '', 'L1');
}

class Reading {
  readonly #reports: Reports;

  constructor(reports: Reports) {
    this.#reports = reports;
  }

  object(object: JsonObject, schema: FieldSchema, path: string, level: Level): Record<string, unknown> {
    const properties = schema.properties ?? {};
    const read: Record<string, unknown> = {};
    for (const field of schema.required ?? []) {
      if (Object.hasOwn(object, field)) continue;
      // A missing field of the bundle itself is always reported at L1.
      const at = level === 'L1' ? level : (properties[field]?.['x-level'] ?? level);
      this.#reports[at].add('FIELD_MISSING', join(path, field), { field });
    }
    for (const field of Object.keys(object)) {
      const known = Object.hasOwn(properties, field) ? properties[field] : undefined;
      if (known !== undefined) read[field] = this.#field(field, object[field]!, known, join(path, field), level);
      else if (!isExtension(field)) this.#reports[level].add('FIELD_UNKNOWN', join(path, field), { field });
    }
    return read;
  }

  #field(field: string, value: Json, schema: FieldSchema, path: string, level: Level): unknown {
    if (!this.#hasType(value, schema, path, level)) return undefined;
    const own = schema['x-level'] ?? level;
    if (typeof value === 'string') return this.#text(field, value, schema, path, own);
    if (Array.isArray(value)) return this.#list(field, value, schema, path, own);
    if (isObject(value)) {
      // An object without listed properties has a format of its own: a schema, a configuration.
      return schema.properties === undefined ? value : this.object(value, schema, path, inside(own));
    }
    if (typeof value === 'number' && !this.#inRange(value, schema, path, own)) return undefined;
    return value;
  }

  #list(field: string, list: readonly Json[], schema: FieldSchema, path: string, level: Level): unknown[] {
    const { minItems = 0, maxItems: limit = list.length } = schema;
    if (list.length < minItems) this.#reports[level].add('LIST_EMPTY', path, { field });
    if (list.length > limit) this.#reports[level].add('LIST_TOO_LONG', path, { field, limit });
    return list.slice(0, limit).map((item, index) => this.#item(field, item, schema.items!, join(path, index), level));
  }

  #item(field: string, item: Json, schema: FieldSchema, path: string, level: Level): unknown {
    return this.#field(field, item, schema, path, schema.properties === undefined ? level : inside(level));
  }

  #hasType(value: Json, { type }: FieldSchema, path: string, level: Level): boolean {
    const actual = typeName(value);
    const expected: readonly string[] = typeof type === 'string' ? [type] : type;
    if (expected.includes(actual) || (expected.includes('integer') && Number.isInteger(value))) return true;
    this.#reports[level].add('FIELD_TYPE', path, { expected: expected[0]!, actual });
    return false;
  }

  #text(field: string, value: string, schema: FieldSchema, path: string, level: Level): string | undefined {
    const report = this.#reports[level];
    if (schema.minLength !== undefined && value === '') report.add('FIELD_EMPTY', path, { field });
    if (schema.enum !== undefined && !schema.enum.includes(value)) {
      report.add('VALUE_NOT_ALLOWED', path, { value, allowed: schema.enum.join(', ') });
      return undefined;
    }
    const format = schema['x-format'];
    if (format === undefined || FORMATS[format].test(value)) return value;
    report.add(FORMATS[format].code, path, { id: value, max: MAX_ID_LENGTH });
    // A malformed id still identifies its object.
    return format === 'id' ? value : undefined;
  }

  #inRange(value: number, { minimum, exclusiveMinimum }: FieldSchema, path: string, level: Level): boolean {
    if (minimum !== undefined && value < minimum)
      this.#reports[level].add('NUMBER_TOO_SMALL', path, { limit: minimum });
    else if (exclusiveMinimum !== undefined && value <= 0) this.#reports[level].add('NUMBER_NOT_POSITIVE', path, {});
    else return true;
    return false;
  }
}

/** The contents of roles, kits, teams and assertions belong to L2; fields of other levels keep theirs. */
function inside(level: Level): Level {
  return level === 'L1' ? 'L2' : level;
}

/** Is it `slug@version` (BV-3), and not a range or a tag? */
function isReference(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && /^[a-z0-9][a-z0-9._/-]{0,127}$/i.test(text.slice(0, at)) && isSemVer(text.slice(at + 1));
}
