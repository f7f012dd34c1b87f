import type { ChatMessage } from '@parley/client';

/** The sender's name of a message is unique among their own only. */
export const keyOf = ({ sender, clientMessageId }: ChatMessage): string => `${sender.id}/${clientMessageId}`;

/** Behind the # of a conversation's address: the message that it is to be opened at. */
export const hashOf = (message: ChatMessage): string => `m=${encodeURIComponent(keyOf(message))}`;

export function readHash(hash: string): string | undefined {
  if (!hash.startsWith('m=')) return undefined;
  try {
    return decodeURIComponent(hash.slice('m='.length));
  } catch {
    return undefined;
  }
}
