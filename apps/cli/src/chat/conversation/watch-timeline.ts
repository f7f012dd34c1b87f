import type { ChatMessage, TimelineSnapshot } from '@parley/client';
import { displayName } from '../../display.ts';
import type { ChatContext } from './chat-context.ts';
import { formatMessage } from './format-message.ts';
import { BAR, quote, untrustedLines } from './quote-untrusted.ts';

const SHOWN_BEFORE = 20;
const LIVE_LINES = 6;

const keyOf = ({ sender, clientMessageId }: ChatMessage) => `${sender.kind}/${sender.id}/${clientMessageId}`;

/** The part of a message that can change after it was printed. */
function stateOf({ state, call, payload, answer }: ChatMessage): string {
  const revision = payload.type === 'artifact' && 'blocks' in payload.artifact ? (payload.artifact.revision ?? 1) : 0;
  const settled = call === undefined ? '' : call.response === undefined ? call.state : 'answered';
  return `${state === 'failed' ? 'failed' : ''} ${settled} ${revision} ${answer?.action ?? ''}`;
}

/** Prints each new message once, and later what changed about it. */
export function watchTimeline(conversationId: string, name: string, chat: ChatContext): () => void {
  const { device, screen, words, paint } = chat;
  const timeline = device.conversations.timeline(conversationId);
  const printed = new Map<string, string>();
  let begun = false;

  function print(message: ChatMessage): void {
    const state = stateOf(message);
    const before = printed.get(keyOf(message));
    if (before === state) return;
    printed.set(keyOf(message), state);
    // Unfinished messages are redrawn below; finished ones are printed once.
    if (message.call?.state === 'waiting' || message.call?.state === 'running') return;
    // The answer itself shows that a card was answered.
    if (before !== undefined && message.answer !== undefined) return;
    if (before !== undefined && message.own) {
      if (message.state === 'failed') screen.print(`  ${paint('red', words.say('chat.failed'))}`);
      return;
    }
    const text = formatMessage(message, name, chat);
    if (text !== undefined) screen.print(text);
  }

  function update(): void {
    const snapshot = timeline.getSnapshot();
    if (!snapshot.loaded) return;
    if (!begun) {
      begun = true;
      const older = snapshot.messages.slice(0, -SHOWN_BEFORE);
      for (const message of older) printed.set(keyOf(message), stateOf(message));
      if (older.length > 0) screen.print(paint('dim', words.say('chat.earlier', { n: older.length })));
    }
    for (const message of snapshot.messages) print(message);
    screen.setStatus('calls', formatRunning(snapshot, chat));
    screen.setStatus('streams', formatStreams(snapshot, name, chat));
    if (snapshot.messages.length > 0) device.conversations.markRead(conversationId).catch(() => {});
  }

  const stop = timeline.subscribe(update);
  update();
  return () => {
    stop();
    for (const part of ['calls', 'streams']) screen.setStatus(part, []);
  };
}

function formatRunning({ messages }: TimelineSnapshot, { words, paint }: ChatContext): string[] {
  return messages.flatMap(({ call, payload }) => {
    if (call?.state !== 'running' || payload.type !== 'artifact' || payload.artifact.subtype !== 'tool_call') return [];
    return [paint('dim', words.say('chat.call.running', { tool: displayName(payload.artifact.tool_name) }))];
  });
}

function formatStreams(
  { streams, typing }: TimelineSnapshot,
  name: string,
  { words, paint, screen }: ChatContext,
): string[] {
  const lines = streams.flatMap(({ text }) => {
    const whole = quote(untrustedLines(text.slice(-4_000)), paint('cyan', BAR), screen.columns);
    return [`${paint('cyan', name)} …`, ...whole.split('\n').slice(0, -1).slice(-LIVE_LINES)];
  });
  if (lines.length > 0 || typing.length === 0) return lines;
  return [paint('dim', words.say('chat.typing', { name }))];
}
