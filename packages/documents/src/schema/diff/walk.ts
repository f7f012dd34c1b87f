import { equalJson } from '../../json/equal.ts';
import { isObject } from '../../json/value.ts';
import type { SchemaGraph } from '../graph.ts';
import type { SchemaNode } from '../node.ts';
import type { ReadSubschema } from '../read.ts';
import type { SchemaChange, Step } from './change.ts';
import { edit, type Group, groupsOf, removal } from './groups.ts';
import {
  child,
  closure,
  itemSubschemas,
  longestPrefix,
  propertyNames,
  propertySubschemas,
  type Version,
} from './location.ts';
import { compareNamed, isNamed, type Location } from './named.ts';
import type { Questions } from './questions.ts';

/** The most parts of a value that are visited: a recursive schema has as many as its pairs of subschemas. */
const MAX_PARTS = 10_000;

/**
 * Walks two versions side by side through everything that a value must satisfy, and reports each edit at its position.
 * The named rows DF-1 to DF-6 are decided by keywords; every other edit is judged by containment.
 */
export function walk(before: Version, after: Version, graph: SchemaGraph, ask: Questions): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const visited = new Set<string>();
  let left = MAX_PARTS;

  const visit = (
    oldStart: readonly ReadSubschema[],
    newStart: readonly ReadSubschema[],
    steps: readonly Step[],
  ): void => {
    if (left < 0) return;
    const oldSubschemas = closure(before, oldStart);
    const newSubschemas = closure(after, newStart);
    const key = JSON.stringify(
      [oldSubschemas, newSubschemas].map((subschemas) => subschemas.map((subschema) => subschema.pointer)),
    );
    if (visited.has(key) || sameNodes(nodesOf(oldSubschemas), nodesOf(newSubschemas))) return;
    visited.add(key);
    const location: Location = {
      steps,
      oldSubschemas,
      newSubschemas,
      olds: nodesOf(oldSubschemas),
      news: nodesOf(newSubschemas),
      oldGroups: oldSubschemas.flatMap((subschema) => groupsOf(subschema, graph)),
      newGroups: newSubschemas.flatMap((subschema) => groupsOf(subschema, graph)),
    };
    for (const found of [...compareNamed(location, graph, ask), ...compareOthers(location)]) {
      changes.push({ ...found, steps });
    }
    const names = new Set([...propertyNames(oldSubschemas), ...propertyNames(newSubschemas)]);
    const longest = Math.max(longestPrefix(oldSubschemas), longestPrefix(newSubschemas));
    left -= names.size + longest + 1;
    for (const name of names) {
      visitPart(location, name, (version, subschemas) => propertySubschemas(version, subschemas, name));
    }
    for (let index = 0; index <= longest; index++) {
      const step = index < longest ? index : { from: index };
      visitPart(location, step, (version, subschemas) => itemSubschemas(version, subschemas, index));
    }
  };

  /** Compares the other edits, keyword by keyword (DF-7 to DF-9). */
  function* compareOthers(location: Location): Generator<Omit<SchemaChange, 'steps'>> {
    const { oldGroups, newGroups } = location;
    for (const key of new Set([...oldGroups, ...newGroups].map((group) => group.key))) {
      const olds = oldGroups.filter((group) => group.key === key);
      const news = newGroups.filter((group) => group.key === key);
      if (isNamed(key, olds, news, graph) || isStillUnevaluated(olds[0], news[0])) continue;
      const change = compareGroups(location, lacking(news, olds), lacking(olds, news));
      if (change) yield change;
    }
  }

  const compareGroups = (location: Location, added: readonly Group[], gone: readonly Group[]) => {
    if (added.length === 0 && gone.length === 0) return undefined;
    for (const group of added) {
      const { rejects, ...found } = ask.rejects(location, group.node);
      if (rejects) return { code: 'schema.narrowed', ...edit(group, gone[0]), side: 'new', ...found } as const;
    }
    // The patterns decide which names are "additional".
    for (const rule of added.length === 0 && isPattern(gone[0]!) ? restRules(location, 'new', graph) : []) {
      const { rejects, ...found } = ask.rejects(location, rule);
      if (rejects) return { code: 'schema.narrowed', ...removal(gone[0]!), side: 'old', ...found } as const;
    }
    const unclosed = gone.length === 0 && isPattern(added[0]!) ? restRules(location, 'old', graph) : [];
    const rules = [...gone.map(({ node }) => node), ...unclosed];
    const subschema = added[0]
      ? ({ ...edit(added[0], gone[0]), side: 'new' } as const)
      : ({ ...removal(gone[0]!), side: 'old' } as const);
    if (rules.some((rule) => ask.accepts(location, rule)) || mayLeaveLessUnevaluated(location)) {
      return { code: 'schema.widened', ...subschema } as const;
    }
    // A new type makes the keywords of the old one pointless, which need not be reported.
    const retyped = changes.at(-1)?.code === 'schema.type_changed' && changes.at(-1)!.steps === location.steps;
    return retyped ? undefined : ({ code: 'schema.annotation', ...subschema } as const);
  };

  /** Every keyword beside `unevaluated…` decides what is left for it: one that rejects nothing may accept more. */
  const mayLeaveLessUnevaluated = (location: Location): boolean =>
    location.oldGroups.some((group) => group.keyword.startsWith('unevaluated')) && !ask.isNoWider(location);

  type Find = (version: Version, subschemas: readonly ReadSubschema[]) => ReadSubschema[];

  /** Visits a property or an item. If only one side describes it, there are no two versions to walk. */
  const visitPart = (location: Location, step: Step, find: Find): void => {
    const from = find(before, location.oldSubschemas);
    const to = find(after, location.newSubschemas);
    const steps = [...location.steps, step];
    const subschema = to[0] ?? from[0];
    if (subschema === undefined || sameNodes(nodesOf(from), nodesOf(to))) return;
    if (from.length > 0 && to.length > 0 && [...from, ...to].every(({ raw }) => isObject(raw))) {
      visit(from, to, steps);
      return;
    }
    const olds = from.length > 0 ? nodesOf(from) : restOf(before, location.oldSubschemas, step);
    const news = to.length > 0 ? nodesOf(to) : restOf(after, location.newSubschemas, step);
    const position = { steps, olds, news };
    const what = {
      steps,
      path: subschema.pointer,
      keyword: '',
      ...(to.length > 0
        ? { side: 'new' as const, after: subschema.raw }
        : { side: 'old' as const, before: subschema.raw }),
    };
    for (const rule of news) {
      const { rejects, ...found } = ask.rejects(position, rule);
      if (!rejects) continue;
      changes.push({ code: 'schema.narrowed', ...what, ...found });
      return;
    }
    const wider = olds.length > 0 ? olds.some((rule) => ask.accepts(position, rule)) : ask.allowsMore(steps);
    changes.push({
      code: wider || mayLeaveLessUnevaluated(location) ? 'schema.widened' : 'schema.annotation',
      ...what,
    });
  };

  visit([before.subschemas.get('')!], [after.subschemas.get('')!], []);
  // The unvisited parts may contain an edit that breaks by name.
  if (left < 0)
    changes.push({ code: 'schema.narrowed', path: '', side: 'new', steps: [], keyword: '', undecided: true });
  return changes;
}

function isPattern(group: Group): boolean {
  return group.keyword === 'patternProperties';
}

/** What one version says about additional properties, with the names of both: those are compared as properties. */
function restRules(location: Location, side: 'old' | 'new', graph: SchemaGraph): SchemaNode[] {
  const names = new Set([...propertyNames(location.oldSubschemas), ...propertyNames(location.newSubschemas)]);
  const properties = new Map([...names].map((name) => [name, graph.anything]));
  const groups = side === 'old' ? location.oldGroups : location.newGroups;
  return groups
    .filter((group) => group.key === 'additionalProperties')
    .map(({ node: { id: _, ...fields } }) => graph.intern(names.size === 0 ? fields : { ...fields, properties }));
}

/** What applies to a property that is not mentioned. */
function restOf(version: Version, subschemas: readonly ReadSubschema[], step: Step): SchemaNode[] {
  if (typeof step !== 'string') return [];
  return subschemas.flatMap((subschema) => {
    if (!isObject(subschema.raw)) return [];
    const patterns = Object.hasOwn(subschema.raw, 'patternProperties') ? (subschema.node.patternProperties ?? []) : [];
    const matching = patterns.filter(([pattern]) => pattern.test(step)).map(([, part]) => part);
    return matching.length > 0 ? matching : (child(version, subschema, 'additionalProperties')?.node ?? []);
  });
}

/** The keyword itself is unchanged: its effect on the properties around it is judged with the whole schema. */
function isStillUnevaluated(was: Group | undefined, is: Group | undefined): boolean {
  return was?.keyword.startsWith('unevaluated') === true && is !== undefined && equalJson(was.raw!, is.raw!);
}

function nodesOf(subschemas: readonly ReadSubschema[]): SchemaNode[] {
  return subschemas.map((subschema) => subschema.node);
}

function sameNodes(olds: readonly SchemaNode[], news: readonly SchemaNode[]): boolean {
  const [a, b] = [new Set(olds), new Set(news)];
  return a.size === b.size && [...a].every((node) => b.has(node));
}

function lacking(groups: readonly Group[], others: readonly Group[]): Group[] {
  return groups.filter((group) => !others.some((other) => other.node === group.node));
}
