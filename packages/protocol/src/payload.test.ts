import { describe, expect, it } from 'vitest';
import {
  encodePayload,
  isMessage,
  labelOf,
  MAX_ARTIFACT_BYTES,
  type Payload,
  readPayload,
  searchTextOf,
  textOf,
  titleOf,
} from './payload.ts';

const call: Payload = {
  type: 'artifact',
  artifact: {
    subtype: 'tool_call',
    call_id: 'call_abc123',
    tool_name: 'read_file',
    arguments: { path: '/notes.md' },
    permission_scope: 'filesystem:read',
    timeout_ms: 5000,
  },
};
const answer: Payload = {
  type: 'artifact',
  artifact: { subtype: 'tool_response', call_id: 'call_abc123', status: 'ok', result: { content: 'x' } },
};
const card: Payload = {
  type: 'artifact',
  artifact: { artifact_id: 'a', subtype: 'form', blocks: [{ tag: 'input', id: 'json', multiline: true }] },
};

describe('payloads', () => {
  it('TC-2, TC-3 the printed call and response fit their labels', () => {
    expect(readPayload({ content_type: 'artifact', msg_subtype: 'artifact_tool_call' }, call)).toEqual(call);
    expect(readPayload({ content_type: 'artifact', msg_subtype: 'artifact_response' }, answer)).toEqual(answer);
  });

  it('TC-1 every payload has its label, and reads back under it', () => {
    const update: Payload = { type: 'artifact', artifact: { ...card.artifact, revision: 2 } as never };
    const labels = [call, answer, card, update, { type: 'text', text: 'hi' } as const].map((payload) => {
      const label = labelOf(payload);
      expect(readPayload(label, payload)).toEqual(payload);
      return label.msg_subtype;
    });
    expect(labels).toEqual(['artifact_tool_call', 'artifact_response', 'artifact', 'artifact_update', 'text']);
  });

  it('TC-1 the table says what each kind is about, and which are messages', () => {
    const file: Payload = { type: 'file', name: 'a.txt', mime_type: 'text/plain', data: '', caption: 'see line 3' };
    const titled: Payload = { type: 'artifact', artifact: { ...card.artifact, title: 'Order' } as never };
    const rows = [call, answer, titled, file, { type: 'text', text: 'hi' } as const].map((payload) => [
      isMessage(payload),
      textOf(payload),
      titleOf(payload),
      searchTextOf(payload),
    ]);
    expect(rows).toEqual([
      [false, '', 'read_file', 'read_file'],
      [false, '', 'tool_response', ''],
      [true, '', 'Order', 'Order'],
      [true, 'see line 3', 'a.txt', 'a.txt see line 3'],
      [true, 'hi', 'hi', 'hi'],
    ]);
  });

  it('TC-10 what every receiver would refuse is not encoded', () => {
    expect(encodePayload(call)).toEqual({ label: labelOf(call), text: JSON.stringify(call) });
    expect(() => encodePayload({ type: 'text', text: 7 } as never)).toThrow(TypeError);
    const result = (length: number): Payload => ({
      type: 'artifact',
      artifact: { subtype: 'tool_response', call_id: 'c', status: 'ok', result: '你'.repeat(length) },
    });
    const room = MAX_ARTIFACT_BYTES - new TextEncoder().encode(JSON.stringify(result(0))).length;
    expect(() => encodePayload(result(Math.floor(room / 3)))).not.toThrow();
    expect(() => encodePayload(result(Math.floor(room / 3) + 1))).toThrow('64 KB');
  });

  it('TC-3 retry_after_ms is a whole number of at most a day', () => {
    const label = { content_type: 'artifact', msg_subtype: 'artifact_response' } as const;
    const wait = (retry_after_ms: unknown) => {
      const artifact = { subtype: 'tool_response', call_id: 'c', status: 'denied', retry_after_ms };
      return readPayload(label, { type: 'artifact', artifact }) !== undefined;
    };
    expect([0, 3_600_000, 86_400_000].map(wait)).toEqual([true, true, true]);
    expect([-1, 0.5, 86_400_001, '1', null].map(wait)).toEqual([false, false, false, false, false]);
  });

  it('TC-6 a tool call hidden under another label is no payload', () => {
    for (const msg_subtype of ['artifact', 'artifact_update', 'artifact_response'] as const) {
      expect(readPayload({ content_type: 'artifact', msg_subtype }, call)).toBeUndefined();
    }
    expect(readPayload({ content_type: 'text', msg_subtype: 'text' }, call)).toBeUndefined();
  });

  it('TC-2 a call without arguments, with an array, or without an id is refused', () => {
    const label = { content_type: 'artifact', msg_subtype: 'artifact_tool_call' } as const;
    for (const change of [{ arguments: undefined }, { arguments: [] }, { call_id: '' }, { timeout_ms: 0 }]) {
      expect(readPayload(label, { ...call, artifact: { ...call.artifact, ...change } })).toBeUndefined();
    }
  });

  it('CG-12 run a tool without a trace in the audit log: a name with half a character, which no record can hold', () => {
    const label = { content_type: 'artifact', msg_subtype: 'artifact_tool_call' } as const;
    const withName = (name: 'call_id' | 'tool_name' | 'permission_scope', text: string) =>
      readPayload(label, { ...call, artifact: { ...call.artifact, [name]: JSON.parse(text) } });
    for (const name of ['call_id', 'tool_name', 'permission_scope'] as const) {
      for (const half of ['"\\ud800"', '"call\\udc00"', '"\\ude42\\ud83d"']) {
        expect(withName(name, half)).toBeUndefined();
      }
      expect(withName(name, '"\\ud83d\\ude42 完成\\n"')).toBeDefined();
    }
  });

  it('TC-10 an artifact has at most 16 blocks, of known tags', () => {
    const label = { content_type: 'artifact', msg_subtype: 'artifact' } as const;
    const blocks = (count: number, block: object) => ({
      type: 'artifact',
      artifact: { artifact_id: 'a', subtype: 'status', blocks: Array.from({ length: count }, () => block) },
    });
    expect(readPayload(label, blocks(16, { tag: 'divider' }))).toBeDefined();
    expect(readPayload(label, blocks(17, { tag: 'divider' }))).toBeUndefined();
    expect(readPayload(label, blocks(1, { tag: 'script' }))).toBeUndefined();
  });

  it('TC-9 a text has at most 100,000 characters', () => {
    const label = { content_type: 'text', msg_subtype: 'text' } as const;
    expect(readPayload(label, { type: 'text', text: 'x'.repeat(100_000) })).toBeDefined();
    expect(readPayload(label, { type: 'text', text: 'x'.repeat(100_001) })).toBeUndefined();
  });
});
