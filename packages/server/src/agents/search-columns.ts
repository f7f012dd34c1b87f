import {
  compareSensitivity,
  effectiveSensitivity,
  type Manifest,
  PRESET_SCOPES,
  type Sensitivity,
} from '@parley/documents';
import { toVector } from '../search/terms.ts';

/** The parts of a manifest that search uses, in columns of their own. */
export interface ManifestColumns {
  readonly tool_names: string[];
  readonly scope_ids: string[];
  readonly flags: string[];
  readonly highest_sensitivity: Sensitivity | null;
}

export function describeManifest(manifest: Manifest | null): ManifestColumns {
  const scopes = manifest?.permission_scopes ?? [];
  const levels = scopes.map(effectiveSensitivity).sort(compareSensitivity);
  return {
    tool_names: (manifest?.tools ?? []).map((tool) => tool.name),
    scope_ids: scopes.map((scope) => scope.id),
    flags: Object.entries(manifest?.capability_flags ?? {}).flatMap(([flag, on]) => (on === true ? [flag] : [])),
    highest_sensitivity: levels.at(-1) ?? null,
  };
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly manifest: Manifest | null;
}

/** Returns the tsvector of an agent: its name counts most, then its description, then its tools and scopes. */
export function searchVector({ name, description, manifest }: Described): string {
  const tools = manifest?.tools ?? [];
  const scopes = manifest?.permission_scopes ?? [];
  return toVector([
    ['A', [name]],
    ['B', [description, ...tools.map((tool) => tool.name)]],
    ['C', scopes.flatMap((scope) => [scope.id, ...presetLabels(scope.id), ...texts(scope.label_fallback)])],
    ['D', tools.flatMap((tool) => texts(tool.description_fallback))],
    ['D', scopes.flatMap((scope) => texts(scope.description_fallback))],
  ]);
}

function presetLabels(id: string): string[] {
  return Object.values(PRESET_SCOPES.get(id)?.label ?? {});
}

/** Returns the texts of every locale; i18n keys are not searched. */
function texts(fallback: string | Readonly<Record<string, string>> | undefined): string[] {
  if (fallback === undefined) return [];
  return typeof fallback === 'string' ? [fallback] : Object.values(fallback);
}
