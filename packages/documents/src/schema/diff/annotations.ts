import { equalJson } from '../../json/equal.ts';
import { join, split } from '../../json/pointer.ts';
import { get, isObject } from '../../json/value.ts';
import { MEANINGFUL } from '../keywords.ts';
import type { SchemaChange, Step } from './change.ts';
import type { Version } from './location.ts';

/** A schema of an older dialect is read under other names: such a keyword may come or go with the dialect. */
const OLD_KEYWORDS: ReadonlySet<string> = new Set(['dependencies', 'additionalItems']);

/** Finds edited descriptions, defaults, examples and unknown keywords, in subschemas that both versions have. */
export function findAnnotations(before: Version, after: Version): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const read = new Set([before, after].flatMap((version) => [...aboveTargets(version)]));
  for (const [pointer, { raw }] of after.subschemas) {
    const old = before.subschemas.get(pointer)?.raw;
    if (!isObject(raw) || !isObject(old)) continue;
    for (const name of new Set([...Object.keys(raw), ...Object.keys(old)])) {
      if (MEANINGFUL.has(name) || read.has(join(pointer, name))) continue;
      const was = get(old, name);
      const is = get(raw, name);
      if (was !== undefined && is !== undefined ? equalJson(was, is) : OLD_KEYWORDS.has(name)) continue;
      changes.push({
        code: 'schema.annotation',
        path: join(pointer, name),
        side: is === undefined ? 'old' : 'new',
        steps: stepsTo(pointer),
        keyword: name,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is }),
      });
    }
  }
  return changes;
}

/**
 * Yields the targets of references and everything above them: an unknown keyword around a used schema is more than a
 * description.
 */
function* aboveTargets({ subschemas }: Version): Generator<string> {
  for (const { ref } of subschemas.values()) {
    const steps = ref === undefined ? [] : split(ref.pointer)!;
    for (const length of steps.keys()) yield steps.slice(0, length + 1).reduce<string>(join, '');
  }
}

/** The part of the instance that a subschema is about, as far as its pointer shows. */
function stepsTo(pointer: string): Step[] {
  const steps: Step[] = [];
  const keys = split(pointer)!;
  for (let index = 0; index < keys.length; index++) {
    if (keys[index] === 'properties') steps.push(keys[++index]!);
    else if (keys[index] === 'items') steps.push({ from: 0 });
    else if (keys[index] === 'prefixItems') steps.push(Number(keys[++index]));
    else if (keys[index] === 'allOf') index++;
    else break;
  }
  return steps;
}
