export { type Change, type Consent, type DiffOptions, diffManifests, type ManifestDiff } from './capability/diff.ts';
export { type ChangeGroup, groupChanges, renderDiff } from './capability/diff-text.ts';
export { hashManifest } from './capability/hash.ts';
export {
  MANIFEST_SCHEMA,
  type Manifest,
  type PermissionScope,
  type Sensitivity,
  type Tool,
} from './capability/manifest.ts';
export { parseManifest } from './capability/parse.ts';
export {
  compareSensitivity,
  effectiveSensitivity,
  highestSensitivity,
  PRESET_SCOPES,
  type PresetScope,
} from './capability/presets.ts';
export {
  type ConsentPreview,
  type PreviewFlag,
  type PreviewGroup,
  type PreviewParameter,
  type PreviewScope,
  type PreviewTool,
  preselectScopes,
  previewConsent,
} from './capability/preview.ts';
export { renderPreview } from './capability/preview-text.ts';
export { type ChangeCode, DIFF_RULES, type Policy } from './capability/rules.ts';
export { type ScopeText, scopeText, toolText } from './capability/text.ts';
export { type ManifestValidation, validateManifest } from './capability/validate.ts';
export { type DisplayedValue, displayLines, displayText, displayValue } from './display-text.ts';
export { canonicalise } from './json/canonicalise.ts';
export type { Finding, Message, Severity } from './json/finding.ts';
export { hashCanonical } from './json/hash.ts';
export { type JsonLocation, type JsonSpan, locatePointers } from './json/locate.ts';
export { type ParseOptions, type ParseResult, parseJson } from './json/parse.ts';
export { isObject as isJsonObject, type Json, type JsonObject } from './json/value.ts';
export { toMessage } from './messages.ts';
export { type Check, type CheckOptions, type CheckResult, compileCheck } from './schema/evaluate.ts';
export { type ReadSchema, readSchema } from './schema/read.ts';
