import type { ClientProblem, NotedProblem } from '@parley/client';
import { ClientFailure, explainClientFailure } from '@parley/client';
import { ApiError, explainFailure, explainStoreFailure, StoreFailure } from '@parley/messenger';
import { ERRORS, type ErrorCode, errorText } from '@parley/protocol';
import { displayName, displaySentence } from '../../display.ts';
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
      return words.say('chat.problem.ledger', { problem: displayName(problem.problem) });
    case 'undecryptable':
      return words.say('chat.problem.undecryptable', { reason: displayName(problem.reason) });
    case 'gone':
      return words.say('chat.problem.gone');
    case 'error':
      return explainError(problem.error, words);
  }
}

/** Any failure as a sentence. */
export function explainError(error: unknown, words: Words): string {
  const { locale } = words;
  if (error instanceof ClientFailure) return explainClientFailure(error.code, locale) ?? error.message;
  if (error instanceof StoreFailure) return explainStoreFailure(error, locale);
  if (error instanceof ApiError) {
    const { code, wire, message } = error;
    const own = explainFailure(error, locale);
    if (own !== undefined) return own;
    const text = Object.hasOwn(ERRORS, code) ? errorText(code as ErrorCode, locale, wire?.error.params ?? {}) : message;
    return displaySentence(text);
  }
  return displaySentence(error instanceof Error ? error.message : String(error));
}
