import { displayText } from '@parley/documents';
import { isToolCall, titleOf } from '@parley/protocol';
import type { CallState } from '../guard/call-record.ts';
import { cardOf } from './cards.ts';
import type { ChatMessage } from './message.ts';

/** The last message of a conversation in one line, for the list. It is kept on this device, like the history. */
export interface MessagePreview {
  readonly kind: 'text' | 'image' | 'video' | 'audio' | 'file' | 'system' | 'card' | 'answer' | 'call';
  readonly own: boolean;
  /** Safe to show: what was written, the title of a card, the name of a file or of a tool. */
  readonly text: string;
  /** Absent until the server has numbered the message. */
  readonly seq?: number;
  /** Of a call. */
  readonly scope?: string;
  readonly state?: CallState;
}

const MAX_TEXT = 120;
/** Cut before it is searched: a message may have 100,000 characters. */
const MAX_READ = 600;

/** Bold, code, headings, items of lists with their boxes, and the line below the head of a table. */
const MARKS = /\*\*|`{1,3}|^ {0,3}#{1,6} |^ *[-*+] (?:\[[ x]\] )?|^[ |:-]+$/gm;

export function previewMessage({ payload, own, sender, seq, call }: ChatMessage): MessagePreview {
  const base = { own, ...(seq === undefined ? {} : { seq }) };
  const text = toLine(titleOf(payload), sender.kind === 'human');
  if (payload.type !== 'artifact') return { ...base, kind: payload.type, text };
  if (isToolCall(payload)) {
    const { permission_scope: scope } = payload.artifact;
    return { ...base, kind: 'call', text, scope, ...(call === undefined ? {} : { state: call.state }) };
  }
  return { ...base, kind: cardOf(payload) === undefined ? 'answer' : 'card', text };
}

/** The later of the two. What has no number yet was written just now. */
export function laterPreview(before: MessagePreview | null | undefined, after: MessagePreview): MessagePreview {
  return before && (before.seq ?? 0) > (after.seq ?? Infinity) ? before : after;
}

/** Without the marks of Markdown, which agents write and people mean as they type them. */
function toLine(text: string, isTyped: boolean): string {
  const read = text.slice(0, MAX_READ);
  const plain = isTyped ? read : read.replaceAll(MARKS, '').replaceAll('|', ' ');
  return displayText(plain.replaceAll(/\s+/g, ' ').trim(), MAX_TEXT);
}
