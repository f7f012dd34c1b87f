import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import { createGraph, type SchemaGraph } from '../schema/graph.ts';
import { readSchema } from '../schema/read.ts';
import { checkFields, checkType } from './fields.ts';
import { TIMEOUT_MS, TOOL_SCHEMA } from './manifest.ts';
import type { Report } from './report.ts';

const TOOL_NAME = new RegExp(TOOL_SCHEMA.properties.name.pattern);

export interface ToolContext {
  /** Undefined if the list of scopes is itself unusable. */
  readonly scopes: ReadonlySet<Json | undefined> | undefined;
  /** Whether the whole manifest is JSON of bounded depth, which reading a schema relies on. */
  readonly sound: boolean;
}

/** Checks the tools: names, schemas and scopes (CM-4…CM-8). */
export function checkTools(tools: readonly Json[], { scopes, sound }: ToolContext, report: Report): void {
  const paths = new Map<string, string>();
  const graph = createGraph();
  for (const [index, tool] of tools.entries()) {
    const path = `/tools/${index}`;
    if (!checkType(tool, 'object', path, report)) continue;
    checkFields(tool as JsonObject, TOOL_SCHEMA, path, report);
    checkName(get(tool as JsonObject, 'name'), path, paths, report);
    checkTimeout(get(tool as JsonObject, 'timeout_ms'), path, report);
    checkScopeReference(get(tool as JsonObject, 'permission_scope'), path, scopes, report);
    const schema = get(tool as JsonObject, 'input_schema');
    if (sound && isObject(schema)) checkInputSchema(schema, `${path}/input_schema`, graph, report);
  }
}

function checkName(name: Json | undefined, path: string, paths: Map<string, string>, report: Report): void {
  if (typeof name !== 'string') return;
  if (!TOOL_NAME.test(name)) report.add('TOOL_NAME_INVALID', `${path}/name`, { name });
  const first = paths.get(name);
  if (first === undefined) paths.set(name, path);
  else report.add('TOOL_NAME_DUPLICATE', `${path}/name`, { name, first });
}

function checkTimeout(timeout: Json | undefined, path: string, report: Report): void {
  if (!Number.isInteger(timeout)) return;
  const { min, max } = TIMEOUT_MS;
  if ((timeout as number) < min || (timeout as number) > max) {
    report.add('TIMEOUT_OUT_OF_RANGE', `${path}/timeout_ms`, { min, max });
  }
}

function checkScopeReference(
  scope: Json | undefined,
  path: string,
  scopes: ReadonlySet<Json | undefined> | undefined,
  report: Report,
): void {
  if (typeof scope !== 'string' || scopes === undefined || scopes.has(scope)) return;
  report.add('SCOPE_UNDECLARED', `${path}/permission_scope`, { scope });
}

function checkInputSchema(schema: JsonObject, path: string, graph: SchemaGraph, report: Report): void {
  if (get(schema, 'type') !== 'object') report.add('SCHEMA_ROOT_NOT_OBJECT', `${path}/type`, {});
  if (get(schema, 'additionalProperties') !== false) report.add('SCHEMA_OPEN', `${path}/additionalProperties`, {});
  const { problems, warnings } = readSchema(schema, graph);
  for (const problem of problems) {
    report.push({ code: problem.code, severity: 'error', path: `${path}${problem.path}`, params: problem.params });
  }
  for (const warning of warnings) report.add(warning.code, `${path}${warning.path}`, warning.params);
}
