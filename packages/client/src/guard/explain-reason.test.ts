import { DENIED_REASONS, ERROR_REASONS } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { explainReason, explainResponse, TOO_LATE } from './explain-reason.ts';

describe('TC-4 what the person is told about a call that was denied', () => {
  it('TC-4 names the person who decided, in their language', () => {
    expect(explainReason('user_refused', 'en')).toBe('You denied this.');
    expect(explainReason('user_refused', 'zh-CN')).toBe('您已拒绝。');
  });

  it('TC-4, TC-5 has a whole sentence for every reason', () => {
    for (const reason of Object.keys({ ...DENIED_REASONS, ...ERROR_REASONS })) {
      expect(explainReason(reason, 'en')).toMatch(/^[A-Z][^{}_]+\.$/);
      expect(explainReason(reason, 'zh-CN')).toMatch(/^[^{}_]+。$/);
    }
  });

  it('CG-14 says of a call without time to answer that it had none', () => {
    const response = { reason: 'user_timeout', message: TOO_LATE, retry_after_ms: 5_000 };
    expect(explainResponse(response as never, 'en')).toBe(
      'The agent left you no time to answer, so you weren’t asked.',
    );
  });

  it('TC-4 shows an unknown reason of another device harmlessly', () => {
    expect(explainReason('constructor', 'en')).toBe('constructor');
    expect(explainReason('no_answer', 'en', 'Nobody answered.')).toBe('Nobody answered.');
    expect(explainReason('a\u001b[2Jb', 'en')).not.toContain('\u001b');
  });
});
