import type { Finding } from '../json/finding.ts';
import { type ParseResult, parseJson } from '../json/parse.ts';
import { HOPELESS_BYTES, MAX_BYTES, MAX_DEPTH } from './measure.ts';

/**
 * Text to value (CM-14). Too deep or far too long has the code that validating the value would give, so that a caller
 * need not know which of the two noticed first.
 */
export function parseManifest(text: string | Uint8Array): ParseResult {
  const result = parseJson(text, { maxDepth: MAX_DEPTH, maxLength: HOPELESS_BYTES });
  return result.ok ? result : { ok: false, findings: result.findings.map((finding) => rename(finding, text.length)) };
}

function rename(finding: Finding, bytes: number): Finding {
  switch (finding.code) {
    case 'JSON_TOO_LONG':
      return { ...finding, code: 'MANIFEST_TOO_LARGE', params: { bytes, limit: MAX_BYTES } };
    case 'JSON_TOO_DEEP':
      return { ...finding, code: 'MANIFEST_TOO_DEEP', params: { ...finding.params, limit: MAX_DEPTH } };
    default:
      return finding;
  }
}
