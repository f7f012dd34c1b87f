import type { Finding } from './finding.ts';
import { scan } from './scan.ts';
import { decodeUtf8 } from './utf8.ts';
import type { Json } from './value.ts';

const MAX_DEPTH = 128;
const MAX_LENGTH = 16 * 1024 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

export interface ParseOptions {
  /** How deep containers may nest, including the outermost. 128 by default (CM-7). */
  readonly maxDepth?: number;
  /** The most bytes, or UTF-16 code units of a string. 16 Mi by default. */
  readonly maxLength?: number;
}

export type ParseResult = { ok: true; value: Json } | { ok: false; findings: Finding[] };

/** Parses strict RFC 8259 (CM-14): what other parsers accept in silence, such as a repeated key, is a finding. */
export function parseJson(input: string | Uint8Array, options: ParseOptions = {}): ParseResult {
  const { maxDepth = MAX_DEPTH, maxLength = MAX_LENGTH } = options;
  if (input.length > maxLength) return refuse('JSON_TOO_LONG', { length: input.length, max: maxLength });
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  if (typeof text === 'number') return refuse('JSON_INVALID_UTF8', { offset: text });

  const marked = text.startsWith(BYTE_ORDER_MARK);
  const findings = scan(text, marked ? 1 : 0, maxDepth);
  if (marked) findings.unshift(finding('JSON_BOM', {}));
  return findings.length > 0 ? { ok: false, findings } : { ok: true, value: JSON.parse(text) };
}

function refuse(code: string, params: Finding['params']): ParseResult {
  return { ok: false, findings: [finding(code, params)] };
}

function finding(code: string, params: Finding['params']): Finding {
  return { code, severity: 'error', path: '', params };
}
