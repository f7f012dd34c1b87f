import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { type JsonNode, keysOf, pathOf } from './json-location.ts';

/** The part of JSON Schema that our own schemas use for structure. */
export interface SchemaHint {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaHint>>;
  readonly required?: readonly string[];
  readonly items?: SchemaHint;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

/** Completes names and values from one of our JSON Schemas. */
export function completeFromSchema(schema: SchemaHint): CompletionSource {
  return (context) => {
    const text = context.state.doc.toString();
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    return node.name === 'PropertyName' || node.name === 'Object'
      ? completeName(schema, { text, node, context })
      : completeValue(schema, { text, node, context });
  };
}

interface Location {
  readonly text: string;
  readonly node: JsonNode;
  readonly context: CompletionContext;
}

function completeName(schema: SchemaHint, { text, node, context }: Location): CompletionResult | null {
  const isName = node.name === 'PropertyName';
  if (!isName && !context.explicit && !/[{,]\s*$/.test(text.slice(0, context.pos))) return null;
  const object = isName ? node.parent?.parent : node;
  if (!object) return null;
  const { properties = {}, required = [] } = lookUp(schema, pathOf(text, object)) ?? {};
  const taken = new Set(keysOf(text, object));
  const options = Object.entries(properties)
    .filter(([name]) => !taken.has(name) || (isName && text.slice(node.from, node.to) === JSON.stringify(name)))
    .map(([name, hint]): Completion => {
      const hasValue = isName && /^\s*:/.test(text.slice(node.to));
      return {
        label: JSON.stringify(name),
        apply: hasValue ? JSON.stringify(name) : `${JSON.stringify(name)}: ${startOf(hint)}`,
        type: 'property',
        boost: required.includes(name) ? 1 : 0,
        ...(hint.type === undefined ? {} : { detail: String(hint.type) }),
        ...(hint.description === undefined ? {} : { info: hint.description }),
      };
    });
  return { from: isName ? node.from : context.pos, options, filter: isName };
}

function completeValue(schema: SchemaHint, { text, node, context }: Location): CompletionResult | null {
  const isValue = ['String', 'Number', 'True', 'False', 'Null'].includes(node.name);
  if (!isValue && node.name !== 'Property') return null;
  const path = isValue ? pathOf(text, node) : pathOfProperty(text, node);
  const hint = lookUp(schema, path);
  if (hint === undefined) return null;
  const values = [
    ...(hint.const === undefined ? [] : [hint.const]),
    ...(hint.enum ?? []),
    ...(hint.examples ?? []),
    ...(hint.type === 'boolean' ? [true, false] : []),
  ];
  if (values.length === 0) return null;
  const options = [...new Set(values.map((value) => JSON.stringify(value)))].map(
    (label): Completion => ({ label, type: 'enum' }),
  );
  return { from: isValue ? node.from : context.pos, options, filter: isValue };
}

function pathOfProperty(text: string, property: JsonNode): (string | number)[] {
  const name = property.getChild('PropertyName');
  if (name === null) return [];
  return [...pathOf(text, property), JSON.parse(text.slice(name.from, name.to)) as string];
}

function lookUp(schema: SchemaHint, path: readonly (string | number)[]): SchemaHint | undefined {
  return path.reduce<SchemaHint | undefined>((hint, step) => {
    if (typeof step === 'number') return hint?.items;
    return Object.hasOwn(hint?.properties ?? {}, step) ? hint?.properties?.[step] : undefined;
  }, schema);
}

/** Returns the text that a value of this type begins with. */
function startOf(hint: SchemaHint): string {
  if (hint.const !== undefined) return JSON.stringify(hint.const);
  if (hint.default !== undefined) return JSON.stringify(hint.default);
  if (hint.type === 'object') return '{}';
  if (hint.type === 'array') return '[]';
  return hint.type === 'string' ? '""' : '';
}
