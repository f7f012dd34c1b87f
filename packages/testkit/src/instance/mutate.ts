import { copy, isObject, type Json } from '../json.ts';
import type { Random } from '../random.ts';
import type { Pool } from './pool.ts';

/** Makes one or two small changes somewhere in a value. `other` makes a new value for a member of that name. */
export function mutateInstance(random: Random, value: Json, pool: Pool, other: (name: string) => Json): Json {
  let changed = copy(value);
  for (
    let count = random.weighted([
      [3, 1],
      [1, 2],
    ]);
    count > 0;
    count--
  )
    changed = mutateSomewhere(random, changed, pool, other);
  return changed;
}

function mutateSomewhere(random: Random, value: Json, pool: Pool, other: (name: string) => Json): Json {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.6)) {
    const index = random.between(0, value.length - 1);
    return value.map((item, at) => (at === index ? mutateSomewhere(random, item, pool, other) : item));
  }
  if (isObject(value) && Object.keys(value).length > 0 && random.chance(0.6)) {
    const name = random.pick(Object.keys(value));
    return withMember(
      value,
      name,
      random.chance(0.2) ? other(name) : mutateSomewhere(random, value[name]!, pool, other),
    );
  }
  return mutateHere(random, value, pool, other);
}

function mutateHere(random: Random, value: Json, pool: Pool, other: (name: string) => Json): Json {
  if (random.chance(0.15)) return copy(random.pick(pool.values));
  if (typeof value === 'number') {
    return random.chance(0.5) ? value + random.pick([-1, 1, 0.5, -0.5]) : random.pick(pool.numbers);
  }
  if (typeof value === 'string') {
    if (random.chance(0.5)) return random.pick(pool.texts);
    return random.chance(0.5) ? [...value].slice(0, -1).join('') : value + random.pick(['a', 'b', '1', '_', '\n']);
  }
  if (Array.isArray(value)) {
    const item = value.length > 0 && random.chance(0.4) ? random.pick(value) : random.pick(pool.values);
    if (value.length > 0 && random.chance(0.35)) return value.slice(0, -1);
    return random.chance(0.7) ? [...value, copy(item)] : [copy(item), ...value];
  }
  if (!isObject(value)) return copy(random.pick(pool.values));
  const names = Object.keys(value);
  if (names.length > 0 && random.chance(0.4)) {
    const { [random.pick(names)]: _, ...rest } = value;
    return rest;
  }
  const name = random.pick(pool.names);
  return withMember(value, name, random.chance(0.6) ? other(name) : copy(random.pick(pool.values)));
}

function withMember(value: { [key: string]: Json }, name: string, member: Json): Json {
  return Object.fromEntries([...Object.entries(value).filter(([key]) => key !== name), [name, member]]);
}
