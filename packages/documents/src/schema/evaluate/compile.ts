import { Kind, type SchemaNode } from '../node.ts';
import { compileApplicators } from './applicators.ts';
import { compileArray } from './array.ts';
import { compileEnum } from './equality.ts';
import { EvaluatedMembers, listMembers } from './evaluated-members.ts';
import { compileKinds } from './kinds.ts';
import { memoOf } from './memo.ts';
import { compileNumber } from './number.ts';
import { compileObject } from './object.ts';
import type { Compile, Test } from './test.ts';
import { compileText } from './text.ts';

export interface Compiler {
  /** Compiles the whole schema. */
  compile: Compile;
  /** Compiles it without its `unevaluated…` keywords. */
  compileBase: Compile;
}

/** Compiles each node once, to a closure. */
export function createCompiler(): Compiler {
  const whole = new Map<SchemaNode, Compiled>();
  const bases = new Map<SchemaNode, Test>();

  const compile: Compile = (node) => {
    const known = whole.get(node);
    if (known !== undefined) {
      known.isShared = true;
      return known.test;
    }
    const compiled = isLeaf(node)
      ? { test: compileBase(node), isShared: false }
      : compileLater(() => addUnevaluated(node, compileBase(node), compile));
    whole.set(node, compiled);
    return compiled.test;
  };
  const compileBase: Compile = (node) => {
    let test = bases.get(node);
    if (test === undefined) {
      test = compileKeywords(node, compile);
      bases.set(node, test);
    }
    return test;
  };
  return { compile, compileBase };
}

const APPLICATORS: ReadonlySet<string> = new Set<keyof SchemaNode>([
  'prefixItems',
  'items',
  'contains',
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'dependentSchemas',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'ref',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

const isLeaf = (node: SchemaNode) => !Object.keys(node).some((keyword) => APPLICATORS.has(keyword));

interface Compiled {
  readonly test: Test;
  /** True if more than one part of the schema leads to it. */
  isShared: boolean;
}

/**
 * Compiles on first use: a schema may lead back to itself, and a chain of references may be longer than the stack.
 * Where the number of paths through a schema doubles again and again, each doubling ends at a shared node: with the
 * answers of those remembered, a check takes no longer than schema times value.
 */
function compileLater(build: () => Test): Compiled {
  let test: Test | undefined;
  const compiled: Compiled = {
    isShared: false,
    test: (value, run, marks) => {
      test ??= build();
      run.enter();
      const remembers = run.isLong && compiled.isShared;
      const result = remembers ? memoOf(run).ask(test, value, run, marks) : test(value, run, marks);
      run.leave();
      return result;
    },
  };
  return compiled;
}

const acceptAll: Test = () => true;

function compileKeywords(node: SchemaNode, compile: Compile): Test {
  const tests: Test[] = [];
  const byKind = compileKinds(node.kinds ?? Kind.any, {
    number: compileNumber(node),
    text: compileText(node),
    array: compileArray(node, compile),
    object: compileObject(node, compile),
  });
  if (byKind !== undefined) tests.push(byKind);
  if (node.enum !== undefined) tests.push(compileEnum(node.enum));
  tests.push(...compileApplicators(node, compile));

  const [first = acceptAll, second] = tests;
  if (second === undefined) return first;
  if (tests.length === 2) return (value, run, marks) => first(value, run, marks) && second(value, run, marks);
  return (value, run, marks) => {
    for (const test of tests) {
      run.spend(1);
      if (!test(value, run, marks)) return false;
    }
    return true;
  };
}

function addUnevaluated(node: SchemaNode, base: Test, compile: Compile): Test {
  if (node.unevaluatedItems === undefined && node.unevaluatedProperties === undefined) return base;
  const items = node.unevaluatedItems && compile(node.unevaluatedItems);
  const properties = node.unevaluatedProperties && compile(node.unevaluatedProperties);
  return (value, run, outer) => {
    const test = Array.isArray(value) ? items : properties;
    if (test === undefined || typeof value !== 'object' || value === null) return base(value, run, outer);
    const members = listMembers(value, run);
    const marks = new EvaluatedMembers(members.length);
    if (!base(value, run, marks)) return false;
    for (let place = 0; place < members.length; place++) {
      if (!marks.has(place) && !test(members[place]!, run)) return false;
    }
    outer?.addAll();
    return true;
  };
}
