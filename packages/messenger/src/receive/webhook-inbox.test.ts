import { describe, expect, it } from 'vitest';
import type { Delivered } from '../encryption/opener.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { createWriteBuffer } from '../stores/write-buffer.ts';
import type { Problem } from '../types.ts';
import { createWebhookInbox } from './webhook-inbox.ts';

const ID = '0190b3a0-0000-7000-8000-000000000001';
const HOUR = 60 * 60 * 1_000;
const NOW = Date.parse('2026-05-15T10:00:00.000Z');

function message(name: string, hoursAgo: number): Delivered {
  const header = {
    version: 1,
    conversation_id: ID,
    sender: { kind: 'human', id: ID, device_id: ID },
    client_message_id: name,
    content_type: 'text',
    msg_subtype: 'text',
    created_at: new Date(NOW - hoursAgo * HOUR).toISOString(),
  };
  const { version: _, ...about } = header;
  const envelope = { header, ciphertext: 'AAAA', wraps: [], signature: 'A'.repeat(86) };
  return { ...about, message_id: ID, conversation_seq: 1, received_at: header.created_at, envelope } as never;
}

describe('EE-25 webhook mode', () => {
  it('EE-25 attack: a clock that jumps ahead and back has messages handled twice', async () => {
    const disk = new Map<string, string>();
    const store = createMemoryStore(disk);
    const problems: Problem[] = [];
    const handled: string[] = [];
    let time: number | undefined;
    const receive = createWebhookInbox({
      store,
      writeBuffer: createWriteBuffer({ store, setTimer: () => () => {}, onBroken: () => {} }),
      opener: {
        open: async ({ client_message_id: clientMessageId }: Delivered) =>
          ({ state: 'opened', incoming: { clientMessageId } }) as never,
        openEnvelope: async () => ({ state: 'repeated' }),
      },
      address: 'agent',
      clock: { pruningTime: () => (time === undefined ? undefined : new Date(time)) },
      onMessage: ({ clientMessageId }) => void handled.push(clientMessageId),
      report: (problem) => void problems.push(problem),
    });
    expect(await receive(message('old', 24))).toBe('handled');
    // The two clocks do not agree, so nothing is forgotten.
    expect(await receive(message('new', 0))).toBe('handled');
    expect(await receive(message('old', 24))).toBe('repeated');
    time = NOW + 2 * HOUR;
    expect(await receive(message('next', 0))).toBe('handled');
    expect([...disk.keys()].filter((key) => key.endsWith('/old'))).toEqual([]);
    // What was forgotten is too old for good, whatever this device's clock says later, and that is told.
    expect(await receive(message('old', 24))).toBe('refused');
    expect(problems).toMatchObject([{ kind: 'undecryptable', reason: 'stale' }]);
    expect(handled).toEqual(['old', 'new', 'next']);
  });
});
