import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConsumer } from './consumer.mjs';
import { createLink } from './link.mjs';
import { makeManifest } from './parties.mjs';

/** How often something that was answered is asked again: the answer must be the same. */
const REPEATED = 0.05;
const LANES = 2;

/** Everyone talks, reads and publishes until told to stop. */
export function startLoad({ urls, call, parties, journal, tally, random, pace }) {
  const { people, agents, poller, conversations } = parties;
  let talking = true;
  let reading = true;
  const links = [];
  const talks = [];
  const readers = [];
  let number = 0;

  const talk = async (party, conversation, send) => {
    while (talking) {
      const envelope = seal(party, conversation, `${party.name}-${++number}`, random);
      journal.begin(conversation, envelope);
      await send(envelope);
      if (random.chance(REPEATED)) await send(envelope);
      await sleep(pace * random.between(20, 160));
    }
  };
  const poll = async (consumer) => {
    let cursor;
    while (reading) {
      const query = new URLSearchParams({ wait: '2', ...(cursor === undefined ? {} : { cursor }) });
      const options = { token: poller.token, timeout: 8_000 };
      const reply = await call('GET', `/agents/${poller.id}/messages/poll?${query}`, options);
      for (const message of reply.messages) consumer.handle(message);
      for (const event of reply.events) consumer.handleEvent(event);
      cursor = reply.cursor;
      await sleep(100);
    }
  };
  const publish = async (agent, by, lane) => {
    for (let version = 1; talking; version++) {
      const key = `${lane}-${version}`;
      const manifest = makeManifest(`1.${lane.charCodeAt(0)}.${version}`);
      const options = { token: by.token, renew: by.renew, body: { capability_manifest: manifest } };
      const patch = () => call('PATCH', `/agents/${agent.id}`, { ...options, headers: { 'idempotency-key': key } });
      const outcome = await patch();
      const record = { agent: agent.id, key, ...pickVersion(outcome) };
      journal.patches.push(record);
      const again = random.chance(4 * REPEATED) ? pickVersion(await patch()) : record;
      if (again.version !== record.version || again.hash !== record.hash) {
        journal.fault('RL-4', `PATCH ${key} gave version ${record.version}, its repetition ${again.version}`);
      }
      await sleep(random.between(200, 600));
    }
  };
  const guard = (work) =>
    work.catch((error) => {
      journal.fault('TR-7', error.message);
    });

  for (const party of [...people, ...agents]) {
    const own = conversations.filter(({ members }) => members.includes(party));
    const consumer = createConsumer(party, own, journal);
    const link = party === poller ? undefined : createLink({ urls, party, consumer, journal, tally });
    if (link === undefined) readers.push(guard(poll(consumer)));
    else links.push(link);
    const post = async (envelope) => {
      const path = `/conversations/${envelope.header.conversation_id}/messages`;
      const ack = await call('POST', path, { token: party.token, renew: party.renew, body: envelope });
      journal.acked(envelope.header.client_message_id, ack);
    };
    const send = party.kind === 'agent' && link !== undefined ? link.send : post;
    for (const { id } of own) for (let lane = 0; lane < LANES; lane++) talks.push(guard(talk(party, id, send)));
  }
  const [published] = agents;
  talks.push(guard(publish(published, published, 'a')), guard(publish(published, published.owner, 'b')));

  const leave = () => {
    reading = false;
    for (const link of links) link.close();
  };
  return {
    published,
    /** Without waiting for anything. */
    abandon: () => {
      talking = false;
      leave();
    },
    /** Resolves when everything that was begun is answered. */
    stopTalking: async () => {
      talking = false;
      await Promise.all(talks);
    },
    stopReading: async () => {
      leave();
      await Promise.all(readers);
    },
  };
}

const pickVersion = ({ capability_manifest_version: version, capability_manifest_hash: hash }) => ({ version, hash });

/** An envelope as the server sees one: what is inside is bytes to it. */
function seal(party, conversation, key, random) {
  return {
    header: {
      version: 1,
      conversation_id: conversation,
      sender: party.sender,
      client_message_id: key,
      content_type: 'text',
      msg_subtype: 'text',
      created_at: new Date().toISOString(),
    },
    ciphertext: randomBytes(Math.floor(random.between(40, 1_500))).toString('base64url'),
    wraps: [],
    signature: randomBytes(64).toString('base64url'),
  };
}
