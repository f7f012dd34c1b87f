import type { Report } from '../capability/report.ts';
import { join } from '../json/pointer.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { addFault, showChoices, showValue } from './violation.ts';

/** The part of JSON Schema that the descriptor's own schema uses. */
interface Shape {
  readonly description?: string;
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Shape;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
  /** Alternatives that differ in their type. */
  readonly anyOf?: readonly Shape[];
}

/** Checks fields and their types (SD-1…3). Unknown fields are warnings, `x-…` are free. */
export function checkShape(value: Json, shape: Shape, path: string, report: Report): void {
  const actual = typeName(value);
  if (shape.anyOf !== undefined) {
    const fitting = shape.anyOf.find(({ type }) => type === actual);
    if (fitting !== undefined) checkShape(value, fitting, path, report);
    else {
      const expected = shape.anyOf.map(({ type }) => type).join(' | ');
      addFault(report, 'FIELD_TYPE', path, { expected, actual });
    }
    return;
  }
  if (shape.type === undefined) return;
  if (actual !== shape.type && !(shape.type === 'integer' && Number.isInteger(value))) {
    addFault(report, 'FIELD_TYPE', path, { expected: shape.type, actual });
  } else if (typeof value === 'string') checkText(value, shape, path, report);
  else if (typeof value === 'number') checkRange(value, shape, path, report);
  else if (Array.isArray(value)) checkItems(value, shape, path, report);
  else if (isObject(value)) checkObject(value, shape, path, report);
}

function checkText(value: string, shape: Shape, path: string, report: Report): void {
  const actual = showValue(value);
  const { minLength, maxLength = Number.POSITIVE_INFINITY } = shape;
  if (shape.enum !== undefined && !shape.enum.includes(value)) {
    addFault(report, 'VALUE_NOT_LISTED', path, { expected: showChoices(shape.enum), actual });
  }
  if (minLength !== undefined && value.trim() === '') {
    const field = path.slice(path.lastIndexOf('/') + 1);
    addFault(report, 'FIELD_EMPTY', path, { expected: 'text', actual: showValue(value), field });
  }
  // JSON Schema counts code points; there are never fewer UTF-16 units.
  if (value.length > maxLength && [...value].length > maxLength) {
    addFault(report, 'TEXT_TOO_LONG', path, {
      expected: `at most ${maxLength} characters`,
      actual: `${[...value].length} characters`,
      max: maxLength,
    });
  }
}

function checkRange(value: number, shape: Shape, path: string, report: Report): void {
  const { minimum: min = Number.NEGATIVE_INFINITY, maximum: max = Number.POSITIVE_INFINITY } = shape;
  if (value >= min && value <= max) return;
  addFault(report, 'VALUE_OUT_OF_RANGE', path, { expected: `${min}…${max}`, actual: showValue(value), min, max });
}

function checkItems(items: readonly Json[], shape: Shape, path: string, report: Report): void {
  const { maxItems = Number.POSITIVE_INFINITY, items: item } = shape;
  if (items.length > maxItems) {
    const expected = `at most ${maxItems} entries`;
    addFault(report, 'LIST_TOO_LONG', path, { expected, actual: `${items.length} entries`, max: maxItems });
  }
  if (item === undefined) return;
  for (const [index, value] of items.entries()) checkShape(value, item, join(path, index), report);
}

function checkObject(object: JsonObject, shape: Shape, path: string, report: Report): void {
  const { required = [], properties = {}, additionalProperties: other } = shape;
  for (const field of required) {
    if (Object.hasOwn(object, field)) continue;
    const expected = properties[field]?.type ?? 'value';
    addFault(report, 'FIELD_MISSING', join(path, field), { expected, actual: 'missing', field });
  }
  for (const field of Object.keys(object)) {
    const known = Object.hasOwn(properties, field) ? properties[field] : other;
    if (known !== undefined) checkShape(object[field]!, known, join(path, field), report);
    else if (shape.properties !== undefined && !field.startsWith('x-')) {
      addFault(report, 'FIELD_UNKNOWN', join(path, field), { expected: 'known', actual: 'unknown', field });
    }
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
