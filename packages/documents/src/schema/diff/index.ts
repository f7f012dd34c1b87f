import { equalJson } from '../../json/equal.ts';
import type { Json } from '../../json/value.ts';
import { createComparer } from '../contain/index.ts';
import { type Check, compileCheck } from '../evaluate.ts';
import { createGraph } from '../graph.ts';
import type { SchemaNode } from '../node.ts';
import { readSchema } from '../read.ts';
import { findAnnotations } from './annotations.ts';
import type { SchemaChange, SchemaChangeCode } from './change.ts';
import type { Version } from './location.ts';
import { locate, walk } from './walk.ts';

export type { SchemaChange, SchemaChangeCode, Step } from './change.ts';

const REJECTING: ReadonlySet<SchemaChangeCode> = new Set([
  'schema.required_added',
  'schema.type_changed',
  'schema.closed',
  'schema.enum_removed',
  'schema.narrowed',
]);

/** Compares versions of schemas, all with one memory, so that what they share is looked at once. */
export function createSchemaDiff(): (before: Json, after: Json) => SchemaChange[] {
  const graph = createGraph();
  const checks = new Map<SchemaNode, Check>();
  const evaluate = (node: SchemaNode, value: Json): boolean => {
    let check = checks.get(node);
    if (check === undefined) {
      check = compileCheck(node);
      checks.set(node, check);
    }
    return check(value, { maxFindings: 1 }).valid;
  };
  const comparer = createComparer(graph, evaluate);

  return (before, after) => {
    if (equalJson(before, after)) return [];
    const [old, now] = [versionOf(before, 'before'), versionOf(after, 'after')];
    const changes = [...walk(old, now, { graph, comparer }), ...findAnnotations(old, now)];
    // Whatever the walk said, silence needs a proof for the two schemas as wholes (DF-21).
    if (!changes.some((change) => REJECTING.has(change.code))) {
      const found = comparer.findRejected([old.root], [now.root]);
      if (found.exists !== 'no') {
        changes.push({
          code: 'schema.narrowed',
          path: locate(before, after, ''),
          side: 'new',
          steps: [],
          keyword: '',
          ...(found.exists === 'yes' ? { witness: found.value } : { undecided: true }),
        });
      }
    }
    if (changes.length === 0) {
      changes.push({ code: 'schema.annotation', path: locate(before, after, ''), side: 'new', steps: [], keyword: '' });
    }
    return changes;
  };

  function versionOf(raw: Json, name: string): Version {
    const { root, places, problems } = readSchema(raw, graph);
    if (root === undefined)
      throw new TypeError(`${name}: not a valid schema (${problems[0]!.code} at ${problems[0]!.path})`);
    return { root, places };
  }
}
