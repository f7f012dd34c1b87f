import { waitUntil } from '@parley/client';
import type { ChatContext } from './chat-context.ts';

/** Devices that are online confirm within a moment. */
const MOMENT_MS = 3_000;

/** Says which of the person's other devices know what was just taken back (EE-23), now and when the rest have confirmed. */
export async function tellConfirmations(relationId: string, chat: ChatContext): Promise<void> {
  const { device, screen, words, paint } = chat;
  const left = () => device.relations.getSnapshot().find((one) => one.relationId === relationId)?.unconfirmed ?? [];
  if (left().length === 0) return;
  screen.print(paint('dim', words.say('chat.unconfirmed.waiting')));
  const confirmed = waitUntil(device.relations, () => left().length === 0).then(() => {
    screen.print(`${paint('green', '✓')} ${words.say('chat.confirmed')}`);
  });
  let timer: NodeJS.Timeout | undefined;
  const moment = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MOMENT_MS);
  });
  await Promise.race([confirmed, moment]);
  clearTimeout(timer);
  const names = left().map(({ name }) => name);
  if (names.length === 0) return;
  screen.print(paint('yellow', words.say('chat.unconfirmed', { names: names.join(words.say('list.separator')) })));
}
