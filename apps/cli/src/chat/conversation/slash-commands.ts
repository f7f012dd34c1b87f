import type { RelationView } from '@parley/client';
import { formatRecord } from '../../audit/list.ts';
import { displayName } from '../../display.ts';
import { displayWidth } from '../../fit-text.ts';
import type { MessageKey } from '../../messages/index.ts';
import type { ChatContext } from './chat-context.ts';
import { tellConfirmations } from './confirmations.ts';
import { askContact, decideContact, listContacts } from './contacts.ts';
import { approveDevice, listDevices } from './devices.ts';
import { fillCard, findOpenCard } from './fill-card.ts';
import { formatMessage } from './format-message.ts';
import { confirmMembers, showMembers } from './members.ts';
import type { ChatNavigator } from './navigator.ts';
import { formatPermissions, grant, revoke } from './permissions.ts';
import { formatProblems } from './problems.ts';
import { isYes, reviewAgent } from './review.ts';
import { verifyIdentity } from './verify.ts';

interface SlashCommand {
  /** The arguments as the help shows them. */
  readonly takes?: string;
  /** The command works only in a conversation with an agent. */
  readonly here?: boolean;
  readonly help: MessageKey;
  run(navigator: ChatNavigator, rest: string, relation: RelationView): Promise<void> | void;
}

const AUDIT_SHOWN = 20;

const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  list: { help: 'chat.help.list', run: (navigator) => navigator.list() },
  open: { takes: 'N', help: 'chat.help.open', run: (navigator, rest) => navigator.open(rest) },
  find: { takes: 'TEXT', help: 'chat.help.find', run: (navigator, rest) => navigator.find(rest) },
  add: { takes: 'N | ID | LINK', help: 'chat.help.add', run: (navigator, rest) => navigator.enter(rest) },
  card: { here: true, help: 'chat.help.card', run: (navigator, _, relation) => answerCard(navigator, relation) },
  permissions: {
    here: true,
    help: 'chat.help.permissions',
    run: ({ chat }, _, relation) => chat.screen.print(formatPermissions(relation, chat)),
  },
  grant: {
    takes: 'N | SCOPE',
    here: true,
    help: 'chat.help.grant',
    run: ({ chat }, rest, relation) => grant(rest, relation, chat),
  },
  revoke: {
    takes: 'N | wN | rN | sN',
    here: true,
    help: 'chat.help.revoke',
    run: ({ chat }, rest, relation) => revoke(rest, relation, chat),
  },
  review: { here: true, help: 'chat.help.review', run: ({ chat }, _, relation) => reviewAgent(relation, chat) },
  verify: { here: true, help: 'chat.help.verify', run: ({ chat }, _, relation) => verifyIdentity(relation, chat) },
  remove: { here: true, help: 'chat.help.remove', run: (navigator, _, relation) => remove(navigator, relation) },
  members: { help: 'chat.help.members', run: (navigator) => inConversation(navigator, showMembers) },
  confirm: { help: 'chat.help.confirm', run: (navigator) => inConversation(navigator, confirmMembers) },
  contacts: { help: 'chat.help.contacts', run: ({ chat }) => listContacts(chat) },
  ask: { takes: 'CODE', help: 'chat.help.ask', run: ({ chat }, rest) => askContact(rest, chat) },
  accept: { takes: 'WHO', help: 'chat.help.accept', run: ({ chat }, rest) => decideContact('accept', rest, chat) },
  decline: { takes: 'WHO', help: 'chat.help.decline', run: ({ chat }, rest) => decideContact('decline', rest, chat) },
  block: { takes: 'WHO', help: 'chat.help.block', run: ({ chat }, rest) => decideContact('block', rest, chat) },
  unblock: { takes: 'WHO', help: 'chat.help.unblock', run: ({ chat }, rest) => decideContact('unblock', rest, chat) },
  search: { takes: 'TEXT', help: 'chat.help.search', run: search },
  retry: { help: 'chat.help.retry', run: (navigator) => inConversation(navigator, retry) },
  audit: { help: 'chat.help.audit', run: ({ chat }) => listAudit(chat) },
  devices: { help: 'chat.help.devices', run: ({ chat }) => listDevices(chat) },
  approve: { takes: 'ID', help: 'chat.help.approve', run: ({ chat }, rest) => approveDevice(rest, chat) },
  problems: {
    help: 'chat.help.problems',
    run: ({ chat }) => chat.screen.print(formatProblems(chat.device.problems.getSnapshot(), chat)),
  },
  dismiss: {
    takes: 'N',
    help: 'chat.help.dismiss',
    run: ({ chat }, rest) => chat.device.problems.dismiss(Number(rest)),
  },
  help: { help: 'chat.help.help', run: ({ chat }) => showHelp(chat) },
  quit: { help: 'chat.help.quit', run: (navigator) => navigator.leave() },
};

/** Runs a line that begins with a slash. A name can be shortened as long as it is unique. */
export async function runSlash(line: string, navigator: ChatNavigator): Promise<void> {
  const { screen, words } = navigator.chat;
  const [, name = '', rest = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const names = Object.keys(COMMANDS).filter((one) => one === name || (name !== '' && one.startsWith(name)));
  const chosen = names.includes(name) ? name : names.length === 1 ? names[0] : undefined;
  const command = chosen === undefined ? undefined : COMMANDS[chosen];
  if (command === undefined) return screen.print(words.say('chat.unknown_command', { name: displayName(`/${name}`) }));
  const relation = navigator.relation();
  if (command.here && relation === undefined) return screen.print(words.say('chat.open_first'));
  await command.run(navigator, rest.trim(), relation!);
}

function showHelp({ screen, words, paint }: ChatContext): void {
  const rows = Object.entries(COMMANDS).map(([name, { takes, help }]) => ({
    name: takes === undefined ? `/${name}` : `/${name} ${takes}`,
    text: words.say(help),
  }));
  const width = Math.max(...rows.map(({ name }) => displayWidth(name)));
  const lines = rows.map(
    ({ name, text }) => `  ${paint('cyan', name)}${' '.repeat(width - displayWidth(name))}  ${text}`,
  );
  screen.print([words.say('chat.help.intro'), ...lines].join('\n'));
}

async function inConversation(
  { chat, conversation }: ChatNavigator,
  run: (conversationId: string, chat: ChatContext) => Promise<void>,
): Promise<void> {
  const conversationId = conversation();
  if (conversationId === undefined) chat.screen.print(chat.words.say('chat.open_first'));
  else await run(conversationId, chat);
}

async function answerCard({ chat }: ChatNavigator, { conversationId }: RelationView): Promise<void> {
  const { messages } = chat.device.conversations.timeline(conversationId).getSnapshot();
  const card = findOpenCard(messages);
  if (card === undefined) return chat.screen.print(chat.words.say('chat.card.none'));
  await fillCard(card, conversationId, chat);
}

async function remove(navigator: ChatNavigator, { relationId, agentName }: RelationView): Promise<void> {
  const { device, screen, words, paint } = navigator.chat;
  const answer = await screen.ask({ label: `${words.say('chat.remove.ask', { agent: agentName })} ` });
  if (!isYes(answer)) return;
  await device.relations.end(relationId);
  screen.print(`${paint('green', '✓')} ${words.say('chat.remove.done', { agent: agentName })}`);
  await tellConfirmations(relationId, navigator.chat);
  navigator.goHome();
}

async function search({ chat }: ChatNavigator, text: string): Promise<void> {
  const { device, screen, words } = chat;
  const found = await device.conversations.search(text, AUDIT_SHOWN);
  if (found.length === 0) return screen.print(words.say('chat.search.none'));
  const titles = new Map(device.conversations.list.getSnapshot().map((one) => [one.conversationId, one.title]));
  for (const message of found.toReversed()) {
    const shown = formatMessage(message, titles.get(message.conversationId) ?? '', chat);
    if (shown !== undefined) screen.print(shown);
  }
}

async function retry(conversationId: string, { device, screen, words }: ChatContext): Promise<void> {
  const { messages } = device.conversations.timeline(conversationId).getSnapshot();
  const failed = messages.findLast(({ state }) => state === 'failed');
  if (failed === undefined) return screen.print(words.say('chat.retry.none'));
  await device.conversations.retry(conversationId, failed.clientMessageId);
}

async function listAudit({ device, screen, words, paint }: ChatContext): Promise<void> {
  const records = await device.audit.list({ limit: AUDIT_SHOWN });
  if (records.length === 0) return screen.print(words.say('audit.empty'));
  screen.print(
    records
      .toReversed()
      .map((record) => formatRecord(record, paint))
      .join(''),
  );
}
