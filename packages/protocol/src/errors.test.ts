import type { Texts } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from './errors.ts';
import { DENIED_REASONS, ERROR_REASONS } from './reasons.ts';

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const texts: [string, Texts][] = [
  ...ERROR_CODES.map((code): [string, Texts] => [code, ERRORS[code].text]),
  ...Object.entries<Texts>(DENIED_REASONS),
  ...Object.entries<Texts>(ERROR_REASONS),
];

describe('HS-4 every code is complete', () => {
  it.each(ERROR_CODES)('%s has a name, statuses and a verdict', (code) => {
    const { http, retry } = ERRORS[code];
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(http.length).toBeGreaterThan(0);
    for (const status of http) expect(status >= 400 && status < 600).toBe(true);
    expect(typeof retry).toBe('boolean');
  });

  it.each(texts)('%s has a sentence in English and one in Chinese', (_, text) => {
    expect(text.en).toMatch(/^[A-Z].*\.$/);
    expect(text['zh-CN']).toMatch(/\p{Script=Han}.*。$/u);
  });

  it('gives no two codes the same sentence: one code has one meaning', () => {
    for (const locale of ['en', 'zh-CN'] as const) {
      const sentences = ERROR_CODES.map((code) => ERRORS[code].text[locale]);
      expect(new Set(sentences).size).toBe(sentences.length);
    }
  });
});

describe('HS-6 both languages say the same', () => {
  it.each(texts)('%s has the same parameters in both', (_, text) => {
    expect(placeholders(text['zh-CN'])).toEqual(placeholders(text.en));
  });
});

describe('TR-7 a 5xx never carries internals', () => {
  it.each(ERROR_CODES.filter((code) => ERRORS[code].http.some((status) => status >= 500)))(
    '%s has no parameters in its sentence',
    (code) => {
      expect(placeholders(ERRORS[code].text.en)).toEqual([]);
    },
  );
});

describe('statuses that the rules name', () => {
  it('CM-13 an oversized manifest is 413', () => {
    expect(ERRORS.MANIFEST_TOO_LARGE.http).toEqual([413]);
  });

  it('RL-4 a lost update is 412', () => {
    expect(ERRORS.PRECONDITION_FAILED.http).toEqual([412]);
  });

  it('RL-6 an unknown scope is 422, consent to an old manifest 409', () => {
    expect(ERRORS.SCOPE_UNKNOWN.http).toEqual([422]);
    expect(ERRORS.MANIFEST_CHANGED.http).toEqual([409]);
  });

  it('RL-10 an entry that does not extend the head of the ledger is 409', () => {
    expect(ERRORS.LEDGER_CONFLICT.http).toEqual([409]);
  });

  it('TC-7 the tool call over the limit is 429, to be tried again later', () => {
    expect(ERRORS.RATE_LIMITED).toMatchObject({ http: [429], retry: true });
  });

  it('BA-2 an invalid bundle is 422, a plan that changed 409', () => {
    expect(ERRORS.BUNDLE_INVALID.http).toEqual([422]);
    expect(ERRORS.PLAN_CHANGED.http).toEqual([409]);
  });

  it.each([
    ['AUTH_REQUIRED', [401]],
    ['PERMISSION_DENIED', [403]],
    ['SKILL_NOT_FOUND', [404]],
    ['EXECUTION_TIMEOUT', [408, 504]],
    ['ENDPOINT_UNREACHABLE', [502, 503]],
    ['VERSION_INCOMPATIBLE', [422]],
    ['RATE_LIMITED', [429]],
    ['EXECUTION_FAILED', [500]],
    ['EXECUTION_CANCELLED', [409]],
    ['OUTPUT_INVALID', [502]],
    ['ADDRESS_BLOCKED', [403]],
  ] as const)('SI-4 %s is %j', (code, statuses) => {
    expect(ERRORS[code].http).toEqual(statuses);
  });
});

describe('reasons of tool calls', () => {
  it('TC-4 a call is denied for one of six reasons', () => {
    expect(Object.keys(DENIED_REASONS)).toEqual([
      'user_refused',
      'scope_not_granted',
      'tool_not_declared',
      'user_timeout',
      'tool_not_supported_in_group',
      'permission_revoked',
    ]);
  });

  it('TC-5 a call fails for one of four reasons', () => {
    expect(Object.keys(ERROR_REASONS)).toEqual([
      'TOOL_PLATFORM_ERROR',
      'TOOL_INVALID_ARGUMENTS',
      'TOOL_UNAVAILABLE',
      'tool_timeout',
    ]);
  });
});
