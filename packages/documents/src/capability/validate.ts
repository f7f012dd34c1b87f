import type { Locale } from '@parley/base';
import type { Message } from '../json/finding.ts';
import { join } from '../json/pointer.ts';
import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import { checkScopes, declaredScopes } from './check-scopes.ts';
import { checkTools } from './check-tools.ts';
import { checkFields, checkType, isExtension } from './fields.ts';
import { FLAGS_SCHEMA, MANIFEST_SCHEMA, type Manifest, SUPPORTED_VERSION } from './manifest.ts';
import { measure } from './measure.ts';
import { Report } from './report.ts';
import { isSemVer } from './semver.ts';

interface Validation {
  /** True if no finding is an error. */
  readonly valid: boolean;
  /** All findings in a stable order: about the whole first, then field by field. */
  readonly findings: Message[];
  /** The value that was checked, unchanged; present only if it is valid. */
  readonly manifest?: Manifest;
}
export type ManifestValidation =
  | (Validation & { readonly valid: true; readonly manifest: Manifest })
  | (Validation & { readonly valid: false; readonly manifest?: never });

interface ManifestOptions {
  readonly locale?: Locale;
  /** Set for the manifest of the platform's own agent, which alone may declare reserved scopes (CM-10). */
  readonly platform?: boolean;
}

/** Checks a value of any origin (CM-1…CM-15). It never throws. */
export function validateManifest(value: unknown, options: ManifestOptions = {}): ManifestValidation {
  const report = new Report();
  if (measure(value, report)) check(value, report, options.platform ?? false);
  const findings = report.messages(options.locale ?? 'en');
  return report.hasErrors ? { valid: false, findings } : { valid: true, findings, manifest: value as Manifest };
}

function check(value: unknown, report: Report, platform: boolean): void {
  const sound = !report.hasErrors;
  if (!checkType(value, 'object', '', report)) return;
  const manifest = value as JsonObject;
  const version = get(manifest, 'schema_version');
  if (version !== undefined && version !== SUPPORTED_VERSION) {
    report.add('MANIFEST_SCHEMA_VERSION_UNSUPPORTED', '/schema_version', { supported: SUPPORTED_VERSION });
    return;
  }
  checkFields(manifest, MANIFEST_SCHEMA, '', report);
  const agentVersion = get(manifest, 'agent_version');
  if (typeof agentVersion === 'string' && !isSemVer(agentVersion)) {
    report.add('AGENT_VERSION_INVALID', '/agent_version', {});
  }
  const tools = get(manifest, 'tools');
  const scopes = get(manifest, 'permission_scopes');
  if (Array.isArray(tools)) {
    checkTools(tools, { scopes: Array.isArray(scopes) ? declaredScopes(scopes) : undefined, sound }, report);
  }
  if (Array.isArray(scopes)) checkScopes(scopes, report, platform);
  checkFlags(get(manifest, 'capability_flags'), report);
}

/** Checks the flags (CM-1). */
function checkFlags(flags: Json | undefined, report: Report): void {
  if (!isObject(flags)) return;
  for (const flag of Object.keys(flags)) {
    const path = join('/capability_flags', flag);
    if (Object.hasOwn(FLAGS_SCHEMA.properties, flag)) checkType(flags[flag]!, 'boolean', path, report);
    else if (!isExtension(flag)) report.add('FLAG_UNKNOWN', path, { flag });
  }
}
