import type { Json } from '../../json/value.ts';
import { Kind, kindOf, type SchemaNode } from '../node.ts';
import { compileEnum } from './equality.ts';
import { isMultiple } from './number.ts';
import type { Report } from './report.ts';
import type { Run } from './run.ts';
import { countCodePoints, hasFormat, matches } from './text.ts';

const KIND_NAMES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'] as const;

function namesOf(kinds: number): string[] {
  const isNumber = (kinds & Kind.fraction) !== 0;
  return KIND_NAMES.filter((name) => {
    if (name === 'number') return isNumber;
    return name === 'integer' ? !isNumber && kinds & Kind.integer : kinds & Kind[name];
  });
}

/** A finding lists only the first values of a long list. */
const SHOWN = 20;
const SHOWN_LENGTH = 64;

/** Explains type and enum. Returns true if the value passed and the rest of the schema should be checked. */
export function explainType(node: SchemaNode, value: Json, path: string, report: Report, run: Run): boolean {
  const kinds = node.kinds ?? Kind.any;
  if (kinds === 0) {
    report.add('ARG_FORBIDDEN', path);
    return false;
  }
  if ((kindOf(value) & kinds) === 0) {
    report.add('ARG_TYPE', path, { expected: namesOf(kinds) });
    return false;
  }
  if (node.enum === undefined || compileEnum(node.enum)(value, run)) return true;
  const isShort = (allowed: Json) =>
    typeof allowed === 'string' ? allowed.length <= SHOWN_LENGTH : typeof allowed !== 'object' || allowed === null;
  report.add('ARG_ENUM', path, { allowed: node.enum.filter(isShort).slice(0, SHOWN) });
  return false;
}

export function explainNumber(node: SchemaNode, value: number, path: string, report: Report): void {
  report.addBounds('ARG_RANGE', path, value, [
    { keyword: 'minimum', sign: '≥', limit: node.minimum },
    { keyword: 'exclusiveMinimum', sign: '>', limit: node.exclusiveMinimum },
    { keyword: 'maximum', sign: '≤', limit: node.maximum },
    { keyword: 'exclusiveMaximum', sign: '<', limit: node.exclusiveMaximum },
  ]);
  if (node.multipleOf !== undefined && !isMultiple(value, node.multipleOf)) {
    report.add('ARG_MULTIPLE', path, { divisor: node.multipleOf });
  }
}

export function explainText(node: SchemaNode, text: string, path: string, report: Report, run: Run): void {
  const { minLength, maxLength, pattern, format } = node;
  if (minLength !== undefined || maxLength !== undefined) {
    run.spendOnText(text.length);
    report.addBounds('ARG_LENGTH', path, countCodePoints(text), [
      { keyword: 'minLength', sign: '≥', limit: minLength },
      { keyword: 'maxLength', sign: '≤', limit: maxLength },
    ]);
  }
  if (pattern !== undefined && !matches(pattern, text, run)) {
    report.add('ARG_PATTERN', path, { pattern: pattern.source });
  }
  if (format !== undefined && !hasFormat(format, text, run)) report.add('ARG_FORMAT', path, { format: format.name });
}
