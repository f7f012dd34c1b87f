import { setTimeout as sleep } from 'node:timers/promises';
import { seal } from '../client.mjs';

const MAX_MESSAGES = 6_000;

/** So many a second, into one group after the other, whether or not they are answered. */
export async function talk(
  { isOver, count },
  { person, groups, socket },
  { perSecond, text, messages = MAX_MESSAGES },
) {
  const began = performance.now();
  for (let number = 0; number < messages && !isOver(); ) {
    const due = Math.min(messages, Math.floor(((performance.now() - began) / 1_000) * perSecond) + 1);
    for (; number < due; number++) {
      if (socket.readyState !== socket.OPEN) return count('closed');
      socket.send(
        JSON.stringify({ type: 'send', envelope: seal(person.sender, groups[number % groups.length], text) }),
      );
      count('sent');
    }
    await sleep(Math.min(20, 1_000 / perSecond));
  }
  return undefined;
}
