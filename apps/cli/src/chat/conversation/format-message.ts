import type { ChatMessage } from '@parley/client';
import { titleOf } from '@parley/protocol';
import { displayName, displaySentence } from '../../display.ts';
import type { ChatContext } from './chat-context.ts';
import { clockOf } from './clock.ts';
import { formatCall } from './format-call.ts';
import { formatCard } from './format-card.ts';
import { BAR, quote, untrustedLines } from './quote-untrusted.ts';

/** Formats a message. Undefined means that it is not shown, as for the responses of tools. */
export function formatMessage(message: ChatMessage, name: string, chat: ChatContext): string | undefined {
  const { words, paint, screen } = chat;
  const { payload, own, createdAt, call } = message;
  if (call !== undefined && payload.type === 'artifact' && payload.artifact.subtype === 'tool_call') {
    return `  ${formatCall(payload.artifact, call, words, paint)}\n`;
  }
  const lines = contentOf(message, chat);
  if (lines === undefined) return undefined;
  const who = own ? paint('green', words.say('chat.you')) : paint('cyan', name);
  const failed = message.state === 'failed' ? `  ${paint('red', words.say('chat.failed'))}` : '';
  const bar = paint(own ? 'green' : 'cyan', BAR);
  return `${paint('bold', who)}  ${paint('dim', clockOf(createdAt))}${failed}\n${quote(lines, bar, screen.columns)}`;
}

function contentOf({ payload, own, answer }: ChatMessage, { words, paint }: ChatContext): string[] | undefined {
  switch (payload.type) {
    case 'text':
      return untrustedLines(payload.text);
    case 'system':
      return [paint('dim', words.say('chat.system', { code: displayName(payload.code) }))];
    case 'artifact': {
      const { artifact } = payload;
      if (artifact.subtype === 'tool_call' || artifact.subtype === 'tool_response') return undefined;
      if (!('blocks' in artifact)) {
        return own ? [words.say('chat.card.chosen', { action: displaySentence(artifact.action) })] : undefined;
      }
      const lines = formatCard(artifact, words, paint);
      if (answer !== undefined) lines.push(paint('dim', words.say('chat.card.answered')));
      else if (artifact.blocks.some(({ tag }) => tag === 'action'))
        lines.push(paint('dim', words.say('chat.card.hint')));
      return lines;
    }
    default: {
      // A kind without its own view is shown by its title.
      if (!('data' in payload)) return untrustedLines(titleOf(payload));
      const bytes = Math.floor((payload.data.length * 3) / 4);
      const about = words.say('chat.attachment', { name: displayName(payload.name), kib: Math.ceil(bytes / 1024) });
      return [about, ...untrustedLines(payload.caption ?? '')].filter((line) => line !== '');
    }
  }
}
