import { describe, expect, test } from 'vitest';
import type { Words } from '../../messages/index.ts';
import type { ChatContext } from './chat-context.ts';
import { type Choosable, chooseScopes } from './choose-scopes.ts';

const SCOPES: readonly Choosable[] = [
  { id: 'location:read', label: 'Location', level: 'high', required: true },
  { id: 'notification:send', label: 'Notices', level: 'low', required: false },
];

/** Types the answers and then leaves. */
function roomThatTypes(...answers: string[]): { chat: ChatContext; said: string[] } {
  const said: string[] = [];
  const words = { say: (key: string, params: object = {}) => `${key} ${Object.values(params).join(' ')}`.trim() };
  const screen = { print: (text: string) => said.push(text), ask: async () => answers.shift() };
  const chat = { screen, words: words as unknown as Words, paint: (_: string, text: string) => text };
  return { chat: chat as unknown as ChatContext, said };
}

describe('CM-17, CM-5 choosing scopes in a terminal', () => {
  test('what is required and not low is not on, and cannot be passed over', async () => {
    const { chat, said } = roomThatTypes('', '1', '');
    expect(await chooseScopes(SCOPES, new Set(['notification:send']), chat)).toEqual([
      'location:read',
      'notification:send',
    ]);
    expect(said[0]).toContain('1 [ ] Location');
    expect(said).toContain('chat.consent.is_required Location');
  });

  test('once it is on, it cannot be switched off, only left altogether', async () => {
    const { chat, said } = roomThatTypes('1', '1', 'q');
    expect(await chooseScopes(SCOPES, new Set(), chat)).toBeUndefined();
    expect(said).toContain('chat.consent.is_required Location');
    expect(said.at(-1)).toContain('1 [x] Location');
  });
});
