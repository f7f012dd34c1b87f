import { canonicalise } from '../../json/canonicalise.ts';
import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { createListed } from '../evaluate/equality.ts';
import { kindOf, type SchemaNode } from '../node.ts';
import type { Budget } from './budget.ts';
import { align, toDecimal } from './decimal.ts';
import type { Atom, AtomOf, Formula } from './formula.ts';

/** Evaluates a formula on a value. `evaluate` judges the schemas that could not be expanded. */
export function createFormulaEvaluator(
  evaluate: (node: SchemaNode, value: Json) => boolean,
  budget: Budget,
): (formula: Formula, value: Json) => boolean {
  const holds = (formula: Formula, value: Json): boolean => {
    // Every visit is charged: a formula that is written once may be reached in exponentially many ways.
    budget.spend(1);
    switch (formula.op) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'and':
        return formula.parts.every((part) => holds(part, value));
      case 'or':
        return formula.parts.some((part) => holds(part, value));
      case 'not':
        return !holds(formula.part, value);
      case 'later':
        return holds(formula.holds(), value);
      default:
        return (kindOf(value) & formula.on) === 0 || atom(formula, value);
    }
  };

  const isListed = createListed();
  const atom = (formula: Atom, value: Json): boolean => {
    switch (formula.op) {
      case 'kinds':
        return (formula.kinds & kindOf(value)) !== 0;
      case 'enum':
        return isListed(formula.values, value);
      case 'least':
        return formula.open ? (value as number) > formula.value : (value as number) >= formula.value;
      case 'most':
        return formula.open ? (value as number) < formula.value : (value as number) <= formula.value;
      case 'multiple':
        return isMultiple(value as number, formula.of);
      case 'min':
        return sizeOf(value) >= formula.count;
      case 'max':
        return sizeOf(value) <= formula.count;
      case 'pattern':
        return formula.pattern.test(value as string);
      case 'format':
        return formula.format.test(value as string);
      case 'opaque':
        return evaluate(formula.node, value);
      case 'unique':
      case 'item':
      case 'items':
      case 'some':
      case 'few':
        return array(formula, value as readonly Json[]);
      default:
        return object(formula, value as JsonObject);
    }
  };

  const array = (formula: AtomOf<'unique' | 'item' | 'items' | 'some' | 'few'>, value: readonly Json[]): boolean => {
    switch (formula.op) {
      case 'unique':
        return new Set(value.map(canonicalise)).size === value.length;
      case 'item':
        return value.length <= formula.index || holds(formula.part, value[formula.index]!);
      case 'items':
        return value.slice(formula.from).every((item) => holds(formula.part, item));
      case 'some':
        return value.filter((item) => holds(formula.part, item)).length >= formula.count;
      case 'few':
        return value.filter((item) => holds(formula.part, item)).length <= formula.count;
    }
  };

  const object = (
    formula: AtomOf<'has' | 'property' | 'matching' | 'others' | 'names'>,
    value: JsonObject,
  ): boolean => {
    const keys = Object.keys(value);
    switch (formula.op) {
      case 'has':
        return Object.hasOwn(value, formula.name);
      case 'property':
        return !Object.hasOwn(value, formula.name) || holds(formula.part, value[formula.name]!);
      case 'matching':
        return keys.every((key) => !formula.pattern.test(key) || holds(formula.part, value[key]!));
      case 'others':
        return keys.every(
          (key) =>
            formula.names.has(key) || formula.patterns.some((p) => p.test(key)) || holds(formula.part, value[key]!),
        );
      case 'names':
        return keys.every((key) => holds(formula.part, key));
    }
  };
  return holds;
}

function isMultiple(value: number, of: number): boolean {
  const { digits } = align([toDecimal(value), toDecimal(of)]);
  return digits[0]! % digits[1]! === 0n;
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}
