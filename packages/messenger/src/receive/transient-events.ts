import type { ServerFrame } from '@parley/protocol';
import type { TransientEvent } from '../types.ts';

/** Returns undefined for all other frames, and for those of streams, which have to be opened first. */
export function toTransientEvent(frame: ServerFrame): TransientEvent | undefined {
  if (frame.type === 'typing') return { type: 'typing', conversationId: frame.conversation_id, sender: frame.sender };
  if (frame.type === 'message.read') {
    return { type: 'read', conversationId: frame.conversation_id, sender: frame.reader, seq: frame.seq };
  }
  if (frame.type === 'message.claimed') {
    const { conversation_id: conversationId, message_id: messageId, device_id: deviceId } = frame;
    return { type: 'claimed', conversationId, messageId, deviceId };
  }
  if (frame.type === 'pass.last') {
    return { type: 'last', conversationId: frame.conversation_id, messageId: frame.message_id };
  }
  return undefined;
}
