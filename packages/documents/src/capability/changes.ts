import { equalJson } from '../json/equal.ts';
import { join } from '../json/pointer.ts';
import { get, type Json, type JsonObject } from '../json/value.ts';
import { createSchemaDiff, type SchemaChange } from '../schema/diff/index.ts';
import {
  FLAGS_SCHEMA,
  MANIFEST_SCHEMA,
  type Manifest,
  type PermissionScope,
  SCOPE_SCHEMA,
  TIMEOUT_MS,
  TOOL_SCHEMA,
  type Tool,
} from './manifest.ts';
import { compareSensitivity, effectiveSensitivity } from './presets.ts';
import type { ChangeCode } from './rules.ts';

/** A change, before a policy judges it. */
export interface ChangeFact {
  readonly code: ChangeCode;
  readonly path: string;
  readonly side: 'old' | 'new';
  readonly tool?: string;
  readonly scope?: string;
  /** The values for its sentence. */
  readonly params: Readonly<Record<string, Json>>;
  /** The edit of the input schema, for `schema.…` codes. */
  readonly edit?: SchemaChange;
  readonly witness?: Json;
  /** The tool moves to a scope that the old manifest did not have. */
  readonly intoNewScope?: true;
}

/**
 * Finds all changes between two manifests: of the whole, of scopes, of tools, each in document order, removals last.
 */
export function findChanges(before: Manifest, after: Manifest): ChangeFact[] {
  return [
    ...compareTop(before, after),
    ...compareFlags(before, after),
    ...compareScopes(before, after),
    ...compareTools(before, after),
  ];
}

type Fields = JsonObject;

function compareTop(before: Manifest, after: Manifest): ChangeFact[] {
  const changes: ChangeFact[] = [];
  if (before.agent_version !== after.agent_version) {
    const params = { before: before.agent_version, after: after.agent_version };
    changes.push({ code: 'agent_version.changed', path: '/agent_version', side: 'new', params });
  }
  return [
    ...changes,
    ...compareExtensions(before as Fields, after as Fields, { known: MANIFEST_SCHEMA.properties, paths: ['', ''] }),
  ];
}

function compareFlags(before: Manifest, after: Manifest): ChangeFact[] {
  const [old, now] = [before, after].map((manifest) => (manifest.capability_flags ?? {}) as Fields) as [Fields, Fields];
  const changes: ChangeFact[] = [];
  for (const flag of Object.keys(FLAGS_SCHEMA.properties)) {
    const [was, is] = [get(old, flag) === true, get(now, flag) === true];
    if (was === is) continue;
    const side = get(now, flag) === undefined ? 'old' : 'new';
    const path = join('/capability_flags', flag);
    changes.push({ code: is ? 'flag.added' : 'flag.revoked', path, side, params: { flag } });
  }
  const paths: Paths = ['/capability_flags', '/capability_flags'];
  return [...changes, ...compareExtensions(old, now, { known: FLAGS_SCHEMA.properties, paths })];
}

function compareScopes(before: Manifest, after: Manifest): ChangeFact[] {
  const changes: ChangeFact[] = [];
  const olds = indexBy(before.permission_scopes, (scope) => scope.id);
  const news = indexBy(after.permission_scopes, (scope) => scope.id);
  for (const [id, [scope, index]] of news) {
    const path = `/permission_scopes/${index}`;
    const old = olds.get(id);
    if (old === undefined) {
      const params = { scope: id, level: effectiveSensitivity(scope) };
      changes.push({ code: 'scope.added', path, side: 'new', scope: id, params });
    } else changes.push(...compareScope(old[0], scope, [`/permission_scopes/${old[1]}`, path]));
  }
  for (const [id, [, index]] of olds) {
    if (news.has(id)) continue;
    changes.push({
      code: 'scope.removed',
      path: `/permission_scopes/${index}`,
      side: 'old',
      scope: id,
      params: { scope: id },
    });
  }
  return changes;
}

/** The pointers to a part in the old and in the new manifest. */
type Paths = readonly [old: string, now: string];

function compareScope(old: PermissionScope, now: PermissionScope, paths: Paths): ChangeFact[] {
  const changes: ChangeFact[] = [];
  const [was, is] = [effectiveSensitivity(old), effectiveSensitivity(now)];
  const rise = compareSensitivity(is, was);
  const path = join(paths[1], 'sensitivity');
  const params = { scope: now.id, before: was, after: is };
  if (rise > 0) changes.push({ code: 'scope.sensitivity_raised', path, side: 'new', scope: now.id, params });
  else if (rise < 0) changes.push({ code: 'scope.sensitivity_lowered', path, side: 'new', scope: now.id, params });
  const texts = ['label_i18n_key', 'description_i18n_key', 'label_fallback', 'description_fallback'];
  return [
    ...changes,
    ...compareTexts(old as Fields, now as Fields, texts, paths),
    ...compareExtensions(old as Fields, now as Fields, { known: SCOPE_SCHEMA.properties, paths }),
  ].map((change) => ({ ...change, scope: now.id }));
}

function compareTools(before: Manifest, after: Manifest): ChangeFact[] {
  const changes: ChangeFact[] = [];
  const olds = indexBy(before.tools, (tool) => tool.name);
  const news = indexBy(after.tools, (tool) => tool.name);
  const diffSchemas = createSchemaDiff();
  const scopesOf = (manifest: Manifest) => new Map(manifest.permission_scopes.map((scope) => [scope.id, scope]));
  const scopes: Scopes = [scopesOf(before), scopesOf(after)];
  for (const [name, [tool, index]] of news) {
    const path = `/tools/${index}`;
    const old = olds.get(name);
    const about = { tool: name, scope: tool.permission_scope };
    if (old === undefined) {
      changes.push({ code: 'tool.added', path, side: 'new', ...about, params: about });
      continue;
    }
    const paths: Paths = [`/tools/${old[1]}`, path];
    const own = [
      ...compareToolScope(old[0], tool, scopes, path),
      ...compareToolFields(old[0], tool, paths),
      ...diffSchemas(old[0].input_schema as Json, tool.input_schema as Json).map((edit) => schemaChange(edit, paths)),
    ];
    changes.push(...own.map((change) => ({ ...change, ...about })));
  }
  for (const [name, [tool, index]] of olds) {
    if (news.has(name)) continue;
    const about = { tool: name, scope: tool.permission_scope };
    changes.push({ code: 'tool.removed', path: `/tools/${index}`, side: 'old', ...about, params: about });
  }
  return changes;
}

type Scopes = readonly [old: ReadonlyMap<string, PermissionScope>, now: ReadonlyMap<string, PermissionScope>];

/**
 * Compares the scopes of a tool (DF-10, DF-11). If the scope's own level changed, that is a change of the scope, not of
 * each tool.
 */
function compareToolScope(old: Tool, now: Tool, scopes: Scopes, path: string): ChangeFact[] {
  const [from, to] = [old.permission_scope, now.permission_scope];
  if (from === to) return [];
  const [was, is] = [effectiveSensitivity(scopes[0].get(from)!), effectiveSensitivity(scopes[1].get(to)!)];
  const rise = compareSensitivity(is, was);
  const code = rise > 0 ? 'tool.sensitivity_raised' : rise < 0 ? 'tool.sensitivity_lowered' : 'tool.scope_changed';
  const params = { from, to, before: was, after: is };
  return [
    {
      code,
      path: join(path, 'permission_scope'),
      side: 'new',
      params,
      ...(scopes[0].has(to) ? {} : { intoNewScope: true as const }),
    },
  ];
}

function compareToolFields(old: Tool, now: Tool, paths: Paths): ChangeFact[] {
  const changes: ChangeFact[] = [];
  const settle = (code: ChangeCode, field: 'timeout_ms' | 'required', otherwise: number | boolean) => {
    const [was, is] = [old[field] ?? otherwise, now[field] ?? otherwise];
    if (was === is) return;
    const side = now[field] === undefined ? 'old' : 'new';
    changes.push({ code, path: join(paths[side === 'new' ? 1 : 0], field), side, params: { before: was, after: is } });
  };
  settle('timeout.changed', 'timeout_ms', TIMEOUT_MS.default);
  settle('required.changed', 'required', false);
  return [
    ...changes,
    ...compareTexts(old as Fields, now as Fields, ['description_i18n_key', 'description_fallback'], paths),
    ...compareExtensions(old as Fields, now as Fields, { known: TOOL_SCHEMA.properties, paths }),
  ];
}

function schemaChange(edit: SchemaChange, paths: Paths): ChangeFact {
  const start = paths[edit.side === 'new' ? 1 : 0];
  return {
    code: edit.code,
    path: `${start}/input_schema${edit.path}`,
    side: edit.side,
    params: {},
    edit,
    ...(edit.witness === undefined ? {} : { witness: edit.witness }),
  };
}

function compareTexts(old: Fields, now: Fields, fields: readonly string[], paths: Paths): ChangeFact[] {
  return fields.flatMap((field) => compareField('text.changed', field, [get(old, field), get(now, field)], paths));
}

/** Compares fields that the manifest's schema does not know: the author's own (CM-14). */
function compareExtensions(old: Fields, now: Fields, { known, paths }: { known: object; paths: Paths }): ChangeFact[] {
  const names = new Set(
    [...Object.keys(now), ...Object.keys(old)].filter((name) => !Object.hasOwn(known, name) || name === '$schema'),
  );
  return [...names].flatMap((name) => compareField('extension.changed', name, [get(old, name), get(now, name)], paths));
}

function compareField(
  code: ChangeCode,
  field: string,
  [was, is]: readonly [Json | undefined, Json | undefined],
  paths: Paths,
): ChangeFact[] {
  if (was === undefined ? is === undefined : is !== undefined && equalJson(was, is)) return [];
  const side = is === undefined ? 'old' : 'new';
  return [{ code, path: join(paths[side === 'new' ? 1 : 0], field), side, params: { field } }];
}

function indexBy<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, [item: T, index: number]> {
  return new Map(list.map((item, index) => [keyOf(item), [item, index]]));
}
