import { describe, expect, it } from 'vitest';
import { ToolError, type ToolErrorReason } from '../src/index.ts';

const NAMED = { status: 'denied', callId: 'c', toolName: 't' } as const;

/** As an agent branches on it (SK-3). */
function answerTo({ reason }: ToolError): string {
  switch (reason) {
    case 'user_refused':
    case 'user_timeout':
      return 'asked';
    case 'tool_timeout':
    case 'no_answer':
      return 'slow';
    case 'UNREACHABLE':
    case 'RATE_LIMITED':
      return 'later';
    // @ts-expect-error: no reason is spelt like this, so the compiler refuses the case.
    case 'user_refuesd':
      return 'misspelt';
    default:
      return 'other';
  }
}

describe('SK-3 the reasons of a ToolError are a closed type', () => {
  it.each<[ToolErrorReason, string]>([
    ['user_refused', 'asked'],
    ['tool_timeout', 'slow'],
    ['no_answer', 'slow'],
    ['UNREACHABLE', 'later'],
    ['TOOL_UNAVAILABLE', 'other'],
  ])('%s is one of them', (reason, answer) => {
    expect(answerTo(new ToolError({ ...NAMED, reason }))).toBe(answer);
  });

  it('a misspelt one does not compile', () => {
    // @ts-expect-error: it would never be thrown.
    const error = new ToolError({ ...NAMED, reason: 'user-refused' });
    // @ts-expect-error: and never be met.
    expect(error.reason === 'scope_not_grantd').toBe(false);
  });
});
