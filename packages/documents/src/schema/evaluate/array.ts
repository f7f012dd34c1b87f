import type { Json } from '../../json/value.ts';
import type { SchemaNode } from '../node.ts';
import { areUnique } from './equality.ts';
import type { EvaluatedMembers } from './evaluated-members.ts';
import type { Run } from './run.ts';
import type { Compile, Test } from './test.ts';

export function compileArray(node: SchemaNode, compile: Compile): Test<readonly Json[]> | undefined {
  const { prefixItems, items, contains, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = node;
  const prefix = prefixItems?.map(compile);
  const rest = items && compile(items);
  const testContains = contains && compileContains(node, compile(contains));
  const hasSize = node.minItems !== undefined || node.maxItems !== undefined;
  if (!prefix && !rest && !testContains && !hasSize && !uniqueItems) return undefined;

  return (value, run, marks) => {
    if (value.length < minItems || value.length > maxItems) return false;
    const prefixed = Math.min(prefix?.length ?? 0, value.length);
    for (let index = 0; index < prefixed; index++) {
      run.spend(1);
      if (!prefix![index]!(value[index]!, run)) return false;
      marks?.add(index);
    }
    if (rest !== undefined) {
      for (let index = prefixed; index < value.length; index++) {
        run.spend(1);
        if (!rest(value[index]!, run)) return false;
      }
      marks?.addAll();
    }
    if (testContains !== undefined && !testContains(value, run, marks)) return false;
    return uniqueItems === undefined || areUnique(value, run);
  };
}

function compileContains(node: SchemaNode, test: Test): Test<readonly Json[]> {
  const { minContains: least = 1, maxContains: most = Number.POSITIVE_INFINITY } = node;
  return (value: readonly Json[], run: Run, marks: EvaluatedMembers | undefined) => {
    let count = 0;
    for (let index = 0; index < value.length; index++) {
      // A caller that collects evaluated items needs every match, not only enough of them.
      if (count >= least && most === Number.POSITIVE_INFINITY && marks === undefined) return true;
      run.spend(1);
      if (!test(value[index]!, run)) continue;
      marks?.add(index);
      if (++count > most) return false;
    }
    return count >= least;
  };
}
