import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { Kind, kindOf } from '../node.ts';
import type { Test } from './test.ts';

/** The tests for values of each kind. */
export interface KindTests {
  readonly number: Test<number> | undefined;
  readonly text: Test<string> | undefined;
  readonly array: Test<readonly Json[]> | undefined;
  readonly object: Test<JsonObject> | undefined;
}

/** Returns undefined if every value passes. */
export function compileKinds(kinds: number, tests: KindTests): Test | undefined {
  const { number, text, array, object } = tests;
  const pure = compilePure(kinds);
  if (kinds === Kind.object && object) return (value, run, marks) => isObject(value) && object(value, run, marks);
  if (kinds === Kind.string && text) return (value, run) => typeof value === 'string' && text(value, run);
  const relevant =
    (kinds & Kind.number && number) ||
    (kinds & Kind.string && text) ||
    (kinds & Kind.array && array) ||
    (kinds & Kind.object && object);
  if (!relevant) return pure;

  return (value, run, marks) => {
    if (pure !== undefined && !pure(value, run)) return false;
    switch (typeof value) {
      case 'number':
        return number === undefined || number(value, run);
      case 'string':
        return text === undefined || text(value, run);
      case 'object':
        if (value === null) return true;
        if (isObject(value)) return object === undefined || object(value, run, marks);
        return array === undefined || array(value, run, marks);
      default:
        return true;
    }
  };
}

function compilePure(kinds: number): Test | undefined {
  switch (kinds) {
    case Kind.any:
      return undefined;
    case Kind.string:
      return (value) => typeof value === 'string';
    case Kind.boolean:
      return (value) => typeof value === 'boolean';
    case Kind.number:
      return (value) => typeof value === 'number';
    case Kind.integer:
      return (value) => Number.isInteger(value);
    default:
      return (value) => (kindOf(value) & kinds) !== 0;
  }
}
