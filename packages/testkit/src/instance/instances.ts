import type { Json, JsonObject } from '../json.ts';
import type { Random } from '../random.ts';
import { listSpots } from '../schema/visit.ts';
import { makeInstance, rulesFor } from './make.ts';
import { mutateInstance } from './mutate.ts';
import { collectPool } from './pool.ts';

export interface Instances {
  /** `accepted` are values that the old schema is known to accept: good ones to start from. */
  next(accepted: readonly Json[]): Json;
}

/** Makes values from both versions of a schema: many that the old one accepts, and many near their differences. */
export function createInstances(random: Random, before: JsonObject, after: JsonObject): Instances {
  const pool = collectPool(before, after);
  const old = { schema: before, root: before };
  const now = { schema: after, root: after };
  const mentions = [old, now].flatMap(({ root }) => listSpots(root).map(({ schema }) => ({ schema, root })));
  /** Makes a value for any part of either version. */
  const other = (name: string): Json => {
    const rules = mentions.flatMap((rule) => rulesFor(rule, name));
    return rules.length > 0 ? makeInstance(random, [random.pick(rules)], pool, 2) : random.pick(pool.values);
  };
  return {
    next: (accepted) => {
      if (accepted.length > 0 && random.chance(0.6)) return mutateInstance(random, random.pick(accepted), pool, other);
      return makeInstance(
        random,
        [
          random.weighted([
            [5, old],
            [1, now],
          ]),
        ],
        pool,
      );
    },
  };
}
