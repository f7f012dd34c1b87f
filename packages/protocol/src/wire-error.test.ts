import { describe, expect, it } from 'vitest';
import { errorText, i18nKey } from './error-text.ts';
import { ERROR_CODES } from './errors.ts';
import { toWire } from './wire-error.ts';

describe('TR-7 one envelope for every error', () => {
  it('fills the parameters in, in either language', () => {
    const params = { bytes: 131_073, limit: 131_072 };
    expect(errorText('MANIFEST_TOO_LARGE', 'en', params)).toBe(
      'The capability manifest has 131073 bytes in canonical form. At most 131072 are allowed.',
    );
    expect(errorText('MANIFEST_TOO_LARGE', 'zh-CN', params)).toBe(
      '能力清单的规范形式为 131073 字节，上限为 131072 字节。',
    );
  });

  it('shows a missing parameter by its name', () => {
    expect(errorText('SCOPE_RESERVED', 'en')).toContain('{id}');
  });

  it('does not expand a value that looks like a placeholder, nor read the prototype', () => {
    const params = { bytes: '{limit}', limit: '$&' };
    expect(errorText('MANIFEST_TOO_LARGE', 'en', params)).toContain('has {limit} bytes in canonical form. At most $&');
    expect(errorText('SCOPE_RESERVED', 'en', Object.create({ id: 'inherited' }))).toContain('{id}');
  });

  it('gives every code a key of its own', () => {
    expect(i18nKey('MANIFEST_TOO_LARGE')).toBe('error.manifest_too_large');
    expect(new Set(ERROR_CODES.map(i18nKey)).size).toBe(ERROR_CODES.length);
  });

  it('carries code, sentence, key, parameters and request', () => {
    const wire = toWire({ code: 'SCOPE_UNKNOWN', params: { scope: 'a:b' }, requestId: 'r1', locale: 'en' });
    expect(wire).toEqual({
      error: {
        code: 'SCOPE_UNKNOWN',
        message: 'The capability manifest doesn’t declare the permission a:b.',
        i18n_key: 'error.scope_unknown',
        params: { scope: 'a:b' },
        request_id: 'r1',
      },
    });
  });

  it.each(['INTERNAL', 'UNAVAILABLE', 'EXECUTION_TIMEOUT', 'TOOL_PLATFORM_ERROR'] as const)(
    'leaks no internals through %s',
    (code) => {
      const wire = toWire({ code, params: { query: 'select secret' }, requestId: 'r1', locale: 'en' });
      expect(wire.error.params).toEqual({});
      expect(JSON.stringify(wire)).not.toContain('secret');
    },
  );
});
