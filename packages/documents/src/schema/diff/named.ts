import { join } from '../../json/pointer.ts';
import type { Json } from '../../json/value.ts';
import { enumKeys } from '../evaluate/equality.ts';
import type { SchemaGraph } from '../graph.ts';
import { Kind, type SchemaNode } from '../node.ts';
import type { ReadSubschema } from '../read.ts';
import type { SchemaChange, SchemaChangeCode } from './change.ts';
import { edit, type Group } from './groups.ts';
import { keyword } from './location.ts';
import type { DiffPosition, Questions, Verdict } from './questions.ts';

export interface Location extends DiffPosition {
  /** The subschemas that must hold there, in the old and in the new version, and their keywords in groups. */
  readonly oldSubschemas: readonly ReadSubschema[];
  readonly newSubschemas: readonly ReadSubschema[];
  readonly oldGroups: readonly Group[];
  readonly newGroups: readonly Group[];
}

type Found = Omit<SchemaChange, 'steps'>;

/** Compares the edits that have a row of their own (DF-1 to DF-6) by their keywords. */
export function* compareNamed(location: Location, graph: SchemaGraph, ask: Questions): Generator<Found> {
  yield* compareRequired(location, graph, ask);
  yield* compareTypes(location, graph, ask);
  yield* compareEnums(location, ask);
  yield* compareOpenness(location, graph, ask);
}

/** True for groups that the rows above have handled. */
export function isNamed(key: string, olds: readonly Group[], news: readonly Group[], graph: SchemaGraph): boolean {
  if (key === 'type' || key === 'enum') return olds.length > 0 && news.length > 0;
  if (key !== 'additionalProperties') return false;
  const [was, is] = [openness(olds, graph), openness(news, graph)];
  if (was !== 'some' || is !== 'some') return was !== 'some' && is !== 'some';
  // Declared names are compared one by one, as properties.
  const rest = (groups: readonly Group[]) => new Set(groups.map((group) => group.node.additionalProperties));
  const [a, b] = [rest(olds), rest(news)];
  return a.size === b.size && [...a].every((node) => b.has(node));
}

function* compareRequired(location: Location, graph: SchemaGraph, ask: Questions): Generator<Found> {
  const oldNames = requiredNames(location.oldSubschemas);
  const newNames = requiredNames(location.newSubschemas);
  for (const [name, path] of newNames) {
    if (oldNames.has(name)) continue;
    const verdict = ask.rejects(location, graph.intern({ required: [name] }));
    yield { path, side: 'new', keyword: 'required', after: name, ...outcome('schema.required_added', verdict) };
  }
  for (const [name, path] of oldNames) {
    if (newNames.has(name)) continue;
    const wider = ask.accepts(location, graph.intern({ required: [name] }));
    const code = wider ? 'schema.widened' : 'schema.annotation';
    yield { code, path, side: 'old', keyword: 'required', before: name };
  }
}

function* compareTypes(location: Location, graph: SchemaGraph, ask: Questions): Generator<Found> {
  const [from, to] = both(location, 'type');
  if (from.length === 0 || to.length === 0 || kindsOf(from) === kindsOf(to)) return;
  const group = to.find((g) => !from.some((f) => f.node === g.node)) ?? to[0]!;
  const { rejects: _, ...found } = ask.rejects(location, graph.intern({ kinds: kindsOf(to) }));
  yield { code: 'schema.type_changed', ...edit(group, from[0]), side: 'new', ...found };
}

function* compareEnums(location: Location, ask: Questions): Generator<Found> {
  const [from, to] = both(location, 'enum');
  if (from.length === 0 || to.length === 0) return;
  const lists = from.map(toAllowed);
  const rules = to.map(toAllowed);
  const [were, are] = [intersect(lists), intersect(rules)];
  for (const { value, path, key } of listed(from, are)) {
    if (!were.has(key)) continue;
    const rule = rules.find(({ keys }) => !keys.has(key))!;
    const verdict = ask.rejects(location, rule.node, value);
    yield { path, side: 'old', keyword: 'enum', before: value, ...outcome('schema.enum_removed', verdict) };
  }
  for (const { value, path, key } of listed(to, were)) {
    if (!are.has(key)) continue;
    yield { code: 'schema.enum_added', path, side: 'new', keyword: 'enum', after: value };
  }
}

function* compareOpenness(location: Location, graph: SchemaGraph, ask: Questions): Generator<Found> {
  const { oldGroups, newGroups } = location;
  const [was, is] = [openness(oldGroups, graph), openness(newGroups, graph)];
  if (was === 'open' && is === 'closed') {
    const group = newGroups.find((g) => isClosing(g, graph))!;
    yield { ...edit(group), side: 'new', ...outcome('schema.closed', ask.rejects(location, group.node)) };
  } else if (was === 'closed' && is === 'open') {
    const explicit = newGroups.find((g) => g.key === 'additionalProperties');
    const group = explicit ?? oldGroups.find((g) => isClosing(g, graph))!;
    yield { code: 'schema.opened', ...edit(group), side: explicit ? 'new' : 'old' };
  }
}

/** The edit is DF-9 if it is proven to reject nothing, for example because another keyword rejected it before. */
function outcome(
  code: SchemaChangeCode,
  { rejects, ...found }: Verdict,
): Pick<Found, 'code' | 'witness' | 'undecided'> {
  return rejects ? { code, ...found } : { code: 'schema.annotation' };
}

function both({ oldGroups, newGroups }: Location, key: string): [Group[], Group[]] {
  return [oldGroups.filter((group) => group.key === key), newGroups.filter((group) => group.key === key)];
}

function requiredNames(subschemas: readonly ReadSubschema[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const subschema of subschemas) {
    const list = keyword(subschema, 'required');
    if (!Array.isArray(list)) continue;
    for (const [index, name] of list.entries()) {
      if (!names.has(name as string)) names.set(name as string, join(join(subschema.pointer, 'required'), index));
    }
  }
  return names;
}

function kindsOf(groups: readonly Group[]): number {
  return groups.reduce<number>((kinds, group) => kinds & (group.node.kinds ?? Kind.any), Kind.any);
}

/** Yields the listed values, except those that the other side also allows. */
function* listed(
  groups: readonly Group[],
  except: ReadonlySet<string>,
): Generator<{ value: Json; path: string; key: string }> {
  for (const { keyword: name, raw, pointer } of groups) {
    const values = name === 'const' ? [raw!] : (raw as readonly Json[]);
    const { list } = enumKeys(values);
    for (let index = 0; index < list.length; index++) {
      const key = list[index]!;
      if (except.has(key)) continue;
      yield { value: values[index]!, path: name === 'const' ? pointer : join(pointer, index), key };
    }
  }
}

interface Allowed {
  readonly node: SchemaNode;
  /** The values that it lists. */
  readonly keys: ReadonlySet<string>;
}

function toAllowed({ node }: Group): Allowed {
  return { node, keys: enumKeys(node.enum ?? []).set };
}

/** The values that all of the lists allow. */
function intersect([first, ...rest]: readonly Allowed[]): ReadonlySet<string> {
  if (rest.length === 0) return first!.keys;
  return new Set([...first!.keys].filter((key) => rest.every(({ keys }) => keys.has(key))));
}

function openness(groups: readonly Group[], graph: SchemaGraph): 'open' | 'closed' | 'some' {
  const rest = groups.filter((group) => group.key === 'additionalProperties');
  if (rest.some((group) => isClosing(group, graph))) return 'closed';
  return rest.every((group) => group.node.additionalProperties === graph.anything) ? 'open' : 'some';
}

function isClosing(group: Group, graph: SchemaGraph): boolean {
  return group.key === 'additionalProperties' && group.node.additionalProperties === graph.nothing;
}
