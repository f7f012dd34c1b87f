/** What was sent, answered and handled. `check` holds it against what the server has in the end. */
export function createJournal() {
  let tick = 0;
  const sends = new Map();
  const faults = [];
  const journal = {
    sends,
    faults,
    handled: [],
    patches: [],
    acks: 0,
    longestSilenceMs: 0,
    fault: (rule, text) => {
      // A server that is wrong once may be wrong ten thousand times.
      if (faults.length < 200) faults.push({ rule, text });
    },
    begin: (conversation, envelope) => {
      const { client_message_id: key, sender } = envelope.header;
      sends.set(key, { key, conversation, sender, ciphertext: envelope.ciphertext, begun: ++tick, ack: undefined });
    },
    acked: (key, ack) => {
      const send = sends.get(key);
      if (send === undefined) return journal.fault('TR-3', `an ack for ${key}, which was never sent`);
      const same = ['message_id', 'conversation_seq'].every((name) => send.ack?.[name] === ack[name]);
      if (send.ack === undefined) {
        send.ack = { message_id: ack.message_id, conversation_seq: ack.conversation_seq };
        send.acked = ++tick;
        journal.acks++;
        noteSound();
      } else if (!same) {
        journal.fault('TR-3', `${key} was acked as ${JSON.stringify(send.ack)}, then as ${JSON.stringify(ack)}`);
      }
      return undefined;
    },
    /** From now on silence counts, or no more. */
    listen: (on) => {
      heard = on ? performance.now() : undefined;
    },
  };
  let heard;
  const noteSound = () => {
    if (heard === undefined) return;
    const now = performance.now();
    journal.longestSilenceMs = Math.max(journal.longestSilenceMs, now - heard);
    heard = now;
  };
  return journal;
}
