import type { Json, JsonObject } from '../json.ts';
import type { Random } from '../random.ts';
import { CONSTANTS, DIVISORS, FORMATS, FRACTIONS, NUMBERS, PATTERNS, TEXTS } from './sample-texts.ts';

export function makeString(random: Random): JsonObject {
  const schema: JsonObject = {};
  if (random.chance(0.85)) schema.type = 'string';
  if (random.chance(0.25)) schema.minLength = random.between(0, 2);
  if (random.chance(0.25)) schema.maxLength = random.between(2, 5);
  if (random.chance(0.3)) schema.pattern = random.pick(PATTERNS);
  else if (random.chance(0.25))
    schema.format = random.pick(['uri-reference', 'uri-reference', ...Object.keys(FORMATS)]);
  else if (random.chance(0.18)) schema.enum = random.some(TEXTS, random.between(1, 4));
  return schema;
}

export function makeNumber(random: Random): JsonObject {
  const schema: JsonObject = {};
  if (random.chance(0.9)) schema.type = random.chance(0.65) ? 'integer' : 'number';
  const [low, high] = [makeBound(random), makeBound(random)].sort((a, b) => a - b) as [number, number];
  if (random.chance(0.35)) schema[random.chance(0.7) ? 'minimum' : 'exclusiveMinimum'] = low;
  if (random.chance(0.35)) schema[random.chance(0.7) ? 'maximum' : 'exclusiveMaximum'] = high;
  if (random.chance(0.2)) schema.multipleOf = random.pick(DIVISORS);
  return schema;
}

export function makeBound(random: Random): number {
  return random.pick(random.chance(0.85) ? NUMBERS : FRACTIONS);
}

export function makeEnum(random: Random): JsonObject {
  if (random.chance(0.25)) return { const: random.pick(CONSTANTS) };
  if (random.chance(0.3)) return { type: 'string', enum: random.some(TEXTS, random.between(1, 4)) };
  return { enum: random.some<Json>(CONSTANTS, random.between(1, 4)) };
}
