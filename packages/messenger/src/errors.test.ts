import { describe, expect, test } from 'vitest';
import { ApiError, isOutage, unreachable } from './api/api-error.ts';
import { messengerError } from './errors.ts';

describe('TR-7 what goes wrong on this side', () => {
  test('TR-7 has a sentence in both languages', () => {
    expect(messengerError('KEYSTORE_MISMATCH').explain('en')).toContain('keystore');
    expect(messengerError('KEYSTORE_MISMATCH').explain('zh-CN')).toMatch(/\p{Script=Han}/u);
  });

  test('TR-7 what the server says is told in the language of the reader, what a newer one says in its own words', () => {
    const known = new ApiError({ status: 429, code: 'RATE_LIMITED', message: 'Slow down.' });
    expect(known.message).toBe('Slow down.');
    expect(known.explain('zh-CN')).toMatch(/\p{Script=Han}/u);
    const newer = new ApiError({ status: 400, code: 'NEWER', message: 'Not now.' });
    expect([newer.explain('en'), newer.explain('zh-CN')]).toEqual(['Not now.', 'Not now.']);
    expect(new ApiError({ status: 400, code: 'constructor', message: 'x' }).explain('en')).toBe('x');
  });

  test('TR-7 hostile server: params that are no text, or endless, neither break an error nor fill the screen', () => {
    const params = JSON.parse('{"limit":{"toString":1},"seconds":7,"scopes":["a",{"toString":1}]}');
    const error = new ApiError({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
      params: { ...params, long: 'x'.repeat(5_000) },
    });
    expect(error.params).toEqual({ seconds: 7, scopes: ['a'], long: 'x'.repeat(1_000) });
    expect(error.explain('en')).toContain('{limit}');
    expect(new ApiError({ status: 400, code: 'BAD_REQUEST', params: 'none' }).params).toEqual({});
  });

  test('TR-2 is waited for if it passes by itself', () => {
    const status = (code: number) => new ApiError({ status: code, code: 'X', message: '' });
    expect([unreachable({}), status(503)].every(isOutage)).toBe(true);
    expect([messengerError('CLOSED'), status(429), status(500), new Error('x'), undefined].some(isOutage)).toBe(false);
  });
});
