import type { Client } from '@parley/client';
import { askYesNo, isAtTerminal } from '../ask.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { needDevice } from './approval.ts';

export interface FoundOptions {
  /** The person has said on the command line that the account has no other device. */
  readonly firstDevice?: boolean;
  readonly json?: boolean;
}

/**
 * Begins an account of which the server says that it has no device. Only the person can know whether that is true: a
 * server that hides the other devices says the same (EE-16).
 */
export async function foundIfFirst(client: Client, options: FoundOptions, words: Words): Promise<void> {
  if (client.session.getSnapshot().state !== 'unfounded') return;
  if (options.firstDevice || (await isConfirmed(options, words))) await client.found();
  else needDevice(client);
}

async function isConfirmed({ json = false }: FoundOptions, words: Words): Promise<boolean> {
  if (json || !isAtTerminal()) return false;
  await show(process.stderr, () => `${words.say('device.first_explained')}\n`);
  return askYesNo(words.say('device.ask_first'), words, { cancelled: 'device.first_left' });
}
