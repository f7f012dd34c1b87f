import { type ParseResult, parseJson } from '../json/parse.ts';
import { type Limits, MANIFEST_LIMITS } from './measure.ts';

interface LimitCodes {
  readonly tooLarge: string;
  readonly tooDeep: string;
}

/**
 * Parses text into a value (CM-14). A text that is too deep or far too long gets the same code as the value would in
 * validation, so that a caller need not know which of the two noticed first.
 */
export function parseDocument(text: string | Uint8Array, limits: Limits, codes: LimitCodes): ParseResult {
  const { maxBytes, maxDepth, hopelessBytes } = limits;
  const result = parseJson(text, { maxDepth, maxLength: hopelessBytes });
  if (result.ok) return result;
  const findings = result.findings.map((finding) => {
    if (finding.code === 'JSON_TOO_LONG')
      return { ...finding, code: codes.tooLarge, params: { bytes: text.length, limit: maxBytes } };
    if (finding.code !== 'JSON_TOO_DEEP') return finding;
    return { ...finding, code: codes.tooDeep, params: { ...finding.params, limit: maxDepth } };
  });
  return { ok: false, findings };
}

const CODES = { tooLarge: 'MANIFEST_TOO_LARGE', tooDeep: 'MANIFEST_TOO_DEEP' };

export const parseManifest = (text: string | Uint8Array): ParseResult => parseDocument(text, MANIFEST_LIMITS, CODES);
