import type { Finding } from '../json/finding.ts';
import { type ParseResult, parseJson } from '../json/parse.ts';
import { BUNDLE_LIMITS } from './limits.ts';

/** Text to value. Too deep or too long has the code that validating the value would give. */
export function parseBundle(text: string | Uint8Array): ParseResult {
  const result = parseJson(text, { maxDepth: BUNDLE_LIMITS.maxDepth, maxLength: BUNDLE_LIMITS.hopelessBytes });
  return result.ok ? result : { ok: false, findings: result.findings.map((finding) => rename(finding, text.length)) };
}

function rename(finding: Finding, bytes: number): Finding {
  switch (finding.code) {
    case 'JSON_TOO_LONG':
      return { ...finding, code: 'MANIFEST_TOO_LARGE', params: { bytes, limit: BUNDLE_LIMITS.maxBytes } };
    case 'JSON_TOO_DEEP':
      return { ...finding, code: 'MANIFEST_TOO_DEEP', params: { ...finding.params, limit: BUNDLE_LIMITS.maxDepth } };
    default:
      return finding;
  }
}
