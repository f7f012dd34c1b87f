import { describe, expect, it } from 'vitest';
import { createErrorFactory, isParleyError, ParleyError } from './index.ts';

const error = createErrorFactory({
  FOLDER_HELD: { retry: true, text: { en: '{folder} is in use.', 'zh-CN': '{folder} 正在使用。' } },
  FOLDER_GONE: { retry: false, text: { en: 'It is gone.', 'zh-CN': '已不存在。' } },
});

describe('HS-20 errors', () => {
  it('HS-20 an error carries code, retry, params and cause, and its sentence in both languages', () => {
    const cause = new Error('inner');
    const held = error('FOLDER_HELD', { params: { folder: '/data' }, cause });
    expect(held).toMatchObject({ name: 'ParleyError', code: 'FOLDER_HELD', retry: true, params: { folder: '/data' } });
    expect(held.cause).toBe(cause);
    expect(held.message).toBe('/data is in use.');
    expect(held.explain('zh-CN')).toBe('/data 正在使用。');
    expect(held.explain('en', () => '?')).toBe('? is in use.');
  });

  it('HS-20 one occurrence may be worth a retry where the table says no', () => {
    expect(error('FOLDER_GONE').retry).toBe(false);
    expect(error('FOLDER_GONE', { retry: true }).retry).toBe(true);
    expect('cause' in error('FOLDER_GONE')).toBe(false);
  });

  it('HS-20 errors are told apart by their code', () => {
    const held: unknown = error('FOLDER_HELD');
    expect(isParleyError(held)).toBe(true);
    expect(isParleyError(held, 'FOLDER_HELD', 'OTHER')).toBe(true);
    expect(isParleyError(held, 'FOLDER_GONE')).toBe(false);
    expect(isParleyError(Object.assign(new Error(), { code: 'FOLDER_HELD' }), 'FOLDER_HELD')).toBe(false);
    expect(held).toBeInstanceOf(ParleyError);
  });

  it('HS-20 an error is known by its code whichever copy of this package made it', () => {
    // A class of another copy has nothing in common with ours but the symbol.
    const held = Object.assign(new Error('Held.'), { code: 'HELD', [Symbol.for('@parley/base.ParleyError')]: true });
    expect(held).not.toBeInstanceOf(ParleyError);
    expect(isParleyError(held, 'HELD')).toBe(true);
    expect(isParleyError(held, 'OTHER')).toBe(false);
  });
});
