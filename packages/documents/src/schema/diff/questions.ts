import type { Json } from '../../json/value.ts';
import type { Comparer, Counterexample } from '../contain/index.ts';
import type { SchemaGraph } from '../graph.ts';
import type { SchemaNode } from '../node.ts';
import type { SchemaChange, Step } from './change.ts';
import { at, type Version } from './location.ts';

/** After this many relevant edits of one schema, further ones are judged at their position alone, without a witness. */
const MAX_WHOLE = 24;

export interface Verdict extends Pick<SchemaChange, 'witness' | 'undecided'> {
  readonly rejects: boolean;
}

export interface Questions {
  /** Does the new `rule` reject a value that the old schema accepts at this position? With `value`: that very value? */
  rejects(position: DiffPosition, rule: SchemaNode, value?: Json): Verdict;
  /** Does the new schema accept a value there that the removed `rule` rejected? */
  accepts(position: DiffPosition, rule: SchemaNode): boolean;
  /** May the value there now be one that the old schema as a whole rejected? */
  allowsMore(steps: readonly Step[]): boolean;
  /** Is it proven that the old version accepted whatever the new one accepts, there or as a whole? */
  isNoWider(position: DiffPosition): boolean;
}

/** A position in the instance and what the two versions say about it. */
export interface DiffPosition {
  readonly steps: readonly Step[];
  readonly olds: readonly SchemaNode[];
  readonly news: readonly SchemaNode[];
}

/**
 * An edit is judged in the context of the whole schema, because another part may make it harmless. What cannot happen
 * at the position itself cannot happen at all; that question is cheap, so it comes first.
 */
export function createQuestions(before: Version, after: Version, graph: SchemaGraph, comparer: Comparer): Questions {
  let left = MAX_WHOLE;
  let narrower: boolean | undefined;
  return {
    rejects: ({ steps, olds }, rule, value) => {
      const given = value === undefined ? [] : [graph.intern({ enum: [value] })];
      const local = comparer.findRejected([...olds, ...given], [rule]);
      if (local.exists === 'no') return { rejects: false };
      if (left-- <= 0) return local.exists === 'yes' ? { rejects: true } : { rejects: true, undecided: true };
      const context = given.map((node) => at(graph, steps, node));
      return verdictOf(comparer.findRejected([before.root, ...context], [at(graph, steps, rule)]));
    },
    accepts: ({ steps, news }, rule) => {
      if (comparer.findRejected(news, [rule]).exists === 'no') return false;
      return left-- <= 0 || comparer.findRejected([after.root], [at(graph, steps, rule)]).exists !== 'no';
    },
    allowsMore: (steps) => {
      if (left-- <= 0) return true;
      return comparer.findRejected([after.root, present(graph, steps)], [before.root]).exists !== 'no';
    },
    isNoWider: ({ olds, news }) => {
      if (comparer.findRejected(news, olds).exists === 'no') return true;
      narrower ??= comparer.findRejected([after.root], [before.root]).exists === 'no';
      return narrower;
    },
  };
}

export function verdictOf(found: Counterexample): Verdict {
  if (found.exists === 'no') return { rejects: false };
  return found.exists === 'yes' ? { rejects: true, witness: found.value } : { rejects: true, undecided: true };
}

/** Builds a schema that requires the part at the steps. */
function present(graph: SchemaGraph, steps: readonly Step[]): SchemaNode {
  return steps.reduceRight<SchemaNode>((inner, step) => {
    if (typeof step === 'string') return graph.intern({ required: [step], properties: new Map([[step, inner]]) });
    const { id: _, ...fields } = at(graph, [step], inner);
    return graph.intern({ ...fields, minItems: (typeof step === 'number' ? step : step.from) + 1 });
  }, graph.anything);
}
