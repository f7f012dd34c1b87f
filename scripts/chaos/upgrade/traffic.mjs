import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, signUp } from '../parties.mjs';
import { seal, startHost, withDatabase } from '../strangers/client.mjs';
import { createCall, openEars } from './exercise.mjs';

const SENDERS = 4;
const PAUSE_MS = 10;
const ENVELOPE_BYTES = 300;
/** What a message counts for besides its envelope. */
const ROW_BYTES = 400;

/** A conversation of many messages, as years leave it behind. Gives the account that sent them. */
export function fill(databaseUrl, messages) {
  const [account, conversation] = [randomUUID(), randomUUID()];
  return withDatabase(databaseUrl, async (client) => {
    await client.query(`insert into accounts (id, email, display_name)
      values ('${account}', '${account}@example.test', 'Old');
      insert into conversations (id, kind, last_seq) values ('${conversation}', 'h2h', ${messages});
      insert into members (conversation_id, member_kind, member_id) values ('${conversation}', 'human', '${account}');
      insert into messages (conversation_id, seq, id, client_message_id, sender_kind, sender_id, content_type,
          msg_subtype, envelope, envelope_hash, created_at, received_at)
        select '${conversation}', n, gen_random_uuid(), n::text, 'human', '${account}', 'text', 'text',
          repeat('x', ${ENVELOPE_BYTES}), '\\x00', now(), now() from generate_series(1, ${messages}) n;
      analyze`);
    return { account, bytes: messages * (ENVELOPE_BYTES + ROW_BYTES) };
  });
}

/** What was stored before the upgrade is counted by a task, after it. */
export async function readCounted(databaseUrl, { account }) {
  const { rows } = await withDatabase(databaseUrl, (client) =>
    client.query('select bytes from account_usage where account_id = $1', [account]),
  );
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * People who go on sending on one node, half of them to webhooks, each message once the one before was acknowledged, and
 * who read. `stop` resolves with how many there were and how long one took at most, and rejects with the first that failed.
 */
export async function startTraffic(url) {
  const call = createCall(url);
  const host = await startHost(async () => {});
  const stopping = new AbortController();
  const { signal } = stopping;
  let [sent, longestMs] = [0, 0];
  const talk = async ({ person, socket, conversation }) => {
    while (!signal.aborted) {
      const began = performance.now();
      const envelope = seal(person.sender, conversation);
      const { client_message_id: id } = envelope.header;
      socket.write({ type: 'send', envelope });
      const answer = await socket.next((frame) => frame.client_message_id === id);
      if (answer.type !== 'message.ack') throw new Error(`a message was refused: ${JSON.stringify(answer)}`);
      longestMs = Math.max(longestMs, performance.now() - began);
      if (sent++ % 25 === 0) await call('GET', '/auth/me', { token: person.token });
      await sleep(PAUSE_MS);
    }
  };
  const talkers = [];
  for (let n = 0; n < SENDERS; n++) talkers.push(await createTalker(call, url, n % 2 ? host.url : undefined));
  const talking = Promise.all(talkers.map(talk));
  talking.catch(() => {});
  return {
    /** Resolves after so many more; rejects with the first that failed. */
    more: async (count) => {
      const enough = sent + count;
      while (sent < enough) await Promise.race([sleep(PAUSE_MS), talking]);
    },
    stop: async () => {
      stopping.abort();
      try {
        await talking;
        return { sent, longestMs: Math.round(longestMs) };
      } finally {
        for (const { socket } of talkers) socket.close();
        host.close();
      }
    },
  };
}

async function createTalker(call, url, hook) {
  const person = await signUp(call, 'Tess');
  const agent = await createAgent(call, person, 'Tim', hook === undefined ? 'websocket' : 'webhook');
  if (hook !== undefined)
    await call('PUT', `/agents/${agent.id}/webhook`, { token: person.token, body: { url: hook } });
  const body = { agent_id: agent.id, granted_scopes: [] };
  const { conversation_id } = await call('POST', '/h2a/relations', { token: person.token, body });
  return { person, conversation: conversation_id, socket: await openEars(url, person) };
}
