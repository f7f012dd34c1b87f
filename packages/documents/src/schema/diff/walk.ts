import { equalJson } from '../../json/equal.ts';
import { join } from '../../json/pointer.ts';
import { isObject, type Json } from '../../json/value.ts';
import type { Comparer, Counterexample } from '../contain/index.ts';
import type { NodeFields, SchemaGraph } from '../graph.ts';
import { Kind, type SchemaNode } from '../node.ts';
import type { ReadPlace } from '../read.ts';
import type { SchemaChange, SchemaChangeCode, Step } from './change.ts';
import { type Group, groupsOf } from './groups.ts';
import {
  at,
  child,
  closure,
  itemPlaces,
  keyword,
  longestPrefix,
  propertyNames,
  propertyPlaces,
  type Version,
} from './location.ts';

export interface Engine {
  readonly graph: SchemaGraph;
  readonly comparer: Comparer;
}

/**
 * Walks two versions side by side through all that a value must satisfy, and reports each edit where it stands. The
 * named rows DF-1 to DF-6 are read off the keywords; every other edit is judged by containment, in the context of the
 * whole schema: does it reject something that the old schema accepted?
 */
export function walk(before: Version, after: Version, { graph, comparer }: Engine): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const visited = new Set<string>();

  const rejects = (steps: readonly Step[], node: SchemaNode, ...given: SchemaNode[]): Counterexample =>
    comparer.findRejected([before.root, ...given], [at(graph, steps, node)]);
  const accepts = (steps: readonly Step[], node: SchemaNode): boolean =>
    comparer.findRejected([after.root], [at(graph, steps, node)]).exists !== 'no';

  const visit = (oldStart: readonly ReadPlace[], newStart: readonly ReadPlace[], steps: readonly Step[]): void => {
    const olds = closure(before, oldStart);
    const news = closure(after, newStart);
    const key = `${olds.map((p) => p.pointer)} ${news.map((p) => p.pointer)}`;
    if (visited.has(key) || sameNodes(olds, news)) return;
    visited.add(key);

    const oldGroups = olds.flatMap((place) => groupsOf(place, graph));
    const newGroups = news.flatMap((place) => groupsOf(place, graph));
    const push = (code: SchemaChangeCode, change: Omit<SchemaChange, 'code' | 'steps'>) =>
      changes.push({ code, steps, ...change });

    compareRequired(olds, news, steps, push);
    const typeChanged = compareTypes(oldGroups, newGroups, steps, push);
    compareEnums(oldGroups, newGroups, steps, push);
    compareOpenness(oldGroups, newGroups, steps, push);
    for (const groupKey of new Set([...oldGroups, ...newGroups].map((group) => group.key))) {
      const pick = (groups: readonly Group[]) => groups.filter((group) => group.key === groupKey);
      if (!isNamed(groupKey, pick(oldGroups), pick(newGroups))) {
        compareGroup(pick(oldGroups), pick(newGroups), steps, !typeChanged, push);
      }
    }
    for (const name of new Set([...propertyNames(olds), ...propertyNames(news)])) {
      visitPart(olds, news, { step: name, steps, find: (v, members) => propertyPlaces(v, members, name) });
    }
    const longest = Math.max(longestPrefix(olds), longestPrefix(news));
    for (let index = 0; index <= longest; index++) {
      const step = index < longest ? index : { from: index };
      visitPart(olds, news, { step, steps, find: (v, members) => itemPlaces(v, members, index) });
    }
  };

  type Push = (code: SchemaChangeCode, change: Omit<SchemaChange, 'code' | 'steps'>) => void;

  const compareRequired = (olds: ReadPlace[], news: ReadPlace[], steps: readonly Step[], push: Push): void => {
    const oldNames = requiredNames(olds);
    const newNames = requiredNames(news);
    for (const [name, path] of newNames) {
      if (oldNames.has(name)) continue;
      const found = rejects(steps, graph.intern({ required: [name] }));
      push(unlessProven(found, 'schema.required_added'), {
        path,
        side: 'new',
        keyword: 'required',
        after: name,
        ...witnessOf(found),
      });
    }
    for (const [name, path] of oldNames) {
      if (newNames.has(name)) continue;
      const wider = accepts(steps, graph.intern({ required: [name] }));
      push(wider ? 'schema.widened' : 'schema.annotation', { path, side: 'old', keyword: 'required', before: name });
    }
  };

  const compareTypes = (olds: Group[], news: Group[], steps: readonly Step[], push: Push): boolean => {
    const [from, to] = [olds, news].map((groups) => groups.filter((group) => group.key === 'type')) as [
      Group[],
      Group[],
    ];
    if (from.length === 0 || to.length === 0 || kindsOf(from) === kindsOf(to)) return false;
    const group = to.find((g) => !from.some((f) => f.node === g.node)) ?? to[0]!;
    const found = rejects(steps, graph.intern({ kinds: kindsOf(to) }));
    push('schema.type_changed', { ...edit(group, from[0]), side: 'new', ...witnessOf(found) });
    return true;
  };

  const compareEnums = (olds: Group[], news: Group[], steps: readonly Step[], push: Push): void => {
    const [from, to] = [olds, news].map((groups) => groups.filter((group) => group.key === 'enum')) as [
      Group[],
      Group[],
    ];
    if (from.length === 0 || to.length === 0) return;
    for (const { value, path } of enumValues(from)) {
      if (allows(to, value) || !allows(from, value)) continue;
      const here = at(graph, steps, graph.intern({ enum: [value] }));
      const found = rejects(steps, to[0]!.node, here);
      push(unlessProven(found, 'schema.enum_removed'), {
        path,
        side: 'old',
        keyword: 'enum',
        before: value,
        ...witnessOf(found),
      });
    }
    for (const { value, path } of enumValues(to)) {
      if (allows(to, value) && !allows(from, value))
        push('schema.enum_added', { path, side: 'new', keyword: 'enum', after: value });
    }
  };

  const compareOpenness = (olds: Group[], news: Group[], steps: readonly Step[], push: Push): void => {
    const was = openness(olds, graph);
    const is = openness(news, graph);
    if (was === 'open' && is === 'closed') {
      const group = news.find((g) => isClosing(g, graph))!;
      const found = rejects(steps, group.node);
      push(unlessProven(found, 'schema.closed'), { ...edit(group), side: 'new', ...witnessOf(found) });
    } else if (was === 'closed' && is === 'open') {
      const explicit = news.find((g) => g.key === 'additionalProperties');
      const group = explicit ?? olds.find((g) => isClosing(g, graph))!;
      push('schema.opened', { ...edit(group), side: explicit ? 'new' : 'old' });
    }
  };

  const isNamed = (key: string, olds: readonly Group[], news: readonly Group[]): boolean => {
    if (key === 'type' || key === 'enum') return olds.length > 0 && news.length > 0;
    if (key !== 'additionalProperties') return false;
    const was = openness(olds, graph);
    const is = openness(news, graph);
    // Names that a closed object knows are compared one by one, as its properties.
    return was !== 'some' || is !== 'some' ? was === is || (was !== 'some' && is !== 'some') : sameRest(olds, news);
  };

  const compareGroup = (olds: Group[], news: Group[], steps: readonly Step[], telling: boolean, push: Push): void => {
    const added = news.filter((group) => !olds.some((other) => other.node === group.node));
    const gone = olds.filter((group) => !news.some((other) => other.node === group.node));
    if (added.length === 0 && gone.length === 0) return;
    if (isUnevaluated(olds, news)) return;
    const narrowing = firstOf(added, (group) => {
      const found = rejects(steps, group.node);
      return found.exists === 'no' ? undefined : { group, found };
    });
    if (narrowing) {
      push('schema.narrowed', { ...edit(narrowing.group, gone[0]), side: 'new', ...witnessOf(narrowing.found) });
      return;
    }
    const change = added[0]
      ? { ...edit(added[0], gone[0]), side: 'new' as const }
      : { ...removal(gone[0]!), side: 'old' as const };
    if (gone.some((group) => accepts(steps, group.node))) push('schema.widened', change);
    else if (telling) push('schema.annotation', change);
  };

  interface Part {
    readonly step: Step;
    readonly steps: readonly Step[];
    readonly find: (version: Version, members: readonly ReadPlace[]) => ReadPlace[];
  }

  /** A property or an item. Where only one side says something of it, there are no two versions to walk. */
  const visitPart = (olds: ReadPlace[], news: ReadPlace[], { step, steps, find }: Part): void => {
    const from = find(before, olds);
    const to = find(after, news);
    const inner = [...steps, step];
    const place = to[0] ?? from[0];
    if (place === undefined || sameNodes(from, to)) return;
    if (from.length > 0 && to.length > 0 && [...from, ...to].every((p) => isObject(p.raw))) {
      visit(from, to, inner);
      return;
    }
    const push = (code: SchemaChangeCode, more: Partial<SchemaChange> = {}) =>
      changes.push({
        code,
        steps: inner,
        path: place.pointer,
        side: to.length > 0 ? 'new' : 'old',
        keyword: '',
        ...(to.length > 0 ? { after: place.raw } : { before: place.raw }),
        ...more,
      });
    const rules = to.length > 0 ? to.map((p) => p.node) : news.flatMap((member) => restOf(after, member, step));
    const narrowing = firstOf(rules, (node) => {
      const found = rejects(inner, node);
      return found.exists === 'no' ? undefined : found;
    });
    if (narrowing) {
      push('schema.narrowed', witnessOf(narrowing));
      return;
    }
    const formerly = from.length > 0 ? from.map((p) => p.node) : olds.flatMap((member) => restOf(before, member, step));
    const wider = formerly.length > 0 ? formerly.some((node) => accepts(inner, node)) : isNewlyAccepted(inner);
    push(wider ? 'schema.widened' : 'schema.annotation');
  };

  /** Something may stand there now that the old schema as a whole refused, as `unevaluatedProperties` does. */
  const isNewlyAccepted = (steps: readonly Step[]): boolean => {
    const there = steps.reduceRight<SchemaNode>(
      (inner, step) =>
        typeof step === 'string'
          ? graph.intern({ required: [step], properties: new Map([[step, inner]]) })
          : graph.intern({
              ...fieldsOf(at(graph, [step], inner)),
              minItems: (typeof step === 'number' ? step : step.from) + 1,
            }),
      graph.anything,
    );
    return comparer.findRejected([after.root, there], [before.root]).exists !== 'no';
  };

  /** What a member says of a property or an item that it does not mention. */
  const restOf = (version: Version, member: ReadPlace, step: Step): SchemaNode[] => {
    if (typeof step !== 'string') return [];
    const { node } = member;
    if (!isObject(member.raw)) return [];
    const matching = (node.patternProperties ?? []).filter(([pattern]) => pattern.test(step)).map(([, part]) => part);
    if (matching.length > 0) return matching;
    return child(version, member, 'additionalProperties') ? [node.additionalProperties!] : [];
  };

  visit([before.places.get('')!], [after.places.get('')!], []);
  return changes;
}

function sameNodes(olds: readonly ReadPlace[], news: readonly ReadPlace[]): boolean {
  const ids = (places: readonly ReadPlace[]) => new Set(places.map((place) => place.node));
  const [a, b] = [ids(olds), ids(news)];
  return a.size === b.size && [...a].every((node) => b.has(node));
}

function requiredNames(members: readonly ReadPlace[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const member of members) {
    const list = keyword(member, 'required');
    if (!Array.isArray(list)) continue;
    for (const [index, name] of list.entries()) {
      if (!names.has(name as string)) names.set(name as string, join(join(member.pointer, 'required'), index));
    }
  }
  return names;
}

function kindsOf(groups: readonly Group[]): number {
  return groups.reduce((kinds, group) => kinds & (group.node.kinds ?? Kind.any), Kind.any as number);
}

function* enumValues(groups: readonly Group[]): Generator<{ value: Json; path: string }> {
  for (const group of groups) {
    if (group.keyword === 'const') yield { value: group.raw!, path: group.pointer };
    else
      for (const [i, value] of (group.raw as readonly Json[]).entries()) yield { value, path: join(group.pointer, i) };
  }
}

function allows(groups: readonly Group[], value: Json): boolean {
  return groups.every((group) => group.node.enum?.some((allowed) => equalJson(allowed, value)));
}

function openness(groups: readonly Group[], graph: SchemaGraph): 'open' | 'closed' | 'some' {
  const rest = groups.filter((group) => group.key === 'additionalProperties');
  if (rest.some((group) => isClosing(group, graph))) return 'closed';
  return rest.every((group) => group.node.additionalProperties === graph.anything) ? 'open' : 'some';
}

function isClosing(group: Group, graph: SchemaGraph): boolean {
  return group.key === 'additionalProperties' && group.node.additionalProperties === graph.nothing;
}

function sameRest(olds: readonly Group[], news: readonly Group[]): boolean {
  const rest = (groups: readonly Group[]) => new Set(groups.map((group) => group.node.additionalProperties));
  const [a, b] = [rest(olds), rest(news)];
  return a.size === b.size && [...a].every((node) => b.has(node));
}

/** The keyword itself is unchanged: what it makes of the properties around it is judged with the whole schema. */
function isUnevaluated(olds: readonly Group[], news: readonly Group[]): boolean {
  const [a, b] = [olds[0], news[0]];
  if (!a || !b || !a.keyword.startsWith('unevaluated')) return false;
  return equalJson(a.raw!, b.raw!);
}

function edit(now: Group, was?: Group): Pick<SchemaChange, 'path' | 'keyword' | 'before' | 'after'> {
  return {
    path: was?.raw !== undefined && now.raw !== undefined ? locate(was.raw, now.raw, now.pointer) : now.pointer,
    keyword: now.keyword,
    ...(was?.raw === undefined ? {} : { before: was.raw }),
    ...(now.raw === undefined ? {} : { after: now.raw }),
  };
}

function removal(was: Group): Pick<SchemaChange, 'path' | 'keyword' | 'before'> {
  return { path: was.pointer, keyword: was.keyword, ...(was.raw === undefined ? {} : { before: was.raw }) };
}

/** The smallest part of the new value in which all of the difference lies. */
export function locate(was: Json, is: Json, pointer: string): string {
  if (Array.isArray(was) && Array.isArray(is) && was.length === is.length) {
    const differing = [...is.keys()].filter((index) => !equalJson(was[index]!, is[index]!));
    const [only] = differing;
    return differing.length === 1 ? locate(was[only!]!, is[only!]!, join(pointer, only!)) : pointer;
  }
  if (isObject(was) && isObject(is)) {
    const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
    const differing = [...keys].filter(
      (key) => !Object.hasOwn(was, key) || !Object.hasOwn(is, key) || !equalJson(was[key]!, is[key]!),
    );
    const [only] = differing;
    if (differing.length !== 1 || !Object.hasOwn(is, only!)) return pointer;
    return Object.hasOwn(was, only!) ? locate(was[only!]!, is[only!]!, join(pointer, only!)) : join(pointer, only!);
  }
  return pointer;
}

/** DF-9 where it is proven that the edit rejects nothing, as when another keyword rejected it all along. */
function unlessProven(found: Counterexample, code: SchemaChangeCode): SchemaChangeCode {
  return found.exists === 'no' ? 'schema.annotation' : code;
}

function witnessOf(found: Counterexample): Pick<SchemaChange, 'witness' | 'undecided'> {
  if (found.exists === 'yes') return { witness: found.value };
  return found.exists === 'unknown' ? { undecided: true } : {};
}

function firstOf<T, U>(list: readonly T[], find: (item: T) => U | undefined): U | undefined {
  for (const item of list) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldsOf({ id: _, ...fields }: SchemaNode): NodeFields {
  return fields;
}
