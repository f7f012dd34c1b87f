/**
 * Holds what clients were told against what the server has in the end. Pure.
 *
 * `stored` is a list of `{ conversation, lastSeq, messages }`, one for each conversation; `versions` the manifest's
 * versions, oldest first; `firstVersion` what there was before the PATCHes.
 */
export function findFaults({ sends, handled, patches, stored, versions, firstVersion }) {
  const found = new Map();
  return [
    ...stored.flatMap((conversation) => checkNumbers(conversation, sends, found)),
    ...[...sends.values()].flatMap((send) => checkSend(send, found)),
    ...stored.flatMap((conversation) => checkOrder(conversation, sends)),
    ...handled.flatMap((record) => checkConsumer(record, stored)),
    ...checkVersions(versions, patches, firstVersion),
  ];
}

const fault = (rule, text) => ({ rule, text });

/** TR-3: 1…n without a gap, each message once, and none that nobody sent. Fills `found`. */
function checkNumbers({ conversation, lastSeq, messages }, sends, found) {
  const faults = [];
  const ids = new Set();
  messages.forEach((message, index) => {
    const { conversation_seq: seq, message_id: id, client_message_id: key } = message;
    if (seq !== index + 1) faults.push(fault('TR-3', `${conversation} has ${seq} where ${index + 1} belongs`));
    if (ids.has(id)) faults.push(fault('TR-3', `${conversation} has ${id} twice`));
    ids.add(id);
    if (!sends.has(key)) faults.push(fault('TR-3', `${conversation} ${seq} holds ${key}, which nobody sent`));
    if (found.has(key)) {
      faults.push(fault('TR-3', `${key} was stored twice: as ${found.get(key).conversation_seq} and as ${seq}`));
    } else found.set(key, message);
  });
  if (lastSeq !== messages.length) {
    faults.push(fault('TR-3', `${conversation} says its last is ${lastSeq}, and has ${messages.length} messages`));
  }
  return faults.slice(0, 20);
}

/** TR-3: what was acked is there, where the ack said, as it was sent. */
function checkSend({ key, conversation, ciphertext, ack }, found) {
  if (ack === undefined) return [fault('TR-3', `${key} was never acked, though its sender tried until the end`)];
  const message = found.get(key);
  if (message === undefined) return [fault('TR-3', `${key} was acked as ${ack.conversation_seq} and is lost`)];
  const faults = [];
  if (message.conversation_id !== conversation) faults.push(fault('TR-3', `${key} is in another conversation`));
  if (message.conversation_seq !== ack.conversation_seq || message.message_id !== ack.message_id) {
    const { conversation_seq, message_id } = message;
    const now = JSON.stringify({ message_id, conversation_seq });
    faults.push(fault('TR-3', `${key} was acked as ${JSON.stringify(ack)} and is ${now}`));
  }
  if (message.envelope.ciphertext !== ciphertext) {
    faults.push(fault('TR-3', `${key}, acked as ${ack.conversation_seq}, has changed its content`));
  }
  return faults;
}

/** What was begun after something else was acked comes after it. */
function checkOrder({ conversation, messages }, sends) {
  let earliest = { acked: Number.POSITIVE_INFINITY };
  for (const { client_message_id: key } of messages.toReversed()) {
    const send = sends.get(key);
    if (send?.acked === undefined) continue;
    if (earliest.acked < send.begun) {
      return [fault('TR-3', `${conversation}: ${key} was sent after the ack of ${earliest.key} and comes before it`)];
    }
    if (send.acked < earliest.acked) earliest = send;
  }
  return [];
}

/** TR-2: everything of others, once, in order, as it is stored. */
function checkConsumer({ party, messages }, stored) {
  const faults = [];
  for (const { conversation, messages: all } of stored) {
    const own = messages.filter((message) => message.conversation === conversation);
    if (!all.some(({ sender }) => sender.id === party.id) && own.length === 0) continue;
    const wanted = all.filter(({ sender }) => sender.id !== party.id);
    const seen = new Map(own.map((message) => [message.seq, message]));
    const name = `${party.name} in ${conversation}`;
    if (seen.size !== own.length) faults.push(fault('TR-2', `${name} handled a message twice`));
    for (const { conversation_seq: seq, message_id, envelope } of wanted) {
      const message = seen.get(seq);
      if (message === undefined) faults.push(fault('TR-2', `${name} never got ${seq}`));
      else if (message.message_id !== message_id || message.ciphertext !== envelope.ciphertext) {
        faults.push(fault('TR-3', `${name} got something else as ${seq} than what is stored`));
      }
    }
    if (own.length > wanted.length) faults.push(fault('TR-2', `${name} got more than there is`));
    if (own.some(({ seq }, index) => index > 0 && seq <= own[index - 1].seq)) {
      faults.push(fault('TR-2', `${name} handled messages out of order`));
    }
  }
  return faults.slice(0, 20);
}

/** RL-4: each accepted PATCH is one version, whatever was repeated. */
function checkVersions(versions, patches, firstVersion) {
  const faults = [];
  versions.forEach(({ version }, index) => {
    if (version !== index + 1) faults.push(fault('RL-4', `version ${version} is where ${index + 1} belongs`));
  });
  const wanted = firstVersion + patches.length;
  if (versions.length !== wanted) {
    faults.push(
      fault('RL-4', `${patches.length} PATCHes after version ${firstVersion} made ${versions.length} versions`),
    );
  }
  const keys = new Map();
  for (const { key, version, hash } of patches) {
    if (keys.has(version)) faults.push(fault('RL-4', `${keys.get(version)} and ${key} were both told ${version}`));
    keys.set(version, key);
    const kept = versions.find((one) => one.version === version);
    if (kept?.hash !== hash)
      faults.push(fault('RL-4', `${key} was told version ${version}, which is another manifest`));
  }
  return faults;
}
