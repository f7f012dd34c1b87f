import { describe, expect, it } from 'vitest';
import { readVectors } from '../../tests/skill-vectors.ts';
import { compareVersions, findIncompatibility } from './version.ts';

interface Case {
  readonly descriptor: string;
  readonly supported: string;
  readonly compatible: boolean;
  readonly range?: string;
}

const { cases, ascending } = readVectors<{ cases: Case[]; ascending: string[] }>('sd-6-versions.json');

describe('SD-6 protocol versions', () => {
  it.each(cases)('$descriptor for a consumer of $supported', ({ descriptor, supported, compatible, range }) => {
    const found = findIncompatibility({ version: descriptor, changelog_url: 'https://example.com/c' }, supported);
    if (compatible) expect(found).toBeUndefined();
    else {
      expect(found).toEqual({
        descriptor_version: descriptor,
        consumer_supported_range: range,
        upgrade_url: 'https://example.com/c',
      });
    }
  });

  it('without a changelog names none', () => {
    expect(findIncompatibility({ version: '9.0.0' })).not.toHaveProperty('upgrade_url');
  });
});

describe('SD-7 order of versions', () => {
  it('is that of SemVer, section 11', () => {
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(i - j));
    }
  });

  it('takes no notice of build metadata', () => {
    expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
    expect(() => compareVersions('1', '1.0.0')).toThrow(TypeError);
  });
});
