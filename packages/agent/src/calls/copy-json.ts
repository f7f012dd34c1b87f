import type { JsonObject } from '@parley/documents';

/**
 * Arguments as they will travel. What JSON leaves out because it is undefined is left out; what it would change without a
 * word (dates, maps, NaN, functions) is refused, because the device would be asked for something else.
 */
export function copyJson(args: object): JsonObject {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new TypeError('The arguments must be a JSON object.');
  }
  const text = JSON.stringify(args, function (this: Record<string, unknown>, name, value: unknown) {
    // The value itself: what is given has been through `toJSON`. A list would say null where there is nothing.
    const own = this[name];
    const isLeftOut = own === undefined && !Array.isArray(this);
    if (own !== args && !isLeftOut && !isJson(own)) throw new TypeError(`"${name}": must be a JSON value.`);
    return value;
  });
  return JSON.parse(text) as JsonObject;
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  return value === null || Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
}
