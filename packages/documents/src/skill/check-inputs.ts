import type { Report } from '../capability/report.ts';
import { isPrintable } from '../display-text.ts';
import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import { createComparer } from '../schema/contain/index.ts';
import { compileCheck } from '../schema/evaluate.ts';
import { createGraph, type SchemaGraph } from '../schema/graph.ts';
import { readSchema } from '../schema/read.ts';
import { INPUT_SCHEMA, INPUT_TYPES, type SkillInput } from './descriptor.ts';
import { hasDefault, toInputSchema, toPropertySchema } from './input-schema.ts';
import { addFault, showValue } from './violation.ts';

const MAX_NAME = INPUT_SCHEMA.properties.name.maxLength;
/** The limit for all defaults together. */
const MAX_STEPS = 1_000_000;

/** Checks names, schemas and defaults (SD-3). `sound`: the whole descriptor is JSON of bounded depth. */
export function checkInputs(inputs: readonly Json[], sound: boolean, report: Report): void {
  const unique = checkNames(inputs, report);
  if (!sound) return;
  const graph = createGraph();
  const usable = inputs.map((input, index) => checkSchema(input, `/inputs/${index}`, graph, report));
  const comparer = createComparer(graph);
  for (const [index, input] of inputs.entries()) {
    if (!usable[index] || !isInput(input)) continue;
    const { root } = readSchema(toPropertySchema(input, '', graph), graph);
    if (root === undefined) continue;
    const path = `/inputs/${index}`;
    if (comparer.findRejected([root], [graph.nothing]).exists === 'no') {
      const { type } = input;
      addFault(report, 'INPUT_TYPE_CONTRADICTED', `${path}/schema`, { expected: type, actual: 'nothing', type });
    } else checkDefault(input, { check: compileCheck(root), maxSteps: MAX_STEPS / inputs.length }, path, report);
  }
  if (unique && !usable.includes(false) && inputs.every(isInput)) checkWhole(inputs, report);
}

/** Returns whether all names are unique. */
function checkNames(inputs: readonly Json[], report: Report): boolean {
  const paths = new Map<string, string>();
  for (const [index, input] of inputs.entries()) {
    const name = isObject(input) ? get(input, 'name') : undefined;
    if (typeof name !== 'string') continue;
    const path = `/inputs/${index}`;
    const actual = showValue(name);
    if (name !== '' && !isPrintable(name)) {
      addFault(report, 'INPUT_NAME_INVALID', `${path}/name`, { expected: 'printable name', actual, max: MAX_NAME });
    }
    const first = paths.get(name);
    if (first === undefined) paths.set(name, path);
    else addFault(report, 'INPUT_NAME_DUPLICATE', `${path}/name`, { expected: 'unique name', actual, first });
  }
  return paths.size === inputs.length;
}

function isInput(input: Json): input is Json & SkillInput {
  if (!isObject(input)) return false;
  const texts = ['name', 'description'].every((field) => typeof get(input, field) === 'string');
  return texts && (INPUT_TYPES as readonly unknown[]).includes(get(input, 'type'));
}

function checkSchema(input: Json, path: string, graph: SchemaGraph, report: Report): boolean {
  const schema = isObject(input) ? get(input, 'schema') : undefined;
  return schema === undefined || (isObject(schema) && checkJsonSchema(schema, `${path}/schema`, graph, report));
}

/** Checks one JSON Schema (CM-6, CM-7). */
export function checkJsonSchema(schema: JsonObject, path: string, graph: SchemaGraph, report: Report): boolean {
  const { problems, warnings } = readSchema(schema, graph);
  for (const problem of problems) {
    report.push({ code: problem.code, severity: 'error', path: `${path}${problem.path}`, params: problem.params });
  }
  for (const { code, path: at, params } of warnings) {
    report.push({ code, severity: 'warning', path: `${path}${at}`, params: { ...params } });
  }
  return problems.length === 0;
}

function checkDefault(
  input: SkillInput,
  { check, maxSteps }: { check: ReturnType<typeof compileCheck>; maxSteps: number },
  path: string,
  report: Report,
): void {
  if (!hasDefault(input)) return;
  const actual = showValue(input.default);
  if (input.required) addFault(report, 'INPUT_DEFAULT_UNUSED', `${path}/default`, { expected: 'missing', actual });
  const [finding] = check(input.default!, { maxSteps, maxFindings: 1 }).findings;
  if (finding === undefined) return;
  const fault = { expected: `a fitting ${input.type}`, actual, problem: finding.code, at: finding.path };
  addFault(report, 'INPUT_DEFAULT_INVALID', `${path}/default`, fault);
}

/** Each schema was within its limits; together they become one schema when the skill is offered as a tool. */
function checkWhole(inputs: readonly SkillInput[], report: Report): void {
  for (const problem of readSchema(toInputSchema(inputs)).problems) {
    report.push({ code: problem.code, severity: 'error', path: '/inputs', params: problem.params });
  }
}
