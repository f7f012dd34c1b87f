import { equalJson } from '../../json/equal.ts';
import { join } from '../../json/pointer.ts';
import { get, isObject, type Json } from '../../json/value.ts';

/** Finds the smallest part of the new value that contains the whole difference. */
export function locate(was: Json, is: Json, pointer: string): string {
  const [only, ...more] = differing(was, is);
  if (only === undefined || more.length > 0) return pointer;
  const inner = part(is, only);
  if (inner === undefined) return pointer;
  const former = part(was, only);
  return former === undefined ? join(pointer, only) : locate(former, inner, join(pointer, only));
}

function differing(was: Json, is: Json): (string | number)[] {
  let steps: (string | number)[] = [];
  if (Array.isArray(was) && Array.isArray(is) && was.length === is.length) steps = [...is.keys()];
  else if (isObject(was) && isObject(is)) steps = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return steps.filter((step) => {
    const [a, b] = [part(was, step), part(is, step)];
    return a === undefined || b === undefined || !equalJson(a, b);
  });
}

function part(value: Json, step: string | number): Json | undefined {
  if (typeof step === 'number') return (value as readonly Json[])[step];
  return isObject(value) ? get(value, step) : undefined;
}
