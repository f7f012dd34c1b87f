import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createCaller } from '../call.mjs';

const fromServer = createRequire(new URL('../../../packages/server/package.json', import.meta.url));
const { WebSocket } = fromServer('ws');
const { Client } = fromServer('pg');

const SETUP_MS = 110_000;

/** Patient requests, for preparations: asks again where it is told to wait. */
export function createPatient(url, address) {
  const began = Date.now();
  const tally = { retries: 0, answers: {} };
  const call = createCaller({ urls: [url], tally, isOver: () => Date.now() - began > SETUP_MS });
  return (method, path, options = {}) =>
    call(method, path, { ...options, headers: { ...options.headers, 'x-forwarded-for': address } });
}

/** One request that is never repeated. Resolves with the status, or `lost` where there was no answer. */
export async function ask(url, method, path, { token, body, address, timeout = 20_000 }) {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(address === undefined ? {} : { 'x-forwarded-for': address }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout),
    });
    // Read to the end, not kept: a reply may be large.
    for await (const _ of response.body ?? []);
    return response.status;
  } catch {
    return 'lost';
  }
}

/** Resolves when the socket is signed in. `early` are frames that are sent right behind `auth`. */
export function openSocket(url, { party, onFrame = () => {}, early = [] }) {
  return new Promise((resolve, reject) => {
    const path = party.kind === 'agent' ? `/ws/agent?agent_id=${party.id}` : '/ws/human';
    const socket = new WebSocket(url.replace('http', 'ws') + path, { handshakeTimeout: 10_000 });
    socket.on('open', () => {
      for (const frame of [JSON.stringify({ type: 'auth', token: party.token() }), ...early]) socket.send(frame);
    });
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`the socket was closed with ${code}`)));
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      if (frame.type === 'auth.ok') resolve(socket);
      else onFrame(frame);
    });
  });
}

/** An envelope as the server sees one: what is inside is bytes to it. */
export function seal(sender, conversation, ciphertext = randomBytes(120).toString('base64url')) {
  return {
    header: {
      version: 1,
      conversation_id: conversation,
      sender,
      client_message_id: randomUUID(),
      content_type: 'text',
      msg_subtype: 'text',
      created_at: new Date().toISOString(),
    },
    ciphertext,
    wraps: [],
    signature: randomBytes(64).toString('base64url'),
  };
}

/** A webhook host on loopback. `answer` gets the text of each delivery and resolves when it may be answered. */
export async function startHost(answer) {
  const receive = async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    await answer(text);
    response.writeHead(200).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/hook`, close: () => server.close().closeAllConnections() };
}

/** For what an attacker would have collected over weeks inside his limits: rows, not requests. */
export async function withDatabase(databaseUrl, work) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What weeks of creating agents leave behind; `changed` are columns with what is in them instead. Returns the new ids. */
export async function copyAgent(client, { id, count, changed = {} }) {
  const { rows: columns } = await client.query(
    `select column_name as name from information_schema.columns
     where table_name = 'agents' and table_schema = current_schema() and is_generated = 'NEVER'`,
  );
  const names = columns.map(({ name }) => name);
  const values = { id: 'gen_random_uuid()', ...changed };
  const { rows } = await client.query(
    `insert into agents (${names.join(', ')})
     select ${names.map((name) => values[name] ?? name).join(', ')} from agents, generate_series(1, ${count})
     where agents.id = $1 returning id`,
    [id],
  );
  return rows.map((row) => row.id);
}
