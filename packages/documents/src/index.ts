export { hashManifest } from './capability/hash.ts';
export {
  MANIFEST_SCHEMA,
  type Manifest,
  type PermissionScope,
  type Sensitivity,
  type Tool,
} from './capability/manifest.ts';
export { parseManifest } from './capability/parse.ts';
export { compareSensitivity, effectiveSensitivity, PRESET_SCOPES, type PresetScope } from './capability/presets.ts';
export {
  type ConsentPreview,
  type PreviewFlag,
  type PreviewGroup,
  type PreviewParameter,
  type PreviewScope,
  type PreviewTool,
  previewConsent,
} from './capability/preview.ts';
export { renderPreview } from './capability/preview-text.ts';
export { type ScopeText, scopeText, toolText } from './capability/text.ts';
export { type ManifestValidation, validateManifest } from './capability/validate.ts';
export { displayText } from './display-text.ts';
export { type Finding, LOCALES, type Locale, type Message, type Severity } from './finding.ts';
export { canonicalise } from './json/canonicalise.ts';
export { hashCanonical } from './json/hash.ts';
export { type ParseOptions, type ParseResult, parseJson } from './json/parse.ts';
export { toMessage } from './messages.ts';
