import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectSha256, sha256Hex } from './sha256.ts';

const portable = selectSha256({});

test('CM-16 hashes the examples of FIPS 180-2', () => {
  for (const hash of [sha256Hex, portable]) {
    expect(hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(hash('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    );
  }
});

test('CM-16 asks the host for its own SHA-256 and does without where there is none', () => {
  const native = { getBuiltinModule: () => ({ hash: () => 'native' }) };
  expect(selectSha256({ process: native })('abc')).toBe('native');
  for (const host of [{}, { process: {} }, { process: { getBuiltinModule: () => undefined } }]) {
    expect(selectSha256(host)('abc')).toBe(sha256Hex('abc'));
  }
});

test('CM-16 hashes alike in Node and where there is no Node', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(text, (value) => {
      const expected = createHash('sha256').update(value, 'utf8').digest('hex');
      expect(sha256Hex(value)).toBe(expected);
      expect(portable(value)).toBe(expected);
    }),
    { seed: 8785, numRuns: 200 },
  );
});
