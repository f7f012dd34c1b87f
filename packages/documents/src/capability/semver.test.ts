import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MANIFEST_SCHEMA } from './manifest.ts';
import { isSemVer } from './semver.ts';

describe('CM-3 SemVer 2.0.0', () => {
  it.each([
    '0.0.4',
    '1.2.3',
    '10.20.30',
    '1.1.2-prerelease+meta',
    '1.1.2+meta-valid',
    '1.0.0-alpha-a.b-c-somethinglong+build.1-aef.1-its-okay',
    '1.0.0-rc.1+build.123',
    '2.0.0+build.1848',
    '1.2.3----RC-SNAPSHOT.12.9.1--.12',
    '1.0.0-0A.is.legal',
    '1.0.0+0.build.1-rc.10000aaa-kk-0.1',
    '1.0.0-0.0',
  ])('accepts %s', (text) => {
    expect(isSemVer(text)).toBe(true);
  });

  it.each([
    '1',
    '1.2',
    '1.2.3-0123',
    '1.2.3-0123.0123',
    '1.1.2+.123',
    '+invalid',
    '-invalid',
    'alpha',
    'alpha.beta.1',
    '1.0.0-alpha_beta',
    '1.0.0-alpha..1',
    '1.0.0-.a',
    '1.0.0-a.',
    '1.0.0-a+',
    '1.0.0+a.',
    '1.01.1',
    '1.2.31----RC-SNAPSHOT.12.09.1--..12+788',
    '1.0.0-ä',
    '1.0.0+ä',
    '1.0.٣',
    '1.0.0\r',
    '1..0',
    '1.0.0 ',
  ])('refuses %s', (text) => {
    expect(isSemVer(text)).toBe(false);
  });

  it('ends on a hostile text', () => {
    expect(isSemVer(`1.0.0-${'0'.repeat(1_000_000)}`)).toBe(false);
    expect(isSemVer(`1.0.0-${'a.'.repeat(500_000)}`)).toBe(false);
  });

  it('agrees with the pattern of the published schema', () => {
    const pattern = new RegExp(MANIFEST_SCHEMA.properties.agent_version.pattern);
    const piece = fc.constantFrom('0', '1', '01', '10', 'a', '0a', '-', '.', '+', '', 'Z9', '_', '\n');
    const text = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => `1.0.0${pieces.join('')}`),
      fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (version) => pattern.test(version) === isSemVer(version)),
      { numRuns: 5000 },
    );
  });
});
