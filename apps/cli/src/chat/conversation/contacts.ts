import { isParleyError } from '@parley/base';
import { ask, carryOut, type Decision, type Verb } from '../../contacts/decide.ts';
import { formatContacts } from '../../contacts/format-contacts.ts';
import { displaySentence } from '../../display.ts';
import type { ChatContext } from './chat-context.ts';

// The commands of `parley contacts`, while this process holds the keystore.

export async function listContacts({ device, screen, words, paint }: ChatContext): Promise<void> {
  await device.contacts.sync();
  screen.print(formatContacts(device.contacts.getSnapshot(), words, paint));
}

export function askContact(text: string, chat: ChatContext): Promise<void> {
  return tell(chat, () => ask(chat.device, { code: text }, chat.words));
}

export function decideContact(verb: Verb, who: string, chat: ChatContext): Promise<void> {
  return tell(chat, () => carryOut(verb, who, chat));
}

async function tell({ screen, words, paint }: ChatContext, work: () => Promise<Decision>): Promise<void> {
  try {
    const { sentence } = await work();
    screen.print(`${paint('green', '✓')} ${sentence}`);
  } catch (error) {
    if (isParleyError(error, 'USAGE')) screen.print(words.say('contacts.code_wrong'));
    else if (isParleyError(error)) screen.print(displaySentence(error.explain(words.locale)));
    else throw error;
  }
}

/** Says once that someone waits for an answer. */
export function watchContacts({ device, screen, words, paint }: ChatContext): () => void {
  const told = new Set<string>();
  const look = () => {
    const { incoming, invitations } = device.contacts.getSnapshot();
    const open = invitations.filter(({ accepted }) => !accepted);
    const ids = [...incoming.map((one) => one.request_id), ...open.map((one) => one.invitation_id)];
    if (ids.some((id) => !told.has(id))) screen.print(paint('yellow', words.say('contacts.waiting')));
    for (const id of ids) told.add(id);
  };
  look();
  return device.contacts.subscribe(look);
}
