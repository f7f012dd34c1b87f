import { isPrintable } from '../display-text.ts';
import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import { checkFields, checkType } from './fields.ts';
import { SCOPE_SCHEMA, SENSITIVITIES, type Sensitivity } from './manifest.ts';
import { compareSensitivity, PRESET_SCOPES } from './presets.ts';
import type { Report } from './report.ts';
import { readText } from './text.ts';

const MAX_ID_CHARACTERS = 128;
const CONVENTIONAL_ID = /^[a-z0-9][a-z0-9_.-]*:[a-z0-9][a-z0-9_.-]*$/;
const RESERVED_PREFIXES = ['hashee:', 'system:'];

/** The ids that tools may refer to (CM-8). */
export function declaredScopes(scopes: readonly Json[]): ReadonlySet<Json | undefined> {
  return new Set(scopes.map((scope) => (isObject(scope) ? get(scope, 'id') : undefined)));
}

/** Checks the declared scopes: ids, presets and texts (CM-9…CM-12). */
export function checkScopes(scopes: readonly Json[], report: Report, platform: boolean): void {
  const paths = new Map<string, string>();
  for (const [index, scope] of scopes.entries()) {
    const path = `/permission_scopes/${index}`;
    if (!checkType(scope, 'object', path, report)) continue;
    checkFields(scope as JsonObject, SCOPE_SCHEMA, path, report);
    checkScope(scope as JsonObject, path, report);
    const id = get(scope as JsonObject, 'id');
    if (typeof id !== 'string') continue;
    const prefix = platform ? undefined : reservedPrefix(id);
    if (prefix !== undefined) report.add('SCOPE_RESERVED', `${path}/id`, { id, prefix });
    const first = paths.get(id);
    if (first === undefined) paths.set(id, path);
    else report.add('SCOPE_ID_DUPLICATE', `${path}/id`, { id, first });
  }
}

function checkScope(scope: JsonObject, path: string, report: Report): void {
  const id = get(scope, 'id');
  const sensitivity = get(scope, 'sensitivity');
  const known = typeof sensitivity === 'string' && (SENSITIVITIES as readonly string[]).includes(sensitivity);
  if (typeof sensitivity === 'string' && !known) report.add('SENSITIVITY_INVALID', `${path}/sensitivity`, {});
  if (typeof id !== 'string') return;
  checkId(id, `${path}/id`, report);

  const preset = PRESET_SCOPES.get(id);
  if (preset === undefined) {
    if (!hasText(scope)) {
      const key = get(scope, 'label_i18n_key');
      report.add('SCOPE_TEXT_MISSING', path, { id, key: typeof key === 'string' ? key : id });
    }
  } else if (known && compareSensitivity(sensitivity as Sensitivity, preset.sensitivity) < 0) {
    report.add('SCOPE_BELOW_PRESET', `${path}/sensitivity`, { id, declared: sensitivity, preset: preset.sensitivity });
  }
}

function checkId(id: string, path: string, report: Report): void {
  if (!isId(id)) report.add('SCOPE_ID_INVALID', path, { id, max: MAX_ID_CHARACTERS });
  else if (!CONVENTIONAL_ID.test(id)) report.add('SCOPE_ID_UNCONVENTIONAL', path, { id });
}

function isId(id: string): boolean {
  if (id === '' || id.length > 2 * MAX_ID_CHARACTERS) return false;
  return [...id].length <= MAX_ID_CHARACTERS && isPrintable(id);
}

/**
 * Finds a reserved prefix (CM-10) in any letter case; NFKC also undoes other spellings of these letters: `ſystem:`,
 * full-width, circled.
 */
function reservedPrefix(id: string): string | undefined {
  const folded = id.slice(0, 64).normalize('NFKC').toLowerCase();
  return RESERVED_PREFIXES.find((prefix) => folded.startsWith(prefix));
}

function hasText(scope: JsonObject): boolean {
  const fallback = get(scope, 'label_fallback');
  // A value of a wrong type is reported elsewhere.
  return typeof fallback === 'string' || isObject(fallback)
    ? readText(fallback, 'en') !== undefined
    : fallback !== undefined;
}
