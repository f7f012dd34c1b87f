import { describe, expect, it } from 'vitest';
import { describeDrift } from '../src/lifecycle/drift.ts';
import { describeConflict } from '../src/plan/conflict.ts';
import { describeKept } from '../src/plan/kept-file.ts';
import { describeMissing } from '../src/project/missing.ts';

describe('BA-8 what a person is told', () => {
  it('BA-8 names the file, in both languages', () => {
    for (const locale of ['en', 'zh-CN'] as const) {
      expect(describeKept({ path: 'AGENTS.md', reason: 'edited' }, locale)).toContain('AGENTS.md');
      expect(describeDrift({ bundleId: 'x', path: 'TOOLS.md', problem: 'added' }, locale)).toContain('TOOLS.md');
      expect(describeMissing({ code: 'MCP_LAUNCH_MISSING', kit: 'a-kit', detail: 'api' }, locale)).toMatch(
        /a-kit.*api/,
      );
    }
  });

  it('BA-8 attack: a path cannot smuggle in another line or a placeholder', () => {
    const path = 'a\n{other}\u202e$&';
    const text = describeConflict({ code: 'PATH_COLLISION', path, other: 'b' }, 'en');
    expect(text).not.toMatch(/[\n\u202e]/);
    expect(text).toContain('{other}');
    expect(text).toContain('$&');
  });
});
