import type { CelInput } from '@bufbuild/cel';
import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { BudgetExceeded, type Meter } from './meter.ts';

/** The most values that one expression may see (BN-11). */
const MAX_VALUES = 500_000;

/** For a numeric key, the library iterates over all keys of a map. */
class MeteredMap extends Map<string, CelInput> {
  readonly #meter: Meter;

  constructor(meter: Meter) {
    super();
    this.#meter = meter;
  }

  override get(key: string): CelInput | undefined {
    if (typeof key !== 'string') this.#meter.spend(this.size);
    return super.get(key);
  }
}

/**
 * Converts JSON for the library. It uses maps, because the library would trust keys such as `constructor` or
 * `$typeName` of a plain object.
 */
export function bind(variables: JsonObject, meter: Meter): Record<string, CelInput> {
  let left = MAX_VALUES;
  const convert = (value: Json): CelInput => {
    if (--left < 0) throw new BudgetExceeded('the values are too many');
    if (Array.isArray(value)) return value.map((item: Json) => convert(item));
    if (!isObject(value)) return value as null | boolean | number | string;
    const map = new MeteredMap(meter);
    for (const key of Object.keys(value)) map.set(key, convert(value[key]!));
    return map;
  };
  const bindings: Record<string, CelInput> = Object.create(null);
  for (const name of Object.keys(variables)) bindings[name] = convert(variables[name]!);
  return bindings;
}
