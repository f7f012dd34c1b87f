import { equalJson } from '../../json/equal.ts';
import type { Json } from '../../json/value.ts';
import { createComparer, type Meter } from '../contain/index.ts';
import { createGraph } from '../graph.ts';
import { readSchema } from '../read.ts';
import { findAnnotations } from './annotations.ts';
import type { SchemaChange, SchemaChangeCode } from './change.ts';
import { locate } from './locate.ts';
import type { Version } from './location.ts';
import { createQuestions, verdictOf } from './questions.ts';
import { walk } from './walk.ts';

export type { SchemaChange, SchemaChangeCode, Step } from './change.ts';

const REJECTING: ReadonlySet<SchemaChangeCode> = new Set([
  'schema.required_added',
  'schema.type_changed',
  'schema.closed',
  'schema.enum_removed',
  'schema.narrowed',
]);
const WIDENING: ReadonlySet<SchemaChangeCode> = new Set(['schema.opened', 'schema.enum_added', 'schema.widened']);

/** Compares versions of schemas with one shared graph, so that equal parts are compared once. */
export function createSchemaDiff(meter?: Meter): (before: Json, after: Json) => SchemaChange[] {
  // Both versions have been validated, each with its own limit on patterns.
  const graph = createGraph(Number.POSITIVE_INFINITY);
  const comparer = createComparer(graph, meter);

  return (before, after) => {
    if (equalJson(before, after)) return [];
    const [old, now] = [versionOf(before, 'before'), versionOf(after, 'after')];
    const changes: SchemaChange[] = [
      ...walk(old, now, graph, createQuestions(old, now, graph, comparer)),
      ...findAnnotations(old, now),
    ].map((change) => ({ ...change, path: (change.side === 'new' ? now : old).written(change.path) }));
    // Whatever the walk found, silence needs a proof for the two whole schemas (DF-21).
    if (!changes.some((change) => REJECTING.has(change.code))) {
      const { rejects, ...found } = verdictOf(comparer.findRejected([old.root], [now.root]));
      if (rejects) changes.push({ code: 'schema.narrowed', ...whole(before, after), ...found });
      // "The same values" needs a proof too (DF-8).
      else if (!changes.some((change) => WIDENING.has(change.code))) {
        const { exists } = comparer.findRejected([now.root], [old.root]);
        if (exists !== 'no') changes.push({ code: 'schema.widened', ...whole(before, after) });
      }
    }
    if (changes.length === 0) changes.push({ code: 'schema.annotation', ...whole(before, after) });
    return changes;
  };

  function versionOf(raw: Json, name: string): Version {
    const { root, subschemas, written, problems } = readSchema(raw, graph);
    if (root === undefined)
      throw new TypeError(`${name}: not a valid schema (${problems[0]!.code} at ${problems[0]!.path})`);
    return { root, subschemas, written };
  }
}

function whole(before: Json, after: Json): Pick<SchemaChange, 'path' | 'side' | 'steps' | 'keyword'> {
  return { path: locate(before, after, ''), side: 'new', steps: [], keyword: '' };
}
