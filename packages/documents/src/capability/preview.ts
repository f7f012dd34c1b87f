import { fillText, type Locale } from '@parley/base';
import { displayText } from '../display-text.ts';
import { readSchema } from '../schema/read.ts';
import { describeType } from './describe-type.ts';
import {
  type CapabilityFlag,
  FLAGS_SCHEMA,
  type Manifest,
  type PermissionScope,
  SENSITIVITIES,
  type Sensitivity,
  TIMEOUT_MS,
  type Tool,
} from './manifest.ts';
import { effectiveSensitivity, highestSensitivity, PRESET_SCOPES } from './presets.ts';
import { PREVIEW_TEXTS } from './preview-texts.ts';
import { readText, scopeText, toolText } from './text.ts';

/** What a person is asked to agree to, ready to be displayed. All text is fit to be shown, none of it is markup. */
export interface ConsentPreview {
  readonly locale: Locale;
  readonly agentVersion: string;
  /** The most sensitive group comes first; levels without a scope are left out. */
  readonly groups: readonly PreviewGroup[];
  /** The features that the agent says it supports. */
  readonly flags: readonly PreviewFlag[];
}

export interface PreviewGroup {
  readonly sensitivity: Sensitivity;
  readonly icon: string;
  readonly label: string;
  /** When the person will be asked. */
  readonly behaviour: string;
  readonly scopes: readonly PreviewScope[];
}

export interface PreviewScope {
  readonly id: string;
  readonly icon: string;
  readonly label: string;
  readonly description?: string;
  /** A required tool needs it, so it cannot be left out (CM-5). */
  readonly required: boolean;
  readonly warnings: readonly string[];
  readonly tools: readonly PreviewTool[];
}

export interface PreviewTool {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly timeoutMs: number;
  readonly parameters: readonly PreviewParameter[];
  /** True if arguments beyond the parameters are accepted too. */
  readonly acceptsMore: boolean;
}

export interface PreviewParameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

export interface PreviewFlag {
  readonly name: CapabilityFlag;
  readonly text: string;
}

const LEVEL_ICONS: Readonly<Record<Sensitivity, string>> = {
  high: 'shield-alert',
  medium: 'shield-question',
  low: 'shield-check',
};

/** Icons by the part of a scope's id before the colon. */
const DOMAIN_ICONS: ReadonlyMap<string, string> = new Map([
  ['notification', 'bell'],
  ['filesystem', 'folder'],
  ['clipboard', 'clipboard'],
  ['location', 'map-pin'],
  ['network', 'globe'],
]);

type Floor = (scope: PermissionScope) => Sensitivity;

/**
 * Builds the consent screen of a valid manifest, as data. A device may have a reason to treat a scope as more sensitive
 * than the manifest does: that is its `floor`.
 */
export function previewConsent(manifest: Manifest, locale: Locale, floor: Floor = () => 'low'): ConsentPreview {
  const texts = PREVIEW_TEXTS[locale];
  const levelOf = (scope: PermissionScope) => highestSensitivity(effectiveSensitivity(scope), floor(scope));
  const toolsOf = groupByScope(manifest.tools);
  const groups = SENSITIVITIES.toReversed().map((sensitivity) => ({
    sensitivity,
    icon: LEVEL_ICONS[sensitivity],
    label: texts.levels[sensitivity],
    behaviour: texts.behaviours[sensitivity],
    scopes: manifest.permission_scopes
      .filter((scope) => levelOf(scope) === sensitivity)
      .map((scope) => previewScope(scope, toolsOf.get(scope.id) ?? [], { locale, level: sensitivity })),
  }));
  const flags = Object.keys(FLAGS_SCHEMA.properties) as CapabilityFlag[];
  return {
    locale,
    agentVersion: displayText(manifest.agent_version),
    groups: groups.filter((group) => group.scopes.length > 0),
    flags: flags
      .filter((name) => manifest.capability_flags?.[name] === true)
      .map((name) => ({ name, text: texts.flags[name] })),
  };
}

/** The scopes that are switched on before the person chooses (CM-17); they switch on all others themselves. */
export function preselectScopes({ groups }: ConsentPreview): string[] {
  const low = groups.filter(({ sensitivity }) => sensitivity === 'low');
  return low.flatMap(({ scopes }) => scopes.map(({ id }) => id));
}

function groupByScope(tools: readonly Tool[]): ReadonlyMap<string, Tool[]> {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const group = groups.get(tool.permission_scope);
    if (group === undefined) groups.set(tool.permission_scope, [tool]);
    else group.push(tool);
  }
  return groups;
}

interface At {
  readonly locale: Locale;
  readonly level: Sensitivity;
}

function previewScope(scope: PermissionScope, tools: readonly Tool[], at: At): PreviewScope {
  const { locale } = at;
  return {
    id: displayText(scope.id),
    icon: DOMAIN_ICONS.get(scope.id.split(':', 1)[0]!) ?? 'key',
    ...scopeText(scope, locale),
    required: tools.some((tool) => tool.required === true),
    warnings: scopeWarnings(scope, tools, at),
    tools: tools.map((tool) => previewTool(tool, locale)),
  };
}

function scopeWarnings(scope: PermissionScope, tools: readonly Tool[], { locale, level }: At): string[] {
  const texts = PREVIEW_TEXTS[locale];
  const warnings: string[] = [];
  if (level !== scope.sensitivity) {
    const { [scope.sensitivity]: declared, [level]: raised } = texts.levels;
    warnings.push(fillText(texts.raised, { declared, effective: raised }));
  }
  const hasWords = PRESET_SCOPES.has(scope.id) || readText(scope.label_fallback, locale) !== undefined;
  if (!hasWords) warnings.push(texts.untranslated);
  if (tools.length === 0) warnings.push(texts.unused);
  return warnings;
}

function previewTool(tool: Tool, locale: Locale): PreviewTool {
  return {
    name: displayText(tool.name),
    description: toolText(tool, locale),
    required: tool.required === true,
    timeoutMs: tool.timeout_ms ?? TIMEOUT_MS.default,
    ...previewParameters(tool, locale),
  };
}

/** Sorts required parameters first, then by name: the order of a schema's keys is not part of the manifest's hash. */
function previewParameters(tool: Tool, locale: Locale): Pick<PreviewTool, 'parameters' | 'acceptsMore'> {
  const { root } = readSchema(tool.input_schema);
  const required = new Set(root?.required);
  const names = [...(root?.properties?.keys() ?? [])].sort();
  const parameters = [...names.filter((name) => required.has(name)), ...names.filter((name) => !required.has(name))];
  return {
    parameters: parameters.map((name) => ({
      name: displayText(name),
      type: describeType(root!.properties!.get(name)!, locale),
      required: required.has(name),
    })),
    acceptsMore: root?.additionalProperties?.kinds !== 0 || root.patternProperties !== undefined,
  };
}
