import { describe, expect, it } from 'vitest';
import { bytesOf, VECTORS, vectorsOf } from '../../tests/manifest-vectors.ts';
import { parseManifest } from './parse.ts';

const codesOf = (text: string | Uint8Array) => {
  const result = parseManifest(text);
  return result.ok ? [] : result.findings.map(({ code }) => code);
};

describe('CM-14 reading text', () => {
  it('gives the value of well-formed text', () => {
    expect(parseManifest('{"a":[1,"ä"]}')).toEqual({ ok: true, value: { a: [1, 'ä'] } });
  });

  it.each(vectorsOf('CM-14').filter(({ base64, valid }) => base64 !== undefined && !valid))(
    'finds by itself what the vector “$about” names',
    (vector) => {
      expect(codesOf(bytesOf(vector))).toEqual(vector.codes.map(({ code }) => code));
    },
  );

  it('reads every vector that is a file', () => {
    const files = VECTORS.filter(({ file }) => file !== undefined);
    expect(files.filter((vector) => codesOf(bytesOf(vector)).length > 0)).toEqual([]);
  });
});

describe('CM-13 text far over the size limit', () => {
  it('is read up to ten times the limit, since white space does not count', () => {
    expect(codesOf(`{}${' '.repeat(1_310_718)}`)).toEqual([]);
  });

  it('is refused beyond that without being read', () => {
    const result = parseManifest(`${' '.repeat(1_310_719)}{}`);
    expect(result).toEqual({
      ok: false,
      findings: [
        { code: 'MANIFEST_TOO_LARGE', severity: 'error', path: '', params: { bytes: 1_310_721, limit: 131_072 } },
      ],
    });
  });
});

describe('CM-7 text that nests too deeply', () => {
  it('has the code that validating its value would give', () => {
    expect(codesOf('['.repeat(128) + ']'.repeat(128))).toEqual([]);
    const result = parseManifest('['.repeat(129) + ']'.repeat(129));
    expect(result.ok ? [] : result.findings).toMatchObject([{ code: 'MANIFEST_TOO_DEEP', params: { limit: 128 } }]);
  });
});
