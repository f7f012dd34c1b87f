import type { Locale } from '@parley/base';
import { HOPELESS_BYTES, MAX_BYTES, MAX_DEPTH } from '../capability/measure.ts';
import { Report } from '../capability/report.ts';
import type { Finding } from '../json/finding.ts';
import { parseJson } from '../json/parse.ts';
import type { Json } from '../json/value.ts';
import { toViolations, type Violation } from './violation.ts';

export type DescriptorParse =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly violations: readonly Violation[] };

/** Text to value, strictly (CM-14): what is wrong with the text reads like what is wrong with a descriptor. */
export function parseDescriptor(text: string | Uint8Array, options: { locale?: Locale } = {}): DescriptorParse {
  const result = parseJson(text, { maxDepth: MAX_DEPTH, maxLength: HOPELESS_BYTES });
  if (result.ok) return result;
  const report = new Report();
  for (const finding of result.findings) report.push(rename(finding, text.length));
  return { ok: false, violations: toViolations(report, options.locale ?? 'en').violations };
}

function rename(finding: Finding, bytes: number): Finding {
  switch (finding.code) {
    case 'JSON_TOO_LONG':
      return { ...finding, code: 'DESCRIPTOR_TOO_LARGE', params: { bytes, limit: MAX_BYTES } };
    case 'JSON_TOO_DEEP':
      return { ...finding, code: 'DESCRIPTOR_TOO_DEEP', params: { ...finding.params, limit: MAX_DEPTH } };
    default:
      return finding;
  }
}
