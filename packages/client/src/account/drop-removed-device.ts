import type { Store } from '@parley/messenger';
import type { Summary } from '../conversations/conversation-view.ts';
import { RENEWED, SUMMARIES, SYNCED } from '../conversations/conversations.ts';
import { MESSAGES } from '../conversations/history.ts';
import type { ChatMessage } from '../conversations/message.ts';
import { callKey, listRecords, markSent } from '../guard/call-record.ts';

/** What is the person's own, and gives nobody any rights. Everything else was the removed device's. */
const KEPT = [
  MESSAGES,
  SUMMARIES,
  'client/card-revision/',
  'client/conversation-settings/',
  'client/draft/',
  'client/draft-changed/',
  'client/earlier/',
  'client/erased/',
  'client/session',
];

/**
 * Makes a removed device an empty one that still shows what it had: what the old keys have signed is void (EE-18), so
 * nothing that hangs on them stays. What was on its way is not sent by itself under the new keys.
 */
export async function dropRemovedDevice(store: Store): Promise<void> {
  const batch = new Map<string, string | null>();
  for (const [key, text] of await store.list('')) {
    if (!KEPT.some((prefix) => key.startsWith(prefix))) batch.set(key, null);
    else if (key.startsWith(MESSAGES)) {
      const message = JSON.parse(text) as ChatMessage;
      if (message.state === 'sending') batch.set(key, JSON.stringify({ ...message, state: 'failed' }));
    } else if (key.startsWith(SUMMARIES)) {
      // Counted for the old device: what came until the new one first sees the conversation was not for it (WC-38).
      const { since: _, countedSeq: __, ...summary } = JSON.parse(text) as Summary;
      batch.set(key, JSON.stringify(summary));
    }
  }
  batch.set(SYNCED, RENEWED);
  // A call that was answered is shown; one that was not is no business of the new device.
  for (const record of await listRecords(store)) {
    if (record.state !== 'answered') continue;
    batch.set(callKey(record), JSON.stringify(record));
    for (const [key, mark] of markSent(record)) batch.set(key, mark);
  }
  await store.write(batch);
}
