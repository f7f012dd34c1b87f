import { randomBytes } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { createAgent, signUp } from '../../parties.mjs';
import { ask, openSocket, seal, withDatabase } from '../client.mjs';
import { copyMember } from './crowds.mjs';

const MAX_FRAMES = 3_000_000;
const EARLY = 60;
const MAX_BUFFERED = 256 * 1024;
const LARGE = randomBytes(300_000).toString('base64url');
/** Who changes a group at the same time, and which of its members hear of it. */
const CHANGERS = 8;
const HEARERS = { agents: 30, sockets: 5 };
const SMALL = randomBytes(60).toString('base64url');

/** One account with some sockets, and a conversation with an agent of its own. */
async function prepareSockets({ url, call, count }, sockets) {
  const person = await signUp(call, 'Mallory');
  const agent = await createAgent(call, person, 'Own');
  const body = { agent_id: agent.id, granted_scopes: [] };
  const { conversation_id: conversation } = await call('POST', '/h2a/relations', { token: person.token, body });
  const open = [];
  const onFrame = (frame) => count(frame.type === 'error' ? frame.code : frame.type);
  for (let index = 0; index < sockets; index++) open.push(await openSocket(url, { party: person, onFrame }));
  return { person, agent, conversation, open };
}

/** Writes as fast as the server reads, on every socket. */
async function flood({ isOver, count }, open, makeFrame) {
  let frames = 0;
  const write = async (socket) => {
    while (!isOver() && socket.readyState === socket.OPEN && frames < MAX_FRAMES) {
      let burst = 0;
      for (; burst < 200 && socket.bufferedAmount < MAX_BUFFERED; burst++) socket.send(makeFrame());
      frames += burst;
      count('sent', burst);
      await (socket.bufferedAmount < MAX_BUFFERED ? turn() : sleep(2));
    }
    if (socket.readyState !== socket.OPEN) count('closed');
  };
  await Promise.all(open.map(write));
}

let position = 0;
const acknowledge = () => `{"type":"event.ack","event_id":${position++}}`;
const message = ({ person, conversation }, text) =>
  JSON.stringify({ type: 'send', envelope: seal(person.sender, conversation, text) });

export const SOCKET_ATTACKS = [
  {
    name: 'acks-1',
    item: 1,
    title: 'one socket, event.ack without a pause',
    prepare: (context) => prepareSockets(context, 1),
    run: (context, { open }) => flood(context, open, acknowledge),
  },
  {
    name: 'acks-20',
    item: 1,
    title: 'twenty sockets, event.ack without a pause',
    prepare: (context) => prepareSockets(context, 20),
    run: (context, { open }) => flood(context, open, acknowledge),
  },
  {
    name: 'large-10',
    item: 5,
    title: 'ten sockets, messages of 400 KB',
    prepare: (context) => prepareSockets(context, 10),
    run: (context, state) => flood(context, state.open, () => message(state, LARGE)),
  },
  {
    name: 'store',
    item: 6,
    title: 'one socket stores without end',
    prepare: (context) => prepareSockets(context, 1),
    run: (context, state) => flood(context, state.open, () => message(state, LARGE)),
  },
  {
    name: 'messages',
    item: 6,
    title: 'twenty sockets, small messages without a pause',
    prepare: (context) => prepareSockets(context, 20),
    run: (context, state) => flood(context, state.open, () => message(state, SMALL)),
  },
  {
    name: 'early',
    item: 1,
    title: `sockets that come and go, with ${EARLY} messages right behind auth`,
    prepare: (context) => prepareSockets(context, 0),
    run: async ({ url, count, isOver }, state) => {
      const comeAndGo = async () => {
        while (!isOver()) {
          let answers = 0;
          let finish = () => {};
          const answered = new Promise((resolve) => {
            finish = resolve;
          });
          const onFrame = (frame) => {
            count(frame.type === 'error' ? frame.code : frame.type);
            if ((frame.type === 'error' || frame.type === 'message.ack') && ++answers === EARLY) finish();
          };
          const early = Array.from({ length: EARLY }, () => message(state, SMALL));
          const socket = await openSocket(url, { party: state.person, onFrame, early });
          await Promise.race([answered, sleep(1_000)]);
          socket.terminate();
        }
      };
      await Promise.all(Array.from({ length: 20 }, () => comeAndGo()));
    },
  },
  {
    name: 'agents',
    item: 6,
    title: 'agents without end, each with a socket that talks',
    prepare: (context) => prepareSockets(context, 0),
    run: async (context, { person }) => {
      const { url, call, count, isOver } = context;
      const talk = async (agent) => {
        const body = { agent_id: agent.id, granted_scopes: [] };
        const { conversation_id: conversation } = await call('POST', '/h2a/relations', { token: person.token, body });
        const onFrame = (frame) => count(frame.type === 'error' ? frame.code : frame.type);
        const socket = await openSocket(url, { party: agent, onFrame });
        await flood(context, [socket], () => message({ person: agent, conversation }, SMALL));
      };
      const talks = [];
      for (let number = 0; number < 60 && !isOver(); number++) {
        const agent = await createAgent(call, person, `Own ${number}`).catch(() => undefined);
        if (agent === undefined) {
          count('refused');
          break;
        }
        count('agents');
        talks.push(talk(agent).catch(() => count('lost')));
      }
      await Promise.all(talks);
    },
  },
  {
    name: 'members',
    item: 5,
    title: `membership changes in a group of 1,000, ${CHANGERS} at a time, heard by ${HEARERS.agents * HEARERS.sockets} sockets`,
    prepare: async (context) => {
      const state = await prepareSockets(context, 0);
      const { url, call, count, databaseUrl } = context;
      const body = { kind: 'group', members: [{ kind: 'agent', id: state.agent.id }] };
      const { conversation_id: group } = await call('POST', '/conversations', { token: state.person.token, body });
      const copies = await withDatabase(databaseUrl, async (client) => {
        await fillGroup(client, group);
        return copyMember(client, { agent: state.agent, group, copies: HEARERS.agents + CHANGERS });
      });
      for (const party of copies.slice(CHANGERS)) {
        const onFrame = ({ type }) => count(type);
        await Promise.all(Array.from({ length: HEARERS.sockets }, () => openSocket(url, { party, onFrame })));
      }
      return { person: state.person, group, changed: copies.slice(0, CHANGERS) };
    },
    run: async ({ url, address, count, isOver }, { person, changed, group }) => {
      const path = `/conversations/${group}/members`;
      const options = { token: person.token(), address };
      const change = async ({ id }) => {
        for (let turn = 0; !isOver(); turn++) {
          const body = { kind: 'agent', id, role: 'member' };
          const [method, where] = turn % 2 === 0 ? ['DELETE', `${path}/${id}`] : ['POST', path];
          count(await ask(url, method, where, { ...options, ...(method === 'POST' ? { body } : {}) }));
        }
      };
      await Promise.all(changed.map(change));
    },
  },
];

/** Adding a thousand people takes hours inside the limits. */
async function fillGroup(client, group) {
  await client.query(
    `with people as (
       insert into accounts (id, email, display_name)
       select gen_random_uuid(), 'member-' || number || '@example.test', 'Member' from generate_series(1, 950) as number
       returning id)
     insert into members (conversation_id, member_kind, member_id) select $1, 'human', id from people`,
    [group],
  );
}
