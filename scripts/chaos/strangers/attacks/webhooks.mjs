import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, signUp } from '../../parties.mjs';
import { openSocket, startHost } from '../client.mjs';
import { talk } from './talk.mjs';

const LARGE = randomBytes(314_000).toString('base64url');
const SLOW_MS = 9_500;

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
];
