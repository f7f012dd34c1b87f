import { ToolError } from '@parley/agent';
import { type Bundle, projectToManifest } from '@parley/documents/bundle';
import { describe, expect, test } from 'vitest';
import { answer, readCall } from './answer.ts';

const bundle = {
  rktVersion: '1.0',
  id: 'team',
  version: '1.0.0',
  name: 'Team',
  summary: 'A team.',
  targetUser: 'Anyone',
  roles: [{ id: 'finder', label: 'Finder', kits: ['web-search'] }],
  kits: [
    { id: 'web-search', label: 'Search', capabilities: ['Search'], toolBinding: { type: 'http' } },
    { id: 'notes', label: 'Notes', capabilities: ['Notes'] },
  ],
  rollbackProfile: { snapshotEnabled: true, strategy: 'restore-snapshot' },
} as unknown as Bundle;
const manifest = projectToManifest(bundle).validation.manifest!;

describe('BA-7 what a running bundle answers', () => {
  const calls: unknown[] = [];
  const bundleAgent = {
    bundle,
    manifest,
    agent: {
      callTool: async (...args: unknown[]) => {
        calls.push(args);
        return { found: 3 } as never;
      },
    },
  };

  test('BA-7 says which roles, kits and tools it has, in the language of the question', async () => {
    const english = await answer(bundleAgent, 'c', 'hello');
    for (const part of ['Finder', 'Search, Notes', 'web_search']) expect(english).toContain(part);
    expect(await answer(bundleAgent, 'c', '你好')).toContain('我的角色');
    expect(calls).toEqual([]);
  });

  test('BA-7 the name of a tool calls it through the device, with JSON or with plain text', async () => {
    expect(await answer(bundleAgent, 'c', '/web_search {"input": "cats"}')).toContain('"found":3');
    await answer(bundleAgent, 'c', 'web_search two cats');
    expect(calls).toEqual([
      ['c', 'web_search', { input: 'cats' }],
      ['c', 'web_search', { input: 'two cats' }],
    ]);
    expect(readCall('web_search {"input"', manifest)).toEqual({ tool: 'web_search', args: undefined });
    expect(readCall('notes x', manifest)).toBeUndefined();
  });

  test('BA-7 a refusal of the person is accepted in a sentence', async () => {
    const callTool = () =>
      Promise.reject(new ToolError({ status: 'denied', reason: 'user_refused', callId: 'x', toolName: 'web_search' }));
    expect(await answer({ ...bundleAgent, agent: { callTool } }, 'c', 'web_search x')).toBe(
      'You did not allow web_search, so it was not run.',
    );
  });
});
