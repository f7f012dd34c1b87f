import { createAgent, signUp } from '../../parties.mjs';
import { copyAgent, openSocket, startHost, withDatabase } from '../client.mjs';
import { talk } from './talk.mjs';

/** So many webhooks are set at a time. */
const TOGETHER = 10;

/** One account whose agents are all in each of its groups; with `webhook`, one host gets what goes to them. */
async function prepareGroups({ url, call, count, databaseUrl }, { agents, groups, mode }) {
  const person = await signUp(call, 'Mallory');
  const { id: first } = await createAgent(call, person, 'Own', mode);
  const ids = [
    first,
    ...(await withDatabase(databaseUrl, (client) => copyAgent(client, { id: first, count: agents - 1 }))),
  ];
  if (mode === 'webhook') {
    const { url: host } = await startHost(async () => count('delivered'));
    const set = (id) => call('PUT', `/agents/${id}/webhook`, { token: person.token, body: { url: host } });
    for (let at = 0; at < ids.length; at += TOGETHER) await Promise.all(ids.slice(at, at + TOGETHER).map(set));
  }
  const body = { kind: 'group', members: [{ kind: 'agent', id: first }] };
  const { conversation_id: group } = await call('POST', '/conversations', { token: person.token, body });
  const all = await withDatabase(databaseUrl, (client) => copyGroup(client, { group, ids, count: groups }));
  const onFrame = (frame) => count(frame.type === 'error' ? frame.code : frame.type);
  const socket = await openSocket(url, { party: person, onFrame });
  return { person, groups: all, socket };
}

/** Hundreds of groups with hundreds of agents take days inside the limits. */
async function copyGroup(client, { group, ids, count }) {
  await client.query(
    `insert into members (conversation_id, member_kind, member_id)
     select $1, 'agent', id from unnest($2::uuid[]) as new (id) on conflict do nothing`,
    [group, ids],
  );
  const { rows } = await client.query(
    `with copies as (
       insert into conversations (id, kind)
       select gen_random_uuid(), 'group' from generate_series(2, $2::integer) returning id),
     filled as (
       insert into members (conversation_id, member_kind, member_id, role)
       select copies.id, m.member_kind, m.member_id, m.role from copies, members m where m.conversation_id = $1)
     select id from copies`,
    [group, count],
  );
  await client.query('analyze');
  return [group, ...rows.map(({ id }) => id)];
}

const groupAttack = (name, { item, agents, groups, perSecond, mode }) => ({
  name,
  item,
  title: `${agents} ${mode === 'webhook' ? 'webhook agents' : 'agents'} in each of ${groups} groups, ${perSecond} messages/s`,
  prepare: (context) => prepareGroups(context, { agents, groups, mode }),
  run: (context, state) => talk(context, state, { perSecond }),
});

export const GROUP_ATTACKS = [
  groupAttack('groups-100', { item: 5, agents: 450, groups: 100, perSecond: 450, mode: 'websocket' }),
  groupAttack('groups-500', { item: 5, agents: 450, groups: 500, perSecond: 450, mode: 'websocket' }),
  groupAttack('hooks-many', { item: 2, agents: 99, groups: 400, perSecond: 450, mode: 'webhook' }),
  groupAttack('hooks-99-100', { item: 2, agents: 99, groups: 100, perSecond: 200, mode: 'webhook' }),
];
