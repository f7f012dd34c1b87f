import { isObject, type Json } from '../../json/value.ts';
import type { SchemaNode } from '../node.ts';
import type { EvaluatedMembers } from './evaluated-members.ts';
import type { Run } from './run.ts';
import type { Compile, Test } from './test.ts';

/** Compiles the applicators of the same value (core, section 10.2). */
export function compileApplicators(node: SchemaNode, compile: Compile): Test[] {
  const tests: Test[] = [];
  if (node.ref !== undefined) tests.push(compile(node.ref.target));
  if (node.allOf !== undefined) tests.push(...node.allOf.map(compile));
  if (node.anyOf !== undefined) tests.push(compileAnyOf(node.anyOf.map(compile)));
  if (node.oneOf !== undefined) tests.push(compileOneOf(node.oneOf.map(compile)));
  if (node.not !== undefined) tests.push(compileNot(compile(node.not)));
  if (node.if !== undefined) tests.push(compileIf(node, compile));
  if (node.dependentSchemas !== undefined) tests.push(compileDependentSchemas(node.dependentSchemas, compile));
  return tests;
}

function compileAnyOf(branches: readonly Test[]): Test {
  return (value, run, marks) => {
    let matched = false;
    for (const branch of branches) {
      run.spend(1);
      if (tryBranch(branch, value, run, marks)) {
        // Every branch that matches contributes evaluated members; without a collector one is enough.
        if (marks === undefined) return true;
        matched = true;
      }
    }
    return matched;
  };
}

function compileOneOf(branches: readonly Test[]): Test {
  return (value, run, marks) => {
    let matched = false;
    for (const branch of branches) {
      run.spend(1);
      if (!tryBranch(branch, value, run, marks)) continue;
      if (matched) return false;
      matched = true;
    }
    return matched;
  };
}

function compileNot(test: Test): Test {
  return (value, run) => !test(value, run);
}

function compileIf(node: SchemaNode, compile: Compile): Test {
  const condition = compile(node.if!);
  const whenTrue = node.then && compile(node.then);
  const whenFalse = node.else && compile(node.else);
  return (value, run, marks) => {
    run.spend(1);
    const next = tryBranch(condition, value, run, marks) ? whenTrue : whenFalse;
    return next === undefined || next(value, run, marks);
  };
}

function compileDependentSchemas(schemas: ReadonlyMap<string, SchemaNode>, compile: Compile): Test {
  const entries = [...schemas].map(([name, node]) => [name, compile(node)] as const);
  return (value, run, marks) => {
    if (!isObject(value)) return true;
    for (const [name, test] of entries) {
      run.spend(1);
      if (Object.hasOwn(value, name) && !test(value, run, marks)) return false;
    }
    return true;
  };
}

/** A branch that fails leaves no members marked. */
function tryBranch(branch: Test, value: Json, run: Run, marks: EvaluatedMembers | undefined): boolean {
  if (marks === undefined) return branch(value, run);
  const saved = marks.save();
  if (branch(value, run, marks)) return true;
  marks.restore(saved);
  return false;
}
