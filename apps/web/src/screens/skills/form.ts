import { compileCheck, displayText, type Json, readSchema, toMessage } from '@parley/documents';
import { hasDefault, type SkillInput, toInputSchema } from '@parley/documents/skill';
import { currentLocale } from '../../i18n/index.ts';

/** The texts in the form by the name of the input; empty inputs are missing. */
export type Entered = ReadonlyMap<string, string>;

export type FieldProblem = { readonly code: 'needed' | 'numberWrong' | 'jsonWrong'; readonly message?: string };

interface Read {
  readonly inputs: Readonly<Record<string, Json>>;
  readonly problems: ReadonlyMap<string, FieldProblem>;
}

/** The kind of field for an input. */
export function kindOf(input: SkillInput): 'choice' | 'text' | 'number' | 'yes-no' | 'json' | 'null' {
  if (choicesOf(input) !== undefined) return 'choice';
  if (input.type === 'string') return 'text';
  if (input.type === 'number' || input.type === 'integer') return 'number';
  if (input.type === 'boolean') return 'yes-no';
  return input.type === 'null' ? 'null' : 'json';
}

export function choicesOf({ schema }: SkillInput): readonly Json[] | undefined {
  const values = schema?.enum;
  return Array.isArray(values) && values.length > 0 && values.length <= 200 ? (values as Json[]) : undefined;
}

/** A required input must be sent, so the form shows its default (SD-3). Other defaults are filled in later. */
export function startForm(fields: readonly SkillInput[]): Entered {
  return new Map(
    fields
      .filter((field) => field.required && (hasDefault(field) || field.type === 'null'))
      .map((field) => [field.name, writeField(field, field.default ?? null)]),
  );
}

export function writeField(field: SkillInput, value: Json): string {
  return kindOf(field) === 'text' && typeof value === 'string' ? value : JSON.stringify(value);
}

/** Converts the texts of a form to inputs, or says what is wrong with each. The caller fills in defaults (SI-2). */
export function readForm(fields: readonly SkillInput[], entered: Entered): Read {
  const found: [string, Json][] = [];
  const problems = new Map<string, FieldProblem>();
  for (const field of fields) {
    const text = entered.get(field.name);
    if (text === undefined || (text === '' && kindOf(field) !== 'null')) {
      if (field.required) problems.set(field.name, { code: 'needed' });
      continue;
    }
    const read = readField(field, text);
    if ('value' in read) found.push([field.name, read.value]);
    else problems.set(field.name, read.problem);
  }
  // An object literal would not do, because an input may be called __proto__.
  return { inputs: Object.fromEntries(found), problems };
}

function readField(field: SkillInput, text: string): { value: Json } | { problem: FieldProblem } {
  switch (kindOf(field)) {
    case 'text':
      return { value: text };
    case 'null':
      return { value: null };
    case 'yes-no':
      return { value: text === 'true' };
    case 'number': {
      const value = Number(text);
      const isWrong = !Number.isFinite(value) || (field.type === 'integer' && !Number.isInteger(value));
      return isWrong ? { problem: { code: 'numberWrong' } } : { value };
    }
    default:
      return readJson(text);
  }
}

function readJson(text: string): { value: Json } | { problem: FieldProblem } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { problem: { code: 'jsonWrong', message: displayText(String((error as Error).message), 120) } };
  }
}

/** Validates the values against the schemas of the inputs before they are sent. */
export function checkInputs(fields: readonly SkillInput[], inputs: Readonly<Record<string, Json>>): string[] {
  const { root } = readSchema(toInputSchema(fields));
  if (root === undefined) return [];
  const check = compileCheck(root);
  const filled = { ...defaultsOf(fields), ...inputs };
  const result = check(filled);
  if (result.valid) return [];
  return result.findings.map((finding) => {
    const { path, message } = toMessage(finding, currentLocale());
    return path === '' ? message : `${displayText(path.slice(1), 60)}: ${message}`;
  });
}

function defaultsOf(fields: readonly SkillInput[]): Record<string, Json> {
  return Object.fromEntries(
    fields.filter((field) => !field.required && hasDefault(field)).map(({ name, default: value }) => [name, value!]),
  );
}

/** What was filled in before, as far as this version of the skill has such fields. Anything but that is nothing. */
export function readKept(text: string, fields: readonly SkillInput[]): Entered | undefined {
  if (text === '') return undefined;
  const names = new Set(fields.map(({ name }) => name));
  try {
    const kept = JSON.parse(text) as [string, unknown][];
    return new Map(kept.filter((one): one is [string, string] => names.has(one[0]) && typeof one[1] === 'string'));
  } catch {
    return undefined;
  }
}
