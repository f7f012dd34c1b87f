import { join } from '../../json/pointer.ts';
import type { Json, JsonObject } from '../../json/value.ts';
import type { SchemaNode } from '../node.ts';
import { areUnique } from './equality.ts';
import type { Report } from './report.ts';
import type { Run } from './run.ts';
import type { Compile } from './test.ts';
import { matches } from './text.ts';

/** What the functions of an explanation share. */
export interface ExplainContext {
  readonly compile: Compile;
  readonly run: Run;
  readonly report: Report;
  readonly explain: (node: SchemaNode, value: Json, path: string) => void;
}

const SHOWN = 20;

export function explainArray(node: SchemaNode, items: readonly Json[], path: string, context: ExplainContext): void {
  const { run, report } = context;
  report.addBounds('ARG_ITEMS', path, items.length, [
    { keyword: 'minItems', sign: '≥', limit: node.minItems },
    { keyword: 'maxItems', sign: '≤', limit: node.maxItems },
  ]);
  if (node.uniqueItems && !areUnique(items, run)) report.add('ARG_UNIQUE', path);
  if (node.contains !== undefined) {
    const test = context.compile(node.contains);
    run.spend(items.length);
    const count = items.filter((item) => test(item, run)).length;
    report.addBounds('ARG_CONTAINS', path, count, [
      { keyword: 'minContains', sign: '≥', limit: node.minContains ?? 1 },
      { keyword: 'maxContains', sign: '≤', limit: node.maxContains },
    ]);
  }
  const prefix = node.prefixItems ?? [];
  for (const [index, item] of items.entries()) {
    const child = prefix[index] ?? node.items;
    if (child === undefined) break;
    context.explain(child, item, join(path, index));
  }
}

export function explainObject(node: SchemaNode, value: JsonObject, path: string, context: ExplainContext): void {
  const { report, run } = context;
  const names = run.listNames(value);
  report.addBounds('ARG_PROPERTIES', path, names.length, [
    { keyword: 'minProperties', sign: '≥', limit: node.minProperties },
    { keyword: 'maxProperties', sign: '≤', limit: node.maxProperties },
  ]);
  for (const name of node.required ?? []) {
    run.spend(1);
    if (!Object.hasOwn(value, name)) report.add('ARG_REQUIRED', path, { name });
  }
  for (const [name, needed] of node.dependentRequired ?? []) {
    run.spend(1 + needed.length);
    if (!Object.hasOwn(value, name)) continue;
    for (const other of needed) {
      if (!Object.hasOwn(value, other)) report.add('ARG_DEPENDENT', path, { name, needed: other });
    }
  }
  for (const name of names) explainMember(node, value, name, join(path, name), context);
}

function explainMember(
  node: SchemaNode,
  object: JsonObject,
  name: string,
  path: string,
  context: ExplainContext,
): void {
  const { properties, patternProperties = [], additionalProperties, propertyNames } = node;
  const { run, report, explain } = context;
  if (propertyNames !== undefined && !context.compile(propertyNames)(name, run)) report.add('ARG_PROPERTY_NAME', path);
  const value = object[name]!;
  const declared = properties?.get(name);
  let isKnown = declared !== undefined;
  if (declared !== undefined) explain(declared, value, path);
  for (const [pattern, child] of patternProperties) {
    if (!matches(pattern, name, run)) continue;
    isKnown = true;
    explain(child, value, path);
  }
  if (!isKnown && additionalProperties !== undefined) explainUnknown(additionalProperties, node, value, path, context);
}

/** Explains a member that only `additionalProperties` or `unevaluatedProperties` covers. */
export function explainUnknown(
  child: SchemaNode,
  parent: SchemaNode,
  value: Json,
  path: string,
  context: ExplainContext,
): void {
  if (child.kinds === 0) {
    const allowed = [...(parent.properties?.keys() ?? [])].slice(0, SHOWN);
    context.report.add('ARG_UNKNOWN_PROPERTY', path, { allowed });
  } else context.explain(child, value, path);
}
