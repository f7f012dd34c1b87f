import { describe, expect, it } from 'vitest';
import { type Header, labelFits } from './envelope.ts';
import { readClientFrame } from './frames.ts';
import { CONTENT_TYPES, MSG_SUBTYPES } from './payload.ts';

const header = (fields: Partial<Header>): Header => ({
  version: 1,
  conversation_id: '0190a0a0-0000-7000-8000-000000000001',
  sender: { kind: 'agent', id: '0190a0a0-0000-7000-8000-000000000002' },
  client_message_id: 'one',
  content_type: 'text',
  msg_subtype: 'text',
  created_at: '2026-01-01T00:00:00.000Z',
  ...fields,
});

describe('TC-1 labels', () => {
  it('TC-1 there is no subtype but the content types and those of artifacts', () => {
    expect([...MSG_SUBTYPES].sort()).toEqual(
      [...CONTENT_TYPES, 'artifact_update', 'artifact_tool_call', 'artifact_response'].sort(),
    );
  });

  it('TC-1 a message that is no artifact is labelled with its content type', () => {
    for (const content_type of CONTENT_TYPES) {
      const fitting = MSG_SUBTYPES.filter((msg_subtype) => labelFits(header({ content_type, msg_subtype })));
      expect(fitting).toEqual(
        content_type === 'artifact' ? ['artifact', 'artifact_update', 'artifact_tool_call'] : [content_type],
      );
    }
  });
});

describe('TR-1 frames', () => {
  const envelope = { header: header({}), ciphertext: 'AAAA', wraps: [{}], signature: 'AAAA' };
  it('TR-1 a frame of the contract is read, with anything more or less it is not', () => {
    const frame = { type: 'send', envelope };
    expect(readClientFrame(frame)).toBe(frame);
    expect(readClientFrame({ ...frame, more: 1 })).toBeUndefined();
    expect(readClientFrame({ type: 'send' })).toBeUndefined();
    expect(readClientFrame({ type: 'send', envelope: { ...envelope, ciphertext: 'not base64url!' } })).toBeUndefined();
    expect(readClientFrame({ type: 'hasOwnProperty' })).toBeUndefined();
    expect(readClientFrame(null)).toBeUndefined();
  });
});
