import type { Locale } from '@parley/base';
import { MANIFEST_LIMITS } from '../capability/measure.ts';
import { parseDocument } from '../capability/parse.ts';
import { Report } from '../capability/report.ts';
import type { Json } from '../json/value.ts';
import { toViolations, type Violation } from './violation.ts';

export type DescriptorParse =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly violations: readonly Violation[] };

const CODES = { tooLarge: 'DESCRIPTOR_TOO_LARGE', tooDeep: 'DESCRIPTOR_TOO_DEEP' };

/** Parses text strictly (CM-14). Faults of the text are reported like faults of a descriptor. */
export function parseDescriptor(text: string | Uint8Array, options: { locale?: Locale } = {}): DescriptorParse {
  const result = parseDocument(text, MANIFEST_LIMITS, CODES);
  if (result.ok) return result;
  const report = new Report();
  for (const finding of result.findings) report.push(finding);
  return { ok: false, violations: toViolations(report, options.locale ?? 'en').violations };
}
