import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, signUp } from '../../parties.mjs';
import { seal, withDatabase } from '../client.mjs';

/** Ten minutes of what the rate allows. */
const MESSAGES = 300_000;

export const RETENTION_ATTACKS = [
  {
    name: 'forget',
    item: 6,
    title: `${MESSAGES} small messages of one conversation that everyone has, then the job that forgets them`,
    prepare: async ({ call, databaseUrl }) => {
      const person = await signUp(call, 'Mallory');
      const agent = await createAgent(call, person, 'Own');
      const body = { agent_id: agent.id, granted_scopes: [] };
      const { conversation_id: conversation } = await call('POST', '/h2a/relations', { token: person.token, body });
      await withDatabase(databaseUrl, (client) => fillConversation(client, { person, agent, conversation }));
      return { databaseUrl };
    },
    run: async ({ remaining }, { databaseUrl }) => {
      await withDatabase(databaseUrl, (client) => client.query(`select graphile_worker.add_job('forget_messages')`));
      await sleep(remaining());
    },
  },
];

async function fillConversation(client, { person, agent, conversation }) {
  const envelope = JSON.stringify(seal(person.sender, conversation));
  await client.query(
    `insert into messages (conversation_id, seq, id, client_message_id, sender_kind, sender_id, sender_device_id,
       content_type, msg_subtype, envelope, envelope_hash, created_at, received_at)
     select $1::uuid, n, gen_random_uuid(), gen_random_uuid()::text, 'human', $2::uuid, $3::uuid, 'text', 'text', $4,
       '', now(), now()
     from generate_series(1, ${MESSAGES}) n`,
    [conversation, person.id, person.sender.device_id, envelope],
  );
  await client.query('update conversations set last_seq = $2, last_message_at = now() where id = $1', [
    conversation,
    MESSAGES,
  ]);
  await client.query(
    `insert into cursors (consumer_kind, consumer_id, conversation_id, seq)
       select 'device', id, $1::uuid, $3::bigint from devices where account_id = $2
       union all select 'agent', $4::uuid, $1::uuid, $3::bigint`,
    [conversation, person.id, MESSAGES, agent.id],
  );
}
