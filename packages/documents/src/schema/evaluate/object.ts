import type { Json, JsonObject } from '../../json/value.ts';
import type { SchemaNode } from '../node.ts';
import type { Pattern } from '../pattern.ts';
import type { Run } from './run.ts';
import type { Compile, Test } from './test.ts';
import { matches } from './text.ts';

interface Member {
  readonly isRequired: boolean;
  /** Undefined for a name that is only required. */
  readonly test: Test | undefined;
}

export function compileObject(node: SchemaNode, compile: Compile): Test<JsonObject> | undefined {
  const size = compileSize(node);
  const members = compileMembers(node, compile);
  const dependent = compileDependent(node);
  if (members === undefined && dependent === undefined && size === undefined) return undefined;
  if (dependent === undefined && size === undefined) return members;
  return (value, run, marks) =>
    (size === undefined || size(value, run)) &&
    (members === undefined || members(value, run, marks)) &&
    (dependent === undefined || dependent(value, run));
}

function compileSize(node: SchemaNode): ((value: JsonObject, run: Run) => boolean) | undefined {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = node;
  if (node.minProperties === undefined && node.maxProperties === undefined) return undefined;
  return (value, run) => {
    const count = run.listNames(value).length;
    return count >= minProperties && count <= maxProperties;
  };
}

/** Tests the members one by one, in a single walk over the object's own names. */
function compileMembers(node: SchemaNode, compile: Compile): Test<JsonObject> | undefined {
  const { properties, required, patternProperties, additionalProperties, propertyNames } = node;
  if (!properties && !required && !patternProperties && !additionalProperties && !propertyNames) return undefined;
  const table = tabulate(node, compile);
  const requiredCount = new Set(required).size;
  const patterns = patternProperties?.map(([pattern, child]): PatternTest => [pattern, compile(child)]);
  const additional = additionalProperties && compile(additionalProperties);
  const names = propertyNames && compile(propertyNames);

  return (value, run, marks) => {
    const keys = run.listNames(value);
    let missing = requiredCount;
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place]!;
      if (names !== undefined && !names(key, run)) return false;
      const child = value[key]!;
      const member = table[key];
      if (member?.isRequired) missing--;
      // Undefined until a keyword has covered this member.
      let verdict = member?.test?.(child, run);
      if (patterns !== undefined && verdict !== false) verdict = testByPattern(patterns, key, child, run) ?? verdict;
      if (verdict === undefined) verdict = additional?.(child, run);
      if (verdict === false) return false;
      if (verdict === true) marks?.add(place);
    }
    return missing === 0;
  };
}

type PatternTest = readonly [pattern: Pattern, test: Test];

function testByPattern(patterns: readonly PatternTest[], key: string, child: Json, run: Run): boolean | undefined {
  let verdict: boolean | undefined;
  for (const [pattern, test] of patterns) {
    if (!matches(pattern, key, run)) continue;
    if (!test(child, run)) return false;
    verdict = true;
  }
  return verdict;
}

/** The table has no prototype, so that only declared names are found in it, including `__proto__` and `toString`. */
function tabulate(node: SchemaNode, compile: Compile): Record<string, Member> {
  const table: Record<string, Member> = Object.create(null);
  for (const name of node.required ?? []) table[name] = { isRequired: true, test: undefined };
  for (const [name, child] of node.properties ?? []) {
    table[name] = { isRequired: table[name] !== undefined, test: compile(child) };
  }
  return table;
}

function compileDependent(node: SchemaNode): ((value: JsonObject, run: Run) => boolean) | undefined {
  if (node.dependentRequired === undefined) return undefined;
  const entries = [...node.dependentRequired];
  return (value, run) => {
    for (const [name, needed] of entries) {
      run.spend(1);
      if (!Object.hasOwn(value, name)) continue;
      run.spend(needed.length);
      if (!needed.every((other) => Object.hasOwn(value, other))) return false;
    }
    return true;
  };
}
