import { createInstances } from '../instance/instances.ts';
import { copy, type JsonObject } from '../json.ts';
import { createReferenceJudge } from '../judge/reference.ts';
import type { Random } from '../random.ts';
import { editSchema } from '../schema/edit.ts';
import { makeSchema } from '../schema/make.ts';
import { listSpots } from '../schema/visit.ts';

export interface Pair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Makes two versions of a schema, and of tools that share its definitions, as the tools of one manifest do. */
export function makePairs(random: Random): Pair[] {
  const before = makeLively(random);
  const after = editSchema(random, before);
  const pairs = [{ before, after }];
  if (before.$defs === undefined || after.$defs === undefined) return pairs;
  const later = new Map(listSpots(after).map(({ pointer, schema }) => [pointer, schema]));
  const shared = listSpots(before).filter(
    ({ pointer, schema }) =>
      pointer.startsWith('/$defs') && JSON.stringify(schema).includes('$ref') && later.has(pointer),
  );
  for (const { pointer, schema } of random.some(shared, 2)) {
    const tool = (part: typeof schema, $defs: JsonObject): JsonObject =>
      copy({ type: 'object', properties: { a: part }, $defs });
    pairs.push({
      before: tool(schema, before.$defs as JsonObject),
      after: tool(later.get(pointer)!, after.$defs as JsonObject),
    });
  }
  return pairs;
}

/** Makes a schema that accepts something: with any other, every comparison is silent. */
function makeLively(random: Random): JsonObject {
  for (let attempt = 0; ; attempt++) {
    const schema = makeSchema(random);
    const accepts = createReferenceJudge(schema);
    const instances = createInstances(random, schema, schema);
    if (attempt === 3 || Array.from({ length: 8 }, () => accepts(instances.next([]))).includes(true)) return schema;
  }
}
