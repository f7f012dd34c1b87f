import { equalJson } from '../json/equal.ts';
import type { Json } from '../json/value.ts';
import { createComparer } from '../schema/contain/index.ts';
import { createGraph } from '../schema/graph.ts';
import { readSchema } from '../schema/read.ts';
import type { ChangeFact } from './change-fact.ts';
import type { SkillInput } from './descriptor.ts';
import { hasDefault, toPropertySchema } from './input-schema.ts';

/** Every invocation that was possible must still be possible (SD-7). */
export function compareInputs(before: readonly SkillInput[], after: readonly SkillInput[]): ChangeFact[] {
  const compare = createInputComparison();
  const olds = new Map(before.map((input, index) => [input.name, { input, index }]));
  const names = new Set(after.map(({ name }) => name));
  const changes: ChangeFact[] = [];
  for (const [index, input] of after.entries()) {
    const old = olds.get(input.name);
    const about = { side: 'new', input: input.name, params: { input: input.name } } as const;
    const path = `/inputs/${index}`;
    if (old === undefined) {
      changes.push({ code: input.required ? 'input.required_added' : 'input.added', path, ...about });
      continue;
    }
    if (old.input.required !== input.required) {
      const code = input.required ? 'input.now_required' : 'input.now_optional';
      changes.push({ code, path: `${path}/required`, ...about });
    }
    const found = compare(old.input, input);
    if (found !== undefined) changes.push({ path, ...about, ...found });
    if (!sameDefault(old.input, input)) {
      changes.push({ code: 'input.default_changed', path: `${path}/default`, ...about });
    }
    if (old.input.description !== input.description) {
      const params = { ...about.params, field: 'description' };
      changes.push({ code: 'text.changed', path: `${path}/description`, ...about, params });
    }
  }
  for (const [name, { index }] of olds) {
    if (names.has(name)) continue;
    changes.push({
      code: 'input.removed',
      path: `/inputs/${index}`,
      side: 'old',
      input: name,
      params: { input: name },
    });
  }
  return changes;
}

type Found = Pick<ChangeFact, 'code'> & { witness?: Json };

/** All inputs of a pair share one graph and one budget. */
function createInputComparison(): (old: SkillInput, now: SkillInput) => Found | undefined {
  // Both versions have been validated, each with its own limit on patterns.
  const graph = createGraph(Number.POSITIVE_INFINITY);
  const comparer = createComparer(graph);
  const rootOf = (input: SkillInput) => {
    const { root } = readSchema(toPropertySchema(input, '', graph), graph);
    if (root === undefined) throw new TypeError('diffDescriptors: an input has no valid schema; validate first');
    return root;
  };
  return (old, now) => {
    const [was, is] = [rootOf(old), rootOf(now)];
    if (was === is) return undefined;
    const lost = comparer.findRejected([was], [is]);
    if (lost.exists === 'yes') return { code: 'input.narrowed', witness: lost.value };
    if (lost.exists === 'unknown') return { code: 'input.undecided' };
    return comparer.findRejected([is], [was]).exists === 'no' ? undefined : { code: 'input.widened' };
  };
}

function sameDefault(old: SkillInput, now: SkillInput): boolean {
  if (!hasDefault(old) || !hasDefault(now)) return hasDefault(old) === hasDefault(now);
  return equalJson(old.default!, now.default!);
}
