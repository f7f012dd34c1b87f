import type { Locale } from '@parley/base';
import { measure } from '../capability/measure.ts';
import { Report } from '../capability/report.ts';
import { isSemVer } from '../capability/semver.ts';
import { isPrintable } from '../display-text.ts';
import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import { isDate, isDateTime } from '../schema/format/date.ts';
import { createGraph } from '../schema/graph.ts';
import { checkAuth } from './check-auth.ts';
import { checkInputs, checkJsonSchema } from './check-inputs.ts';
import { DESCRIPTOR_SCHEMA, type SkillDescriptor } from './descriptor.ts';
import { checkShape } from './shape.ts';
import { checkLink, checkTemplate, checkUrl } from './url.ts';
import { addFault, showValue, toViolations, type Violation } from './violation.ts';

export interface ValidateOptions {
  /** Allows http to loopback addresses (SD-2). */
  readonly development?: boolean;
  readonly locale?: Locale;
}

export interface DescriptorValidation {
  readonly valid: boolean;
  /** All violations in a stable order (SD-5). */
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
  /** The value that was checked, unchanged; present only if it is valid. */
  readonly descriptor?: SkillDescriptor;
}

/** Checks a value of any origin (SD-1…5). It never throws. */
export function validateDescriptor(value: unknown, options: ValidateOptions = {}): DescriptorValidation {
  const { development = false, locale = 'en' } = options;
  const report = new Report();
  if (measure(value, report)) check(value as Json, development, report);
  const found = toViolations(report, locale);
  if (report.hasErrors) return { valid: false, ...found };
  return { valid: true, ...found, descriptor: value as SkillDescriptor };
}

function check(value: Json, development: boolean, report: Report): void {
  const sound = !report.hasErrors;
  checkShape(value, DESCRIPTOR_SCHEMA, '', report);
  if (!isObject(value)) return;
  checkTexts(value, report);
  checkEndpoint(get(value, 'endpoint'), development, report);
  const inputs = get(value, 'inputs');
  if (Array.isArray(inputs)) checkInputs(inputs, sound, report);
  checkOutput(get(value, 'output'), sound, report);
  checkAuth(value, development, report);
  checkTags(get(value, 'tags'), report);
}

type TextCheck = (text: string, path: string, report: Report) => void;

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\\p{Cc}]*"))*$/u;
const CONVENTIONAL_ID = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;
const UNUSABLE_IN_ID = /[/\\?#%]|^\.{1,2}$/;

const checkVersion: TextCheck = (text, path, report) => {
  if (!isSemVer(text)) addFault(report, 'VERSION_INVALID', path, { expected: 'SemVer 2.0.0', actual: showValue(text) });
};

const checkTime: TextCheck = (text, path, report) => {
  if (isDateTime(text) || isDate(text)) return;
  addFault(report, 'TIME_INVALID', path, { expected: 'ISO 8601 time', actual: showValue(text) });
};

const checkId: TextCheck = (id, path, report) => {
  if (id === '') return;
  const { maxLength: max } = DESCRIPTOR_SCHEMA.properties.id;
  const actual = showValue(id);
  if (!isPrintable(id) || UNUSABLE_IN_ID.test(id)) {
    addFault(report, 'ID_INVALID', path, { expected: 'printable id', actual, max });
  } else if (!CONVENTIONAL_ID.test(id)) {
    addFault(report, 'ID_UNCONVENTIONAL', path, { expected: 'reversed domain and name', actual });
  }
};

const checkMediaType: TextCheck = (text, path, report) => {
  if (MEDIA_TYPE.test(text)) return;
  addFault(report, 'MEDIA_TYPE_INVALID', path, { expected: 'media type', actual: showValue(text) });
};

function checkTexts(descriptor: JsonObject, report: Report): void {
  const each = (check: TextCheck, ...steps: readonly string[]) => {
    let value: Json | undefined = descriptor;
    for (const step of steps) value = isObject(value) ? get(value, step) : undefined;
    if (typeof value === 'string') check(value, `/${steps.join('/')}`, report);
  };
  each(checkVersion, 'protocol', 'version');
  each(checkLink, 'protocol', 'changelog_url');
  each(checkId, 'id');
  each(checkVersion, 'version');
  each(checkLink, 'provider', 'url');
  each(checkMediaType, 'endpoint', 'content_type');
  each(checkMediaType, 'output', 'content_type');
  each(checkLink, 'documentation_url');
  each(checkTime, 'created_at');
  each(checkTime, 'updated_at');
}

/** Checks the endpoint and its addresses (SD-2). */
function checkEndpoint(endpoint: Json | undefined, development: boolean, report: Report): void {
  if (!isObject(endpoint)) return;
  const url = get(endpoint, 'url');
  if (typeof url === 'string') checkUrl(url, '/endpoint/url', development, report);
  for (const field of ['status_url', 'result_url']) {
    const template = get(endpoint, field);
    if (typeof template === 'string') checkTemplate(template, `/endpoint/${field}`, development, report);
  }
  if (get(endpoint, 'method') === 'GET') {
    addFault(report, 'METHOD_WITHOUT_BODY', '/endpoint/method', { expected: '"POST"', actual: 'GET' });
  }
  const type = get(endpoint, 'content_type');
  if (typeof type === 'string' && MEDIA_TYPE.test(type) && !isJsonType(type)) {
    const fault = { expected: '"application/json"', actual: showValue(type) };
    addFault(report, 'CONTENT_TYPE_NOT_JSON', '/endpoint/content_type', fault);
  }
}

/** Are bodies of this media type JSON (RFC 6839, section 3.1)? */
export function isJsonType(mediaType: string): boolean {
  return /^(?:application|text)\/(?:[\w!#$&^.-]+\+)?json *(?:;|$)/i.test(mediaType.trim());
}

function checkOutput(output: Json | undefined, sound: boolean, report: Report): void {
  const schema = isObject(output) ? get(output, 'schema') : undefined;
  if (sound && isObject(schema)) checkJsonSchema(schema, '/output/schema', createGraph(), report);
}

function checkTags(tags: Json | undefined, report: Report): void {
  if (!Array.isArray(tags)) return;
  const seen = new Set<Json>();
  for (const [index, tag] of tags.entries()) {
    if (typeof tag === 'string' && seen.has(tag)) {
      addFault(report, 'TAG_DUPLICATE', `/tags/${index}`, { expected: 'unique tag', actual: showValue(tag) });
    }
    seen.add(tag);
  }
}
