import { isParleyError } from '@parley/base';
import type { ClientProblem, NotedProblem } from '@parley/client';
import { displayName, displaySentence } from '../../display.ts';
import { explainError as explainParleyError } from '../../explain-error.ts';
import type { Words } from '../../messages/index.ts';
import type { ChatContext } from './chat-context.ts';
import { clockOf } from './clock.ts';

/** What a person should look at, numbered; `/dismiss` takes a number. */
export function formatProblems(problems: readonly NotedProblem[], { words, paint }: ChatContext): string {
  if (problems.length === 0) return words.say('chat.problems.none');
  const lines = problems.map(({ id, at, problem }) => {
    return `  ${id}  ${paint('dim', clockOf(at))}  ${explainProblem(problem, words)}`;
  });
  return [...lines, paint('dim', words.say('chat.problems.how'))].join('\n');
}

export function explainProblem(problem: ClientProblem, words: Words): string {
  switch (problem.kind) {
    case 'identity_changed':
      return words.say('chat.problem.identity_changed', { id: displayName(problem.party.id) });
    case 'weaker_mode':
      return words.say('chat.problem.weaker_mode', { id: displayName(problem.agentId) });
    case 'manifest':
      return words.say(`chat.problem.manifest_${problem.problem}`, { id: displayName(problem.agentId) });
    case 'ledger':
      return words.say('chat.problem.ledger');
    case 'undecryptable':
      return words.say('chat.problem.undecryptable');
    case 'gone':
      return words.say('chat.problem.gone');
    case 'error':
      return explainError(problem.error, words);
  }
}

/** Any failure as a sentence that is fit to be shown. */
export function explainError(error: unknown, words: Words): string {
  if (isParleyError(error)) return explainParleyError(error, words.locale);
  return displaySentence(error instanceof Error ? error.message : String(error));
}
