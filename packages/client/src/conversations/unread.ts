import type { Summary } from './conversation-view.ts';

/** More than anyone leaves unread in a conversation whose cards change all the time. */
const MAX_SILENT = 500;

/** What was read here stays read, even if the server has not heard of it: it is told the next time. */
function withRead(summary: Summary, readSeq: number): Summary {
  if (readSeq <= summary.read_seq) return summary;
  const left = Math.max(0, summary.last_seq - readSeq);
  return { ...summary, read_seq: readSeq, unread: Math.min(summary.unread, left) };
}

/** What is silent behind it is no news. */
export function readUpTo(summary: Summary, seq: number): Summary {
  const { last_seq, unread, silent = [] } = summary;
  const left = last_seq - seq - silent.filter((one) => one > seq).length;
  return skipSilent({ ...summary, read_seq: seq, unread: Math.min(unread, Math.max(0, left)) });
}

/** A message that shows nothing new: the server counts it, and nobody could read it. */
export function withSilent(summary: Summary, seq: number): Summary {
  const { read_seq, silent = [], countedSeq = 0, unread } = summary;
  if (seq <= read_seq || silent.includes(seq)) return summary;
  return skipSilent({
    ...summary,
    last_seq: Math.max(summary.last_seq, seq),
    unread: seq <= countedSeq ? Math.max(0, unread - 1) : unread,
    silent: [...silent, seq].slice(-MAX_SILENT),
  });
}

/** What is silent directly behind what was read is read. */
function skipSilent(summary: Summary): Summary {
  let { read_seq, silent = [] } = summary;
  while (silent.includes(read_seq + 1)) read_seq++;
  silent = silent.filter((seq) => seq > read_seq);
  return { ...summary, read_seq, silent };
}

interface Here {
  readonly before: Summary | undefined;
  /** The numbers of the messages that were counted here. */
  readonly counted: readonly number[];
}

/** The list is as old as its answer: what has come here since it was made stays. */
export function mergeListed(listed: Summary, { before, counted }: Here): Summary {
  if (before === undefined) return { ...listed, countedSeq: listed.last_seq };
  const read = withRead(listed, before.read_seq);
  const silent = (before.silent ?? []).filter((seq) => seq > read.read_seq);
  const isNew = (seq: number) => seq > listed.last_seq && seq > read.read_seq;
  const ofServer = Math.max(0, read.unread - silent.filter((seq) => seq <= listed.last_seq).length);
  const isLater = before.last_seq > listed.last_seq;
  return {
    ...read,
    last_seq: isLater ? before.last_seq : listed.last_seq,
    last_message_at: isLater ? before.last_message_at : listed.last_message_at,
    unread: ofServer + counted.filter(isNew).length,
    countedSeq: listed.last_seq,
    silent,
  };
}
