import { isParleyError } from '@parley/base';
import type { ClientProblem, Device, NotedProblem } from '@parley/client';
import { displayName, displaySentence } from '../../display.ts';
import { explainError as explainParleyError } from '../../explain-error.ts';
import type { Words } from '../../messages/index.ts';
import type { ChatContext } from './chat-context.ts';
import { clockOf } from './clock.ts';

/** What a person should look at, numbered; `/dismiss` takes a number. */
export function formatProblems(problems: readonly NotedProblem[], chat: ChatContext): string {
  const { words, paint } = chat;
  if (problems.length === 0) return words.say('chat.problems.none');
  const lines = problems.map(({ id, at, problem, over }) => {
    const line = `  ${id}  ${paint('dim', clockOf(at))}  ${explainProblem(problem, chat)}`;
    if (over === undefined) return line;
    return `${line} ${paint('green', `(${words.say('chat.problems.over', { time: clockOf(over) })})`)}`;
  });
  return [...lines, paint('dim', words.say('chat.problems.how'))].join('\n');
}

const DAY_MS = 24 * 60 * 60 * 1_000;

type ProblemContext = Pick<ChatContext, 'device' | 'words'>;

export function explainProblem(problem: ClientProblem, { device, words }: ProblemContext): string {
  switch (problem.kind) {
    case 'identity_changed': {
      const { kind, id } = problem.party;
      const whose = kind === 'agent' ? 'identity_changed' : id === device.accountId ? 'own_identity' : 'person_changed';
      return words.say(`chat.problem.${whose}`, { id: displayName(id) });
    }
    case 'weaker_mode':
      return words.say('chat.problem.weaker_mode', { id: displayName(problem.agentId) });
    case 'manifest':
      return words.say(`chat.problem.manifest_${problem.problem}`, { id: displayName(problem.agentId) });
    case 'ledger':
      return words.say('chat.problem.ledger');
    case 'device_list': {
      const whose = problem.accountId === device.accountId ? 'own' : 'other';
      return words.say(`chat.problem.list_${problem.problem}_${whose}`, { id: displayName(problem.accountId) });
    }
    case 'row':
      return words.say(`chat.problem.row_${problem.subject}`, { name: nameOfRow(problem, device) });
    case 'withheld':
      return words.say(`chat.problem.withheld_${kindOfWithheld(problem, device)}`, {
        device: displayName(problem.device),
        name: nameOfWithheld(problem, device),
      });
    case 'members':
      return words.say('chat.problem.members', {
        group: titleOf(problem.conversationId, device),
        ids: problem.strangers.map(({ id }) => displayName(id)).join(words.say('list.separator')),
      });
    case 'clock':
      return words.say('chat.problem.clock', { days: Math.round(Math.abs(problem.byMs) / DAY_MS) });
    case 'undecryptable':
      return words.say(
        problem.reason === 'not_addressed' ? 'chat.problem.not_addressed' : 'chat.problem.undecryptable',
        { name: titleOf(problem.conversationId, device) },
      );
    case 'gone':
      return words.say('chat.problem.gone', { name: titleOf(problem.conversationId, device) });
    case 'error':
      return explainError(problem.error, words);
  }
}

/** As this device knows it, whatever the refused row says. */
function nameOfRow({ subject, id }: Extract<ClientProblem, { kind: 'row' }>, device: Device): string {
  if (subject === 'conversation') return titleOf(id, device);
  return device.relations.getSnapshot().find(({ relationId }) => relationId === id)?.agentName ?? displayName(id);
}

type Withheld = Extract<ClientProblem, { kind: 'withheld' }>;

function kindOfWithheld({ subject, id }: Withheld, { accountId }: Device) {
  if (subject === 'group') return 'group';
  return subject !== 'devices' ? 'agent' : id === accountId ? 'own_list' : 'their_list';
}

function nameOfWithheld({ subject, id }: Withheld, device: Device): string {
  if (subject === 'group') return titleOf(id, device);
  const known = device.relations
    .getSnapshot()
    .find((one) => (subject === 'ledger' ? one.relationId : one.agentId) === id);
  return known?.agentName ?? displayName(id);
}

function titleOf(conversationId: string, { conversations }: Device): string {
  const known = conversations.list.getSnapshot().find((one) => one.conversationId === conversationId);
  return known?.title || displayName(conversationId);
}

/** Any failure as a sentence that is fit to be shown. */
export function explainError(error: unknown, words: Words): string {
  if (isParleyError(error)) return explainParleyError(error, words.locale);
  return displaySentence(error instanceof Error ? error.message : String(error));
}
