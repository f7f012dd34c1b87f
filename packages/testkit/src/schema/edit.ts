import { copy, isObject, type JsonObject, type Schema } from '../json.ts';
import type { Random } from '../random.ts';
import { chooseEdit } from './edits.ts';
import { REWRITES } from './rewrites.ts';
import { listSpots } from './visit.ts';

/** Makes the next version of a schema: one to three edits, some of which change nothing for any value. */
export function editSchema(random: Random, before: JsonObject): JsonObject {
  const root = copy(before);
  const count = random.weighted([
    [6, 1],
    [3, 2],
    [1, 3],
  ]);
  for (let done = 0, attempt = 0; done < count && attempt < 40; attempt++) if (tryEdit(random, root)) done++;
  return root;
}

function tryEdit(random: Random, root: JsonObject): boolean {
  const spot = random.pick(listSpots(root));
  const schema = asObject(spot.schema);
  const edit = random.chance(0.2) ? random.pick(REWRITES) : chooseEdit(random, schema);
  const result = edit(random, schema, root);
  if (result === undefined) return false;
  // The root must stay in place, with its type and definitions.
  if (result !== spot.schema && spot.pointer === '') wrapRoot(root, result);
  else if (result !== spot.schema) spot.replace(result);
  return true;
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
