import { type Check, compileCheck, isJsonObject, type Json, type JsonObject, readSchema } from '@parley/documents';
import { isJsonType, type SkillOutput } from '@parley/documents/skill';
import type { Block } from '@parley/protocol';

/** A form for an output: one field for each property if they are simple, otherwise one field for all of it. */
export interface ResultForm {
  readonly blocks: readonly Block[];
  /** Returns the output, or the fields that are wrong. */
  read(values: Readonly<Record<string, string | boolean>>): { output: Json } | { wrong: readonly string[] };
}

const MAX_FIELDS = 10;
const MAX_OPTIONS = 100;
const MAX_LABEL = 200;
const WHOLE = 'result';

export function makeForm(output: SkillOutput, label: string): ResultForm {
  const { schema } = output;
  const check = schema === undefined ? undefined : compileCheck(readSchema(schema).root!);
  const fields = isJsonType(output.content_type) ? readFields(schema) : undefined;
  return fields === undefined ? wholeForm(output, label, check) : fieldForm(fields, check);
}

type Kind = 'string' | 'number' | 'integer' | 'boolean';

interface Field {
  readonly name: string;
  readonly kind: Kind;
  readonly required: boolean;
  readonly label: string;
  readonly options?: readonly string[];
}

const KINDS: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** Returns undefined if one of the properties is not simple. */
function readFields(schema: JsonObject | undefined): Field[] | undefined {
  if (schema?.type !== 'object' || !isJsonObject(schema.properties)) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(schema.properties);
  if (entries.length === 0 || entries.length > MAX_FIELDS) return undefined;
  const fields = entries.map(([name, property]): Field | undefined => {
    if (!isJsonObject(property) || !KINDS.includes(property.type) || name.length > 128) return undefined;
    const { type, description, title } = property;
    const label = [title, description].find((text) => typeof text === 'string' && text !== '') ?? name;
    const base = {
      name,
      kind: type as Kind,
      required: required.includes(name),
      label: String(label).slice(0, MAX_LABEL),
    };
    const options = property.enum;
    const choosable = Array.isArray(options) && options.length <= MAX_OPTIONS && options.every(isShort);
    return choosable ? { ...base, options: options as string[] } : base;
  });
  return fields.every((field) => field !== undefined) ? (fields as Field[]) : undefined;
}

const isShort = (value: Json) => typeof value === 'string' && value !== '' && value.length <= 256;

function fieldForm(fields: readonly Field[], check: Check | undefined): ResultForm {
  return {
    blocks: fields.map(({ name, kind, label, required, options }): Block => {
      const base = { id: name, label, required: required && kind !== 'boolean' };
      if (options !== undefined) {
        return { tag: 'select', ...base, options: options.map((value) => ({ value, label: value })) };
      }
      return kind === 'boolean' ? { tag: 'checkbox', ...base } : { tag: 'input', ...base };
    }),
    read: (values) => {
      const entries = fields.flatMap(({ name, kind, required }): [string, Json][] => {
        const given = Object.hasOwn(values, name) ? values[name]! : '';
        if (kind === 'boolean') return [[name, given === true]];
        if (given === '' && !required) return [];
        return [[name, kind === 'string' ? given : toNumber(given)]];
      });
      return judge(Object.fromEntries(entries), check);
    },
  };
}

/** A text that is not a number stays as it is; the check then refuses it. */
function toNumber(text: string | boolean): Json {
  const number = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

function wholeForm({ content_type, schema }: SkillOutput, label: string, check: Check | undefined): ResultForm {
  const asText = content_type.startsWith('text/') || schema?.type === 'string';
  return {
    blocks: [{ tag: 'input', id: WHOLE, label: asText ? label : `${label} (JSON)`, required: true, multiline: true }],
    read: (values) => {
      const text = String((Object.hasOwn(values, WHOLE) ? values[WHOLE] : '') ?? '');
      if (asText) return judge(text, check);
      try {
        return judge(JSON.parse(text) as Json, check);
      } catch {
        return { wrong: [label] };
      }
    },
  };
}

function judge(output: Json, check: Check | undefined): { output: Json } | { wrong: readonly string[] } {
  const result = check?.(output);
  if (result === undefined || result.valid) return { output };
  const wrong = result.findings.map(({ path }) => path.split('/')[1] ?? '').map((name) => name || WHOLE);
  return { wrong: [...new Set(wrong)] };
}
