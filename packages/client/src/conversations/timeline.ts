import { createObservable, type Readable } from '@parley/base';
import type { TransientEvent } from '@parley/messenger';
import type { Sender } from '@parley/protocol';
import { type ChatMessage, compareMessages } from './message.ts';

/** A text that is still being written: all of it so far (TC-9). */
export interface LiveText {
  readonly streamId: string;
  readonly sender: Sender;
  readonly text: string;
  readonly clientMessageId?: string;
}

export interface TimelineSnapshot {
  /** False until the history was read from disk. */
  readonly loaded: boolean;
  /** Oldest first. */
  readonly messages: readonly ChatMessage[];
  /** There are messages from before this device was one of the account's; it was given no key to them (WC-38). */
  readonly hasEarlier: boolean;
  readonly streams: readonly LiveText[];
  /** Who typed in the last few seconds. */
  readonly typing: readonly Sender[];
  /** Up to where others have read, by account or agent. */
  readonly readBy: Readonly<Record<string, number>>;
}

export interface Timeline extends Readable<TimelineSnapshot> {
  readonly conversationId: string;
}

export interface OpenTimeline extends Timeline {
  load(messages: readonly ChatMessage[]): void;
  put(message: ChatMessage): void;
  find(fits: (message: ChatMessage) => boolean): ChatMessage | undefined;
  receiveTransient(event: TransientEvent): void;
  remove(message: ChatMessage): void;
  setEarlier(): void;
  /** Drops all but what is later than this number. */
  clear(upTo: number): void;
}

const TYPING_MS = 6_000;
const EMPTY: TimelineSnapshot = { loaded: false, messages: [], hasEarlier: false, streams: [], typing: [], readBy: {} };

const nameOf = (sender: Sender) => `${sender.kind}/${sender.id}`;

/** One conversation as it is shown. */
export function createTimeline(
  conversationId: string,
  setTimer: (callback: () => void, ms: number) => () => void,
): OpenTimeline {
  const state = createObservable<TimelineSnapshot>(EMPTY);
  const timers = new Map<string, () => void>();
  const change = (next: Partial<TimelineSnapshot>) => state.set({ ...state.getSnapshot(), ...next });

  const isSame = (a: ChatMessage, b: ChatMessage) =>
    a.clientMessageId === b.clientMessageId && nameOf(a.sender) === nameOf(b.sender);

  function stopTyping(sender: Sender): void {
    timers.get(nameOf(sender))?.();
    timers.delete(nameOf(sender));
    const { typing } = state.getSnapshot();
    if (typing.some((one) => nameOf(one) === nameOf(sender))) {
      change({ typing: typing.filter((one) => nameOf(one) !== nameOf(sender)) });
    }
  }

  function receiveStream(event: Extract<TransientEvent, { type: 'stream' }>): void {
    const { streams, messages } = state.getSnapshot();
    const { streamId, sender, text, clientMessageId } = event;
    const others = streams.filter((stream) => stream.streamId !== streamId);
    const isOver = event.state === 'abort' || event.state === 'error';
    const isThere = messages.some((message) => message.clientMessageId === clientMessageId);
    const stream = { streamId, sender, text, ...(clientMessageId === undefined ? {} : { clientMessageId }) };
    change({ streams: isOver || (clientMessageId !== undefined && isThere) ? others : [...others, stream] });
  }

  return {
    conversationId,
    getSnapshot: state.getSnapshot,
    subscribe: state.subscribe,
    load(messages) {
      const { messages: live } = state.getSnapshot();
      const older = messages.filter((message) => !live.some((one) => isSame(one, message)));
      change({ loaded: true, messages: [...older, ...live].sort(compareMessages) });
    },
    put(message) {
      const { messages, streams } = state.getSnapshot();
      const others = messages.filter((held) => !isSame(held, message));
      const last = others.at(-1);
      const inOrder = last === undefined || compareMessages(last, message) <= 0;
      const next = [...others, message];
      // The message takes the place of the text that was being written.
      const left = streams.filter((stream) => stream.clientMessageId !== message.clientMessageId);
      change({ messages: inOrder ? next : next.sort(compareMessages), streams: left });
      stopTyping(message.sender);
    },
    find: (fits) => state.getSnapshot().messages.findLast(fits),
    receiveTransient(event) {
      if (event.type === 'stream') receiveStream(event);
      if (event.type === 'read') change({ readBy: { ...state.getSnapshot().readBy, [event.sender.id]: event.seq } });
      if (event.type !== 'typing') return;
      const { sender } = event;
      timers.get(nameOf(sender))?.();
      timers.set(
        nameOf(sender),
        setTimer(() => stopTyping(sender), TYPING_MS),
      );
      const { typing } = state.getSnapshot();
      if (!typing.some((one) => nameOf(one) === nameOf(sender))) change({ typing: [...typing, sender] });
    },
    remove: (message) => change({ messages: state.getSnapshot().messages.filter((held) => !isSame(held, message)) }),
    setEarlier: () => change({ hasEarlier: true }),
    clear: (upTo) => change({ messages: state.getSnapshot().messages.filter(({ seq = 0 }) => seq > upTo) }),
  };
}
