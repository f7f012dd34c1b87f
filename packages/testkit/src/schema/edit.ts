import { copy, isObject, type JsonObject, type Schema } from '../json.ts';
import type { Random } from '../random.ts';
import { EDITS } from './edits.ts';
import { REWRITES } from './rewrites.ts';
import { listSpots } from './visit.ts';

/** The next version of a schema: one to three edits, some of which change nothing for any value. */
export function editSchema(random: Random, before: JsonObject): JsonObject {
  const root = copy(before);
  const count = random.weighted([
    [6, 1],
    [3, 2],
    [1, 3],
  ]);
  let done = 0;
  for (let attempt = 0; done < count && attempt < 40; attempt++) {
    const spot = random.pick(listSpots(root));
    const edit = random.pick(random.chance(0.3) ? REWRITES : EDITS);
    const isRoot = spot.pointer === '';
    const schema = asObject(spot.schema);
    if (schema !== spot.schema) spot.replace(schema);
    const result = edit(random, schema, root);
    if (result === undefined) continue;
    done++;
    if (result === schema) continue;
    // The root has to stay where it is, with its type and definitions.
    if (isRoot) wrapRoot(root, result);
    else spot.replace(result);
  }
  return root;
}

function wrapRoot(root: JsonObject, by: Schema): void {
  const { $defs } = root;
  for (const key of Object.keys(root)) delete root[key];
  const inner = copy(by);
  if (isObject(inner)) delete inner.$defs;
  Object.assign(root, { type: 'object', allOf: [inner] });
  if ($defs !== undefined) root.$defs = $defs;
}

function asObject(schema: Schema): JsonObject {
  if (isObject(schema)) return schema;
  return schema ? {} : { not: {} };
}
