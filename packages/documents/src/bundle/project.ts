import type { Locale } from '@parley/base';
import type { PermissionScope, Sensitivity, Tool } from '../capability/manifest.ts';
import { compareSensitivity } from '../capability/presets.ts';
import { type ManifestValidation, validateManifest } from '../capability/validate.ts';
import { displayText } from '../display-text.ts';
import { get, isObject, type JsonObject } from '../json/value.ts';
import { readSchema } from '../schema/read.ts';
import { type ProjectionNote, scopeLabel, writeNote } from './project-texts.ts';
import { compareRisk, kitRisk, permissionRisk } from './risk.ts';
import { nameTools } from './tool-name.ts';
import type { Bundle, Kit, Permission, RiskLevel } from './types.ts';

export interface Projection {
  /** The validation of the resulting manifest, which it contains if it is valid. Only its size can make it invalid. */
  readonly validation: ManifestValidation;
  readonly notes: ProjectionNote[];
}

const SENSITIVITY: Readonly<Record<RiskLevel, Sensitivity>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'high',
};
const MAX_DESCRIPTION = 300;
/** Fields of a binding's configuration that may hold the JSON Schema of its arguments. */
const SCHEMA_FIELDS = ['inputSchema', 'input_schema', 'schema'] as const;
const RESERVED_DOMAINS = new Set(['hashee', 'system']);

/** Turns a valid bundle into a capability manifest (BA-7), so that its calls pass the guard like those of any agent. */
export function projectToManifest(bundle: Bundle, options: { locale?: Locale } = {}): Projection {
  const { locale = 'en' } = options;
  const kits = bundle.kits ?? [];
  const notes: ProjectionNote[] = [];
  const note = (code: ProjectionNote['code'], kit: string, params: Record<string, string> = {}) => {
    notes.push({ code, kit, params, message: writeNote(code, { kit, ...params }, locale) });
  };
  const scopes = collectScopes(bundle, note);
  const bound = kits.filter(({ toolBinding }) => toolBinding !== undefined);
  const names = nameTools(bound.map(({ id }) => id));
  const tools = bound.map((kit): Tool => {
    const name = names.get(kit.id)!;
    if (name !== kit.id.replaceAll('-', '_')) note('tool_renamed', kit.id, { name });
    return {
      name,
      description_i18n_key: `bundle.${bundle.id}.kit.${kit.id}`,
      description_fallback: describe(kit),
      input_schema: chooseSchema(kit, note),
      permission_scope: chooseScope(kit, scopes),
    };
  });
  const manifest = {
    schema_version: '1.0',
    agent_version: bundle.version,
    tools,
    permission_scopes: [...scopes.values()],
  };
  return { validation: validateManifest(manifest, { locale }), notes };
}

type TakeNote = (code: ProjectionNote['code'], kit: string, params?: Record<string, string>) => void;

/** Builds `<type>:<mode>` in a form that CM-9 and CM-10 allow: an unknown type may be any text. */
function scopeId({ type, mode }: Permission): string {
  const domain = slug(type);
  return `${RESERVED_DOMAINS.has(domain) ? `kit-${domain}` : domain}:${slug(mode)}`;
}

function slug(text: string): string {
  const kept = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .slice(0, 48);
  return kept.replaceAll(/^-+|-+$/g, '') || 'other';
}

function collectScopes(bundle: Bundle, note: TakeNote): Map<string, PermissionScope> {
  const scopes = new Map<string, PermissionScope>();
  for (const kit of bundle.kits ?? []) {
    const sensitivity = SENSITIVITY[kitRisk(kit)];
    for (const permission of kit.permissions ?? []) {
      const id = scopeId(permission);
      const said = `${permission.type}:${permission.mode}`;
      if (id !== said) note('scope_renamed', kit.id, { said: displayText(said), scope: id });
      addScope(scopes, { id, label_i18n_key: `bundle.scope.${id}`, label_fallback: scopeLabel(id), sensitivity });
    }
    if ((kit.permissions ?? []).length > 0 || kit.toolBinding === undefined) continue;
    const id = `kit:${kit.id}`;
    const label_fallback = displayText(kit.label);
    addScope(scopes, { id, label_i18n_key: `bundle.${bundle.id}.scope.${kit.id}`, label_fallback, sensitivity });
  }
  return scopes;
}

/** If kits share a scope, the highest sensitivity wins. */
function addScope(scopes: Map<string, PermissionScope>, scope: PermissionScope): void {
  const known = scopes.get(scope.id);
  if (known === undefined || compareSensitivity(known.sensitivity, scope.sensitivity) < 0) scopes.set(scope.id, scope);
}

/**
 * Chooses the most sensitive scope, and among equals the one that permits most, so that nobody agrees to less than is
 * done.
 */
function chooseScope(kit: Kit, scopes: ReadonlyMap<string, PermissionScope>): string {
  const [first, ...others] = kit.permissions ?? [];
  if (first === undefined) return `kit:${kit.id}`;
  const level = (permission: Permission) => scopes.get(scopeId(permission))!.sensitivity;
  const most = others.reduce((best, permission) => {
    const step = compareSensitivity(level(permission), level(best));
    return (step || compareRisk(permissionRisk(permission), permissionRisk(best))) > 0 ? permission : best;
  }, first);
  return scopeId(most);
}

function describe({ label, description, capabilities }: Kit): string {
  return displayText(`${label}: ${description ?? capabilities.join(', ')}`, MAX_DESCRIPTION);
}

function chooseSchema(kit: Kit, note: TakeNote): JsonObject {
  const config = kit.toolBinding?.config ?? {};
  const field = SCHEMA_FIELDS.find((name) => get(config, name) !== undefined);
  const schema = field === undefined ? undefined : get(config, field);
  if (isObject(schema) && get(schema, 'type') === 'object' && readSchema(schema).problems.length === 0) return schema;
  note(schema === undefined ? 'schema_assumed' : 'schema_unusable', kit.id);
  return {
    type: 'object',
    properties: { input: { type: 'string', description: displayText(kit.capabilities.join(', '), MAX_DESCRIPTION) } },
    required: ['input'],
    additionalProperties: false,
  };
}
