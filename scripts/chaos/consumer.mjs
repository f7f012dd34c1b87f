/** Handles messages as a careful client does: by number, each once, and says how far it has come. */
export function createConsumer(party, conversations, journal) {
  const last = new Map(conversations.map(({ id }) => [id, 0]));
  const record = { party, messages: [], last };
  let event = 0;
  journal.handled.push(record);
  const name = `${party.name} (${party.kind})`;
  return {
    last,
    /** Where to go on after a new connection (TR-2). */
    position: () => ({ conversations: Object.fromEntries(last), event_id: event }),
    handle: (message) => {
      const { conversation_id: conversation, conversation_seq: seq } = message;
      const before = last.get(conversation);
      if (before === undefined) return journal.fault('TR-3', `${name} got a message of ${conversation}, not its own`);
      if (seq <= before) return journal.fault('TR-2', `${name} got ${conversation} ${seq} again, being at ${before}`);
      last.set(conversation, seq);
      record.messages.push({
        conversation,
        seq,
        message_id: message.message_id,
        key: message.client_message_id,
        ciphertext: message.envelope.ciphertext,
      });
      return undefined;
    },
    handleEvent: ({ event_id: id, type }) => {
      if (id <= event) journal.fault('TR-2', `${name} got event ${id} (${type}) again, being at ${event}`);
      event = Math.max(event, id);
    },
    gone: ({ conversation_id: conversation, from_seq, to_seq }) =>
      journal.fault('TR-3', `${name} was told that ${conversation} ${from_seq}…${to_seq} are gone, which nobody had`),
  };
}
