import { type ChatMessage, explainResponse } from '@parley/client';
import { findMissingPrograms } from '@parley/client/node';
import type { ToolCall, ToolResponse } from '@parley/protocol';
import { displayName, displaySentence } from '../../display.ts';
import type { Words } from '../../messages/index.ts';
import type { Paint } from '../../paint.ts';

const MAX_RESULT = 80;

/** Formats the state of a tool call as one line. */
export function formatCall(
  call: ToolCall,
  state: NonNullable<ChatMessage['call']>,
  words: Words,
  paint: Paint,
): string {
  const tool = paint('bold', displayName(call.tool_name));
  if (state.state === 'elsewhere') return paint('dim', words.say('chat.call.elsewhere', { tool }));
  if (state.response === undefined) {
    return words.say(state.state === 'running' ? 'chat.call.running' : 'chat.call.waiting', { tool });
  }
  const hint = findHint(call, state.response, words);
  const text = formatResponse(tool, state.response, words, paint);
  return hint === undefined ? text : `${text}\n    ${paint('dim', hint)}`;
}

function formatResponse(tool: string, response: ToolResponse, words: Words, paint: Paint): string {
  if (response.status === 'ok') {
    const result = summarise(response.result);
    return `${paint('green', '✓')} ${words.say('chat.call.ok', { tool, result })}`;
  }
  const reason = explainResponse(response, words.locale);
  const mark = response.status === 'denied' ? paint('yellow', '✗') : paint('red', '✗');
  return `${mark} ${words.say(`chat.call.${response.status}`, { tool, reason })}`;
}

/** What the person can do about it here. */
function findHint({ tool_name }: ToolCall, { status, reason }: ToolResponse, words: Words): string | undefined {
  if (status === 'ok') return undefined;
  if (reason === 'scope_not_granted' || reason === 'permission_revoked') return words.say('chat.call.hint.grant');
  if (reason !== 'TOOL_UNAVAILABLE') return undefined;
  const programs = findMissingPrograms(tool_name, { environment: process.env, platform: process.platform });
  if (programs.length === 0) return undefined;
  return words.say('chat.call.hint.install', { programs: programs.join(' / ') });
}

/** Shows the beginning of what was sent. It is the person's own data, but may come from a stranger's page. */
function summarise(result: unknown): string {
  const text = JSON.stringify(result) ?? 'null';
  return displaySentence(text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT)}…` : text);
}
