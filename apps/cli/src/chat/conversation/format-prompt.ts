import type { ArgumentView, Prompt } from '@parley/client';
import type { ChatContext } from './chat-context.ts';
import { BAR, quote } from './quote-untrusted.ts';

const STYLES = { low: 'green', medium: 'yellow', high: 'red' } as const;
const MAX_DEPTH = 8;

/** Shows who wants to call what, with which arguments and permission (CG-10). The texts of a prompt are safe to print. */
export function formatPrompt(prompt: Prompt, { words, paint, screen }: ChatContext): string {
  const { agentName, wants, tool, scope, level, note, argumentViews, edge = '', leadsOn, remember } = prompt;
  const style = STYLES[level];
  const title = paint('bold', words.say('chat.prompt.title', { agent: agentName, wants }));
  const args = argumentViews.length === 0 ? [words.say('chat.prompt.no_arguments')] : formatArguments(argumentViews, 0);
  const [first] = remember;
  const covers =
    first === undefined
      ? []
      : [words.say(first === 'edge' ? 'chat.prompt.covers' : 'chat.prompt.covers_tool', { edge })];
  const lines = [
    ...(leadsOn ? [paint('bold', words.say('chat.prompt.leads_on', { edge })), ''] : []),
    words.say('chat.prompt.words', { agent: agentName, tool: tool.name, description: tool.description }),
    '',
    ...args,
    '',
    words.say('chat.prompt.scope', { label: scope.label, id: scope.id }),
    paint(style, words.say(`chat.level.${level}`)),
    ...covers,
    ...(note === undefined ? [] : [note]),
  ];
  // A value in the title may be long: what the terminal would wrap has a bar before it, too.
  return quote([title, ...lines], paint(style, BAR), screen.columns).replace(BAR, '┏');
}

function formatArguments(views: readonly ArgumentView[], depth: number): string[] {
  return views.flatMap((view) => formatArgument(view, depth));
}

function formatArgument({ name, text, cut, items, more }: ArgumentView, depth: number): string[] {
  const indent = '  '.repeat(Math.min(depth, MAX_DEPTH) + 1);
  if (items === undefined) return [`${indent}${name}: ${text ?? ''}${cut === undefined ? '' : ` … (+${cut})`}`];
  const rest = more === undefined ? [] : [`${indent}  … (+${more})`];
  return [`${indent}${name}:`, ...formatArguments(items, depth + 1), ...rest];
}
