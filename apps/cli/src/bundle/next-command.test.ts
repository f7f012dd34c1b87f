import { expect, test } from 'vitest';
import { formatNextCommand } from './next-command.ts';

test('BA-8 the command to type next repeats what matters, quoted for a shell', () => {
  const options = { workspace: "/tmp/it's here", target: 'plain', locale: 'zh-CN', json: true } as const;
  expect(formatNextCommand('roleos activate', './a b', options, 'sha256:1')).toBe(
    `roleos activate './a b' --workspace '/tmp/it'\\''s here' --target plain --locale zh-CN --plan-digest sha256:1`,
  );
  expect(formatNextCommand('roleos activate', 'team@1.0.0', { allowShortDigest: true }, 'x')).toBe(
    'roleos activate team@1.0.0 --allow-short-digest --plan-digest x',
  );
});
