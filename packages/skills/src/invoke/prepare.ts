import {
  type Check,
  compileCheck,
  displayText,
  isJsonObject,
  type Json,
  type JsonObject,
  readSchema,
  toMessage,
} from '@parley/documents';
import {
  ENDPOINT_DEFAULTS,
  findIncompatibility,
  hasDefault,
  type SkillDescriptor,
  toInputSchema,
  validateDescriptor,
} from '@parley/documents/skill';
import type { Redactor } from '../http/redact.ts';
import { SkillError } from '../skill-error.ts';

/** A descriptor that was checked, with its schemas compiled. */
export interface PreparedSkill {
  readonly descriptor: SkillDescriptor;
  readonly checkInputs: Check;
  readonly checkOutput: Check | undefined;
  readonly defaults: readonly (readonly [name: string, value: Json])[];
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly backoffMs: number;
}

/** Remembers the skills that it prepared: a descriptor must not be changed between two invocations. */
export function createPreparer(development: boolean): (descriptor: SkillDescriptor) => PreparedSkill {
  const prepared = new WeakMap<SkillDescriptor, PreparedSkill>();
  return (descriptor) => {
    let skill = prepared.get(descriptor);
    if (skill === undefined) {
      skill = prepare(descriptor, development);
      prepared.set(descriptor, skill);
    }
    return skill;
  };
}

function prepare(value: SkillDescriptor, development: boolean): PreparedSkill {
  const descriptor = checkDescriptor(value, development);
  const { endpoint, inputs, output } = descriptor;
  const root = readSchema(toInputSchema(inputs)).root!;
  const outputRoot = output.schema === undefined ? undefined : readSchema(output.schema).root!;
  return {
    descriptor,
    checkInputs: compileCheck(root),
    checkOutput: outputRoot === undefined ? undefined : compileCheck(outputRoot),
    defaults: inputs
      .filter((input) => !input.required && hasDefault(input))
      .map((input) => [input.name, input.default!]),
    timeoutMs: endpoint.timeout_ms ?? ENDPOINT_DEFAULTS.timeout_ms,
    maxAttempts: endpoint.retry?.max_attempts ?? ENDPOINT_DEFAULTS.max_attempts,
    backoffMs: endpoint.retry?.backoff_ms ?? ENDPOINT_DEFAULTS.backoff_ms,
  };
}

/** Checks a descriptor of any origin (SD-1…6). */
export function checkDescriptor(value: unknown, development: boolean): SkillDescriptor {
  const { descriptor, violations } = validateDescriptor(value, { development });
  if (descriptor === undefined) {
    const params = { violation_count: violations.length };
    throw new SkillError('VALIDATION_ERROR', { params, details: { violations } });
  }
  const incompatibility = findIncompatibility(descriptor.protocol);
  if (incompatibility !== undefined) {
    const details = { ...incompatibility };
    throw new SkillError('VERSION_INCOMPATIBLE', { params: details, details });
  }
  return descriptor;
}

/** Returns the inputs as they are sent: JSON with defaults filled in, checked (SI-2). */
export function fillInputs(skill: PreparedSkill, inputs: Readonly<Record<string, unknown>>): JsonObject {
  // The copy through JSON makes sure that exactly what is checked is sent, even if the caller changes its object.
  const given = JSON.parse(JSON.stringify(inputs) ?? 'null') as JsonObject;
  const missing = isJsonObject(given) ? skill.defaults.filter(([name]) => !Object.hasOwn(given, name)) : [];
  const filled = missing.length === 0 ? given : Object.fromEntries([...Object.entries(given), ...missing]);
  const { valid, findings } = skill.checkInputs(filled);
  if (valid) return filled;
  throw invalid('VALIDATION_ERROR', findings, '/inputs');
}

export function checkOutput(skill: PreparedSkill, output: Json, redact: Redactor): Json {
  const result = skill.checkOutput?.(output);
  if (result === undefined || result.valid) return output;
  // A path contains names that the provider chose.
  const findings = result.findings.map((finding) => ({ ...finding, path: displayText(redact.text(finding.path)) }));
  throw invalid('OUTPUT_INVALID', findings, '/output');
}

function invalid(
  code: 'VALIDATION_ERROR' | 'OUTPUT_INVALID',
  findings: ReturnType<Check>['findings'],
  base: string,
): SkillError {
  const violations = findings.map((finding) => {
    const { message, params } = toMessage(finding, 'en');
    const expected = String(params.expected ?? params.bound ?? params.allowed ?? params.format ?? finding.code);
    return { code: finding.code, field: `${base}${finding.path}`, expected, actual: 'invalid', message, params };
  });
  return new SkillError(code, { params: { violation_count: violations.length }, details: { violations } });
}
