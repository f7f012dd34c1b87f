import { isId } from '@parley/base';
import type { Device } from '@parley/client';
import { readContactCode } from '@parley/protocol';
import { CommandError } from '../command-error.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { nameGroup } from './format-contacts.ts';

/** For the commands and for the chat alike. */
export interface Decision {
  readonly json: Readonly<Record<string, unknown>>;
  readonly sentence: string;
}
export type Verb = 'accept' | 'decline' | 'block' | 'unblock';

const LINK = /^https?:\/\/[^/?#\s]+\/app\/contact\/([^/?#\s]+)$/;

/** How someone is named who is asked: one of these. */
export interface Asked {
  /** A code, or a link with one. */
  readonly code?: string | undefined;
  /** The id of an agent: its owner is asked. */
  readonly agent?: string | undefined;
  /** The account id of someone in a group with the person. */
  readonly member?: string | undefined;
}

function readAsked({ code, agent, member }: Asked): Parameters<Device['contacts']['ask']>[0] {
  if ([code, agent, member].filter((one) => one !== undefined).length !== 1) {
    throw new CommandError('USAGE', { sentences: [{ key: 'contacts.ask_one' }] });
  }
  if (code !== undefined) {
    const letters = readContactCode(LINK.exec(code.trim())?.[1] ?? code);
    if (letters === undefined) throw new CommandError('USAGE', { sentences: [{ key: 'contacts.code_wrong' }] });
    return { code: letters };
  }
  const id = (agent ?? member)!.toLowerCase();
  if (!isId(id)) throw new CommandError('USAGE', { sentences: [{ key: 'contacts.id_wrong' }] });
  return agent === undefined ? { user_id: id } : { agent_id: id };
}

/** Asks someone to become a contact. */
export async function ask({ contacts }: Device, asked: Asked, words: Words): Promise<Decision> {
  const contact = await contacts.ask(readAsked(asked));
  if (contact === undefined) return { json: { asked: true, contact: null }, sentence: words.say('contacts.asked') };
  const name = displayName(contact.display_name);
  return { json: { asked: false, contact }, sentence: words.say('contacts.already', { name }) };
}

interface DecisionDeps {
  readonly device: Device;
  readonly words: Words;
}

export async function carryOut(verb: Verb, who: string, { device, words }: DecisionDeps): Promise<Decision> {
  const { contacts } = device;
  await contacts.sync();
  if (verb === 'block' || verb === 'unblock') {
    const { user_id, name } = findPerson(verb, who, device);
    await contacts[verb](user_id);
    return { json: { user_id, blocked: verb === 'block' }, sentence: words.say(`contacts.${verb}ed`, { name }) };
  }
  const { incoming, invitations } = contacts.getSnapshot();
  const waiting = [
    ...incoming.map((one) => ({ kind: 'request' as const, id: one.request_id, name: one.display_name })),
    ...invitations
      .filter(({ accepted }) => verb === 'decline' || !accepted)
      .map((one) => ({ kind: 'invitation' as const, id: one.invitation_id, name: nameGroup(one, words) })),
  ];
  const { kind, id, name } = findOne(waiting, who);
  const shown = displayName(name);
  if (verb === 'decline') {
    await (kind === 'request' ? contacts.decline(id) : contacts.declineInvitation(id));
    return { json: { id, declined: true }, sentence: words.say('contacts.declined', { name: shown }) };
  }
  if (kind === 'request') {
    const conversationId = await contacts.accept(id);
    const json = { id, accepted: true, conversation_id: conversationId };
    return { json, sentence: words.say('contacts.accepted', { name: shown }) };
  }
  const { conversationId, joined } = await contacts.acceptInvitation(id);
  const json = { id, accepted: true, conversation_id: conversationId, joined };
  return { json, sentence: words.say(joined ? 'contacts.joined' : 'contacts.join_waits', { name: shown }) };
}

function findPerson(verb: 'block' | 'unblock', who: string, { contacts }: Device): { user_id: string; name: string } {
  const { contacts: known, incoming, invitations, blocked } = contacts.getSnapshot();
  const near = [...known, ...incoming, ...invitations.map(({ invited_by }) => invited_by)];
  // A contact may have invited the person, too, and more than once.
  const people = verb === 'unblock' ? blocked : [...new Map(near.map((one) => [one.user_id, one])).values()];
  // Whoever is in a group with the person, and no contact, is known by their id only.
  if (verb === 'block' && /^[0-9a-f-]{36}$/.test(who) && !people.some(({ user_id }) => user_id === who)) {
    return { user_id: who, name: who };
  }
  const found = findOne(
    people.map(({ user_id, display_name }) => ({ id: user_id, name: display_name })),
    who,
  );
  return { user_id: found.id, name: displayName(found.name) };
}

/** Finds by a name, an id or a unique beginning of it. */
function findOne<Found extends { readonly id: string; readonly name: string }>(
  list: readonly Found[],
  who: string,
): Found {
  const wanted = who.trim();
  const found = list.filter(({ id, name }) => name === wanted || (wanted.length > 3 && id.startsWith(wanted)));
  if (found.length === 1) return found[0]!;
  throw new CommandError('UNKNOWN_CONTACT', {
    exit: EXIT.bad,
    sentences: [{ key: 'contacts.unknown', params: { who: displayName(who) } }],
  });
}
