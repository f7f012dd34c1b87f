import { describe, expect, test } from 'vitest';
import { ApiError } from './api/api.ts';
import { explainFailure, failure, isPassing } from './failure.ts';

describe('TR-7 what goes wrong on this side', () => {
  test('has words in both languages, and none for what the server says', () => {
    expect(explainFailure({ code: 'KEYSTORE_MISMATCH' }, 'en')).toContain('keystore');
    expect(explainFailure({ code: 'KEYSTORE_MISMATCH' }, 'zh-CN')).toMatch(/\p{Script=Han}/u);
    expect(explainFailure({ code: 'RATE_LIMITED' }, 'en')).toBeUndefined();
    expect(explainFailure({ code: 'constructor' }, 'en')).toBeUndefined();
  });

  test('is waited for if it passes by itself', () => {
    const status = (code: number) => new ApiError({ status: code, code: 'X', message: '' });
    expect([failure('UNREACHABLE'), status(503)].every(isPassing)).toBe(true);
    expect([failure('CLOSED'), status(429), status(500), new Error('x'), undefined].some(isPassing)).toBe(false);
  });
});
