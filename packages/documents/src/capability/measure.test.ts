import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalise } from '../json/canonicalise.ts';
import type { Json } from '../json/value.ts';
import { measure } from './measure.ts';
import { Report } from './report.ts';

const canonicalBytes = (value: Json) => Buffer.byteLength(canonicalise(value));

function measuredBytes(value: Json): unknown {
  const report = new Report();
  measure(['a'.repeat(65_536), value], report);
  return report.messages('en')[0]!.params.bytes;
}

describe('CM-13 size of the canonical form', () => {
  it.each<[string, Json]>([
    ['numbers', [0, -0, 1e21, 1e-7, 123456789012345680000, 5e-324, -1.5, 0.1]],
    ['escapes', '\b\t\n\f\r\v\0\u001f"\\/\u007f'],
    ['characters of 1 to 4 bytes', 'a\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}'],
    ['keys', { 'a"b': 1, 'ä\n': { '😀': [] } }],
    ['empty containers', [[], {}, [[]], [{}], { a: [] }]],
    ['literals', [null, true, false]],
  ])('is counted without building it: %s', (_, value) => {
    expect(measuredBytes(value)).toBe(canonicalBytes(['a'.repeat(65_536), value]));
  });

  it('is counted without building it: any JSON', () => {
    const json = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(json, (value) => measuredBytes(value) === canonicalBytes(['a'.repeat(65_536), value])),
      { numRuns: 200 },
    );
  });
});
