import { hash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, signUp } from '../../parties.mjs';
import { ask, openSocket, seal, withDatabase } from '../client.mjs';

const SOCKETS = 20;
const LARGE = randomBytes(300_000).toString('base64url');

/** One account with many agents in one group, each with as many sockets as it may open. */
async function prepareCrowd({ url, call, count, databaseUrl }, agents) {
  const person = await signUp(call, 'Mallory');
  const agent = await createAgent(call, person, 'Own');
  const spare = await createAgent(call, person, 'Spare');
  const body = { kind: 'group', members: [{ kind: 'agent', id: agent.id }] };
  const { conversation_id: group } = await call('POST', '/conversations', { token: person.token, body });
  const copies = await withDatabase(databaseUrl, (client) => copyMember(client, { agent, group, copies: agents - 1 }));
  const open = [];
  for (const party of [agent, ...copies]) {
    open.push(...(await Promise.all(Array.from({ length: SOCKETS }, () => openSocket(url, { party })))));
  }
  // Whoever reads a crowd's frames needs more of the machine than the attack is to take.
  for (const socket of open) socket.removeAllListeners('message').on('message', () => count('received'));
  const onFrame = (frame) => count(frame.type === 'error' ? frame.code : frame.type);
  return { person, spare, group, open, socket: await openSocket(url, { party: person, onFrame }) };
}

/** Creating hundreds of agents takes an hour inside the limits. Returns the new members, who may sign in. */
export async function copyMember(client, { agent, group, copies }) {
  const { rows } = await client.query(
    `select column_name as name from information_schema.columns
     where table_name = 'agents' and table_schema = current_schema() and is_generated = 'NEVER'`,
  );
  const columns = rows.map(({ name }) => name);
  const ids = Array.from({ length: copies }, () => randomUUID());
  const tokens = ids.map(() => `hsk_${randomBytes(20).toString('hex')}`);
  await client.query(
    `insert into agents (${columns.join(', ')})
     select ${columns.map((name) => (name === 'id' ? 'new.id' : `agents.${name}`)).join(', ')}
     from agents, unnest($2::uuid[]) as new (id) where agents.id = $1`,
    [agent.id, ids],
  );
  await client.query(
    `insert into members (conversation_id, member_kind, member_id, role)
     select $1, 'agent', id, 'member' from unnest($2::uuid[]) as new (id)`,
    [group, ids],
  );
  await client.query(
    `insert into agent_tokens (id, agent_id, token_hash)
     select gen_random_uuid(), id, hash from unnest($1::uuid[], $2::text[]) as new (id, hash)`,
    [ids, tokens.map((token) => hash('sha256', token))],
  );
  return ids.map((id, index) => ({ kind: 'agent', id, token: () => tokens[index] }));
}

export const CROWD_ATTACKS = [
  {
    name: 'crowd-change',
    item: 5,
    title: `membership changes in a group of 75 own agents with ${SOCKETS} sockets each`,
    prepare: (context) => prepareCrowd(context, 75),
    run: async ({ url, address, count, isOver }, { person, spare, group }) => {
      const path = `/conversations/${group}/members`;
      const options = { token: person.token(), address };
      for (let change = 0; change < 100 && !isOver(); change++) {
        const body = { kind: 'agent', id: spare.id, role: 'member' };
        const [method, where] = change % 2 === 1 ? ['DELETE', `${path}/${spare.id}`] : ['POST', path];
        count(await ask(url, method, where, { ...options, ...(method === 'POST' ? { body } : {}) }));
        await sleep(500);
      }
    },
  },
  {
    name: 'crowd-talk',
    item: 5,
    title: `450 messages a second to 30 own agents with ${SOCKETS} sockets each`,
    prepare: (context) => prepareCrowd(context, 30),
    run: async ({ count, isOver }, { person, group, socket }) => {
      const began = performance.now();
      for (let sent = 0; !isOver() && socket.readyState === socket.OPEN; await sleep(10)) {
        const due = (450 * (performance.now() - began)) / 1_000;
        for (; sent < due; sent++) socket.send(JSON.stringify({ type: 'send', envelope: seal(person.sender, group) }));
        count('rounds');
      }
    },
  },
  {
    name: 'deaf',
    item: 6,
    title: `messages of 400 KB to 40 own agents with ${SOCKETS} sockets each that read nothing`,
    prepare: (context) => prepareCrowd(context, 40),
    run: async ({ remaining }, { person, group, open, socket }) => {
      for (const deaf of open) deaf._socket.pause();
      for (let sent = 0; sent < 12; sent++) {
        socket.send(JSON.stringify({ type: 'send', envelope: seal(person.sender, group, LARGE) }));
        await sleep(300);
      }
      await sleep(remaining());
    },
  },
];
