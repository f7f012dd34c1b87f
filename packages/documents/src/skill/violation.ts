import type { Locale } from '@parley/base';
import type { Report } from '../capability/report.ts';
import { CODES, type TextKey } from '../codes.ts';
import { displayText } from '../display-text.ts';
import type { Finding, Message } from '../json/finding.ts';
import type { Json } from '../json/value.ts';
import { FINDING_TEXTS, type TextTable, toMessage } from '../messages.ts';
import { SKILL_CODES, type SkillCode } from './codes.ts';

/** One fault (SD-5). `expected` and `actual` are the same in every language; the message is in one. */
export interface Violation {
  readonly code: string;
  /** JSON Pointer into the descriptor. */
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
  readonly message: string;
  readonly params: Finding['params'];
}

export interface Violations {
  readonly violations: Violation[];
  readonly warnings: Violation[];
}

const MAX_SHOWN = 100;
export const VIOLATION_TEXTS: TextTable = { ...FINDING_TEXTS, ...SKILL_CODES };

export interface Fault {
  readonly expected: string;
  readonly actual: string;
  readonly [param: string]: string | number;
}

export function addFault(report: Report, code: SkillCode | TextKey, field: string, fault: Fault): void {
  const { severity } = Object.hasOwn(SKILL_CODES, code) ? SKILL_CODES[code as SkillCode] : CODES[code as TextKey];
  const params: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(fault)) {
    params[name] = typeof value === 'string' ? displayText(value, 4 * MAX_SHOWN) : value;
  }
  report.push({ code, severity, path: field, params });
}

/** Shows a value in a violation: short, on one line, containers by their kind. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return displayText(JSON.stringify(value.slice(0, 2 * MAX_SHOWN)), MAX_SHOWN);
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value !== null ? 'object' : displayText(String(value), MAX_SHOWN);
}

export function showChoices(choices: readonly string[]): string {
  return choices.map((choice) => JSON.stringify(choice)).join(' | ');
}

export function toViolations(report: Report, locale: Locale): Violations {
  const all = report.messages(locale, VIOLATION_TEXTS).map((message) => toViolation(message, locale));
  return {
    violations: all.filter(([severity]) => severity === 'error').map(([, violation]) => violation),
    warnings: all.filter(([severity]) => severity === 'warning').map(([, violation]) => violation),
  };
}

/** Codes of the shared JSON checks that carry the manifest's name. */
const RENAMED: Readonly<Record<string, SkillCode>> = {
  MANIFEST_TOO_LARGE: 'DESCRIPTOR_TOO_LARGE',
  MANIFEST_LARGE: 'DESCRIPTOR_LARGE',
  MANIFEST_TOO_DEEP: 'DESCRIPTOR_TOO_DEEP',
};

function toViolation(finding: Finding, locale: Locale): [Finding['severity'], Violation] {
  const code = RENAMED[finding.code] ?? finding.code;
  const { severity, path: field, params, message } = toMessage({ ...finding, code }, locale, VIOLATION_TEXTS);
  const expected = 'expected' in params ? String(params.expected) : expectedOf(params);
  const actual = 'actual' in params ? String(params.actual) : actualOf(params);
  return [severity, { code, field, expected, actual, message, params }];
}

function expectedOf(params: Readonly<Record<string, Json>>): string {
  if ('limit' in params) return `at most ${params.limit}`;
  return typeof params.reason === 'string' ? `no ${params.reason}` : 'valid';
}

function actualOf({ bytes, length, keyword, found, key }: Readonly<Record<string, Json>>): string {
  return String(bytes ?? length ?? keyword ?? found ?? key ?? 'invalid');
}

/** Translates a violation into another language. */
export function translateViolation(violation: Violation, locale: Locale): Violation {
  const { code, field, params } = violation;
  const { message }: Message = toMessage({ code, severity: 'error', path: field, params }, locale, VIOLATION_TEXTS);
  return { ...violation, message };
}
