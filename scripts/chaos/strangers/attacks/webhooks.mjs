import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, signUp } from '../../parties.mjs';
import { openSocket, startHost } from '../client.mjs';
import { DOWN, HOOKED } from '../innocent.mjs';
import { talk } from './talk.mjs';

const LARGE = randomBytes(314_000).toString('base64url');
const SLOW_MS = 9_500;
const MAY_WAIT = 1_000;

/** One account with so many webhook agents in one group, and a host for them all that answers after `delay`. */
async function prepareHooks({ url, call, count }, { agents, delay = 0 }) {
  const person = await signUp(call, 'Mallory');
  const host = await startHost(async () => {
    count('delivered');
    await sleep(delay);
  });
  const members = [];
  for (let index = 0; index < agents; index++) {
    const agent = await createAgent(call, person, `Hook ${index}`, 'webhook');
    await call('PUT', `/agents/${agent.id}/webhook`, { token: person.token, body: { url: host.url } });
    members.push({ kind: 'agent', id: agent.id });
  }
  const body = { kind: 'group', members };
  const { conversation_id: group } = await call('POST', '/conversations', { token: person.token, body });
  const onFrame = (frame) => count(frame.type === 'error' ? frame.code : frame.type);
  const socket = await openSocket(url, { party: person, onFrame });
  return { person, groups: [group], socket };
}

/** A socket of a stranger, who writes to an agent of the innocent's that anyone may find. */
async function meetInnocent({ url, call, count }, { person, name }) {
  const { agents } = await call('GET', `/agents?q=${name}`, { token: person.token });
  const body = { agent_id: agents.find((agent) => agent.name === name).agent_id, granted_scopes: [] };
  const { conversation_id: conversation } = await call('POST', '/h2a/relations', { token: person.token, body });
  const onFrame = (frame) => count(frame.type === 'error' ? frame.code : frame.type);
  return { person, groups: [conversation], socket: await openSocket(url, { party: person, onFrame }) };
}

const stay = async ({ remaining }) => sleep(remaining());

export const WEBHOOK_ATTACKS = [
  {
    name: 'hooks-10',
    item: 2,
    title: 'thirty webhook agents in a group, 10 messages/s',
    prepare: (context) => prepareHooks(context, { agents: 30 }),
    run: (context, state) => talk(context, state, { perSecond: 10 }),
  },
  {
    name: 'hooks-200',
    item: 2,
    title: 'thirty webhook agents in a group, 200 messages/s',
    prepare: (context) => prepareHooks(context, { agents: 30 }),
    run: (context, state) => talk(context, state, { perSecond: 200 }),
  },
  {
    name: 'hooks-large',
    item: 2,
    title: 'thirty webhook agents in a group, 10 messages/s of 419 KB',
    prepare: (context) => prepareHooks(context, { agents: 30 }),
    run: (context, state) => talk(context, state, { perSecond: 10, text: LARGE }),
  },
  {
    name: 'slow-8',
    item: 4,
    title: 'eight webhooks that answer after 9.5 s',
    prepare: (context) => prepareHooks(context, { agents: 8, delay: SLOW_MS }),
    run: (context, state) => talk(context, state, { perSecond: 1 }),
  },
  {
    name: 'slow-backlog',
    item: 4,
    title: 'the same with 960 deliveries at once',
    prepare: (context) => prepareHooks(context, { agents: 8, delay: SLOW_MS }),
    run: async (context, state) => {
      await talk(context, state, { perSecond: 200, messages: 120 });
      await stay(context);
    },
  },
  {
    name: 'hook-victim',
    item: 4,
    title: "450 messages/s to the innocent's own webhook agent",
    prepare: ({ call }) => signUp(call, 'Mallory'),
    run: async (context, person) =>
      talk(context, await meetInnocent(context, { person, name: HOOKED }), { perSecond: 450 }),
  },
  {
    name: 'owner-full',
    item: 4,
    title: 'more messages to an agent of the innocent whose endpoint is down than may wait for the innocent',
    // So that it takes seconds, not half a minute.
    server: { settings: { PARLEY_BUDGETS: `waiting_deliveries=${MAY_WAIT}` } },
    prepare: ({ call }) => signUp(call, 'Mallory'),
    run: async (context, person) => {
      const state = await meetInnocent(context, { person, name: DOWN });
      await talk(context, state, { perSecond: 450, messages: 2 * MAY_WAIT });
      await stay(context);
    },
  },
];
