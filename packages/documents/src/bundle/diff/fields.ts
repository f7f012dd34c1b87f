import { canonicalise } from '../../json/canonicalise.ts';
import type { Json } from '../../json/value.ts';

/** The fields whose values differ, in alphabetical order, without those of `except`. */
export function changedFields(before: object, after: object, except: readonly string[] = []): string[] {
  const [a, b] = [before as Readonly<Record<string, Json>>, after as Readonly<Record<string, Json>>];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of except) names.delete(name);
  return [...names].filter((name) => write(a, name) !== write(b, name)).sort();
}

function write(object: Readonly<Record<string, Json>>, name: string): string | undefined {
  return Object.hasOwn(object, name) ? canonicalise(object[name]!) : undefined;
}
