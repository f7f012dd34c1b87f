import type { RelationView } from '@parley/client';
import { formatRecord } from '../../audit/list.ts';
import { formatDevices } from '../../device/devices.ts';
import { displayWidth } from '../../fit-text.ts';
import type { MessageKey } from '../../messages/index.ts';
import { displayName, displaySentence } from '../../show.ts';
import { fillCard, findOpenCard } from './fill-card.ts';
import { formatMessage } from './format-message.ts';
import type { House } from './house.ts';
import { formatPermissions, grant, revoke } from './permissions.ts';
import { formatProblems } from './problems.ts';
import { isYes, reviewAgent } from './review.ts';
import { verifyIdentity } from './verify.ts';

interface Slash {
  /** What follows the name, for the help. */
  readonly takes?: string;
  /** Only in a conversation with an agent. */
  readonly here?: boolean;
  readonly help: MessageKey;
  run(house: House, rest: string, relation: RelationView): Promise<void> | void;
}

const AUDIT_SHOWN = 20;

const COMMANDS: Readonly<Record<string, Slash>> = {
  list: { help: 'chat.help.list', run: (house) => house.list() },
  open: { takes: 'N', help: 'chat.help.open', run: (house, rest) => house.open(rest) },
  find: { takes: 'TEXT', help: 'chat.help.find', run: (house, rest) => house.find(rest) },
  add: { takes: 'N | ID | LINK', help: 'chat.help.add', run: (house, rest) => house.enter(rest) },
  card: { here: true, help: 'chat.help.card', run: (house, _, relation) => answerCard(house, relation) },
  permissions: {
    here: true,
    help: 'chat.help.permissions',
    run: ({ room }, _, relation) => room.screen.print(formatPermissions(relation, room)),
  },
  grant: {
    takes: 'N | SCOPE',
    here: true,
    help: 'chat.help.grant',
    run: ({ room }, rest, relation) => grant(rest, relation, room),
  },
  revoke: {
    takes: 'N | wN | rN',
    here: true,
    help: 'chat.help.revoke',
    run: ({ room }, rest, relation) => revoke(rest, relation, room),
  },
  review: { here: true, help: 'chat.help.review', run: ({ room }, _, relation) => reviewAgent(relation, room) },
  verify: { here: true, help: 'chat.help.verify', run: ({ room }, _, relation) => verifyIdentity(relation, room) },
  remove: { here: true, help: 'chat.help.remove', run: (house, _, relation) => remove(house, relation) },
  search: { takes: 'TEXT', help: 'chat.help.search', run: search },
  retry: { here: true, help: 'chat.help.retry', run: (house, _, relation) => retry(house, relation) },
  audit: { help: 'chat.help.audit', run: ({ room }) => listAudit(room) },
  devices: { help: 'chat.help.devices', run: ({ room }) => listDevices(room) },
  approve: { takes: 'ID', help: 'chat.help.approve', run: ({ room }, rest) => approve(room, rest) },
  problems: {
    help: 'chat.help.problems',
    run: ({ room }) => room.screen.print(formatProblems(room.device.problems.getSnapshot(), room)),
  },
  dismiss: {
    takes: 'N',
    help: 'chat.help.dismiss',
    run: ({ room }, rest) => room.device.problems.dismiss(Number(rest)),
  },
  help: { help: 'chat.help.help', run: ({ room }) => showHelp(room) },
  quit: { help: 'chat.help.quit', run: (house) => house.leave() },
};

type Room = House['room'];

/** A line that begins with a slash. Short names do, as long as they mean one command. */
export async function runSlash(line: string, house: House): Promise<void> {
  const { screen, words } = house.room;
  const [, name = '', rest = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const names = Object.keys(COMMANDS).filter((one) => one === name || (name !== '' && one.startsWith(name)));
  const chosen = names.includes(name) ? name : names.length === 1 ? names[0] : undefined;
  const command = chosen === undefined ? undefined : COMMANDS[chosen];
  if (command === undefined) return screen.print(words.say('chat.unknown_command', { name: displayName(`/${name}`) }));
  const relation = house.relation();
  if (command.here && relation === undefined) return screen.print(words.say('chat.open_first'));
  await command.run(house, rest.trim(), relation!);
}

function showHelp({ screen, words, paint }: Room): void {
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

async function answerCard({ room }: House, { conversationId }: RelationView): Promise<void> {
  const { messages } = room.device.conversations.timeline(conversationId).getSnapshot();
  const card = findOpenCard(messages);
  if (card === undefined) return room.screen.print(room.words.say('chat.card.none'));
  await fillCard(card, conversationId, room);
}

async function remove(house: House, { relationId, agentName }: RelationView): Promise<void> {
  const { device, screen, words, paint } = house.room;
  const answer = await screen.ask({ label: `${words.say('chat.remove.ask', { agent: agentName })} ` });
  if (!isYes(answer)) return;
  await device.relations.end(relationId);
  screen.print(`${paint('green', '✓')} ${words.say('chat.remove.done', { agent: agentName })}`);
  house.goHome();
}

async function search({ room }: House, text: string): Promise<void> {
  const { device, screen, words } = room;
  const found = await device.conversations.search(text, AUDIT_SHOWN);
  if (found.length === 0) return screen.print(words.say('chat.search.none'));
  const titles = new Map(device.conversations.list.getSnapshot().map((one) => [one.conversationId, one.title]));
  for (const message of found.toReversed()) {
    const shown = formatMessage(message, titles.get(message.conversationId) ?? '', room);
    if (shown !== undefined) screen.print(shown);
  }
}

async function retry({ room }: House, { conversationId }: RelationView): Promise<void> {
  const { device, screen, words } = room;
  const { messages } = device.conversations.timeline(conversationId).getSnapshot();
  const failed = messages.findLast(({ state }) => state === 'failed');
  if (failed === undefined) return screen.print(words.say('chat.retry.none'));
  await device.conversations.retry(conversationId, failed.clientMessageId);
}

async function listAudit({ device, screen, words, paint }: Room): Promise<void> {
  const records = await device.audit.list({ limit: AUDIT_SHOWN });
  if (records.length === 0) return screen.print(words.say('audit.empty'));
  screen.print(
    records
      .toReversed()
      .map((record) => formatRecord(record, paint))
      .join(''),
  );
}

async function listDevices({ device, screen, words, paint }: Room): Promise<void> {
  await device.devices.refresh();
  screen.print(formatDevices(device.devices.getSnapshot(), words, paint));
}

async function approve({ device, screen, words, paint }: Room, id: string): Promise<void> {
  await device.devices.refresh();
  const waiting = device.devices.getSnapshot().filter(({ certified }) => !certified);
  const found = waiting.filter(({ deviceId }) => deviceId.startsWith(id));
  if (found.length !== 1) return screen.print(words.say('device.unknown', { id: displaySentence(id) }));
  const code = await screen.ask({ label: `${words.say('device.ask_code')} ` });
  if (code === undefined || code.trim() === '') return;
  await device.devices.approve(found[0]!.deviceId, code);
  screen.print(`${paint('green', '✓')} ${words.say('device.approved', { name: found[0]!.name })}`);
}
