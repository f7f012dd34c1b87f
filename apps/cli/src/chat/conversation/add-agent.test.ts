import type { AgentDetails } from '@parley/client';
import { previewConsent } from '@parley/documents';
import { describe, expect, test } from 'vitest';
import type { Words } from '../../messages/index.ts';
import { addAgent } from './add-agent.ts';
import type { ChatContext } from './chat-context.ts';

/** Asks for the consent, and leaves. */
async function readConsent(scope: string): Promise<string> {
  const manifest = {
    agent_version: '1.0.0',
    tools: [],
    permission_scopes: [{ id: scope, label_fallback: { en: 'A label' }, sensitivity: 'medium' }],
  } as unknown as Parameters<typeof previewConsent>[0];
  const details = {
    identity: { ok: true, fingerprint: 'f' },
    preview: previewConsent(manifest, 'en'),
    manifestHash: 'hash',
    requiredScopes: [],
    mode: { weaker: false, text: '' },
  } as unknown as AgentDetails;
  const said: string[] = [];
  const chat = {
    device: { agents: { inspect: async () => details } },
    screen: { print: (text: string) => said.push(text), ask: async () => 'q' },
    words: { say: (key: string) => key } as unknown as Words,
    paint: (_: string, text: string) => text,
  };
  await addAgent({ agentId: 'bot' }, chat as unknown as ChatContext);
  return said[0]!;
}

describe('WC-17 consent in a terminal', () => {
  test('WC-17 says that this device opens the pages, and says it only of that permission', async () => {
    expect(await readConsent('network:http')).toContain('chat.consent.network');
    expect(await readConsent('location:read')).not.toContain('chat.consent.network');
  });
});
