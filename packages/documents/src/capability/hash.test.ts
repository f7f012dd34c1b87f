import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { baseManifest, checkVector, vectorsOf } from '../../tests/manifest-vectors.ts';
import { canonicalise } from '../json/canonicalise.ts';
import { hashManifest } from './hash.ts';

describe('CM-16 hash of a manifest', () => {
  it.each(vectorsOf('CM-16'))('$about', checkVector);

  it('is the lowercase hex SHA-256 of the canonical form', () => {
    const expected = createHash('sha256').update(canonicalise(baseManifest())).digest('hex');
    expect(hashManifest(baseManifest())).toBe(expected);
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
  });

  it('covers defaults that are stated, unknown fields, x- fields and empty values', () => {
    const base = hashManifest(baseManifest());
    const [tool] = baseManifest().tools;
    const variants = [
      { ...baseManifest(), capability_flags: {} },
      { ...baseManifest(), capability_flags: { supports_voice: false } },
      { ...baseManifest(), tools: [{ ...tool!, timeout_ms: 10_000 }] },
      { ...baseManifest(), tools: [{ ...tool!, required: false }] },
      { ...baseManifest(), unknown: 1 },
      { ...baseManifest(), 'x-a': null },
      { ...baseManifest(), 'x-a': '' },
      { ...baseManifest(), $schema: 'a' },
    ].map(hashManifest);
    expect(new Set([base, ...variants]).size).toBe(variants.length + 1);
  });

  it('is the same for two documents that differ in key order and white space alone', () => {
    const hashes = vectorsOf('CM-16')
      .filter(({ file }) => file === 'cm-16-key-order.valid.json')
      .map(({ hash }) => hash);
    expect(hashes).toEqual([hashManifest(baseManifest())]);
  });
});

describe('CM-14 unknown fields', () => {
  it('are covered by the hash', () => {
    expect(hashManifest({ ...baseManifest(), unknown: 1 })).not.toBe(hashManifest({ ...baseManifest(), unknown: 2 }));
  });
});
