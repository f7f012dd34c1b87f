import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, signUp } from '../../parties.mjs';
import { ask, copyAgent, seal, withDatabase } from '../client.mjs';

const HEAP_MB = 256;
const AGENTS = 3_000;
const BUNDLES = 4;
const VERSIONS = 900;
const POLLERS = 8;
const GROUPS = 12;
const LARGE = randomBytes(300_000).toString('base64url');
const NOTE_TAKER = new URL('../../../../examples/bundles/note-taker/manifest.json', import.meta.url);

export const MEMORY_ATTACKS = [
  {
    name: 'export',
    item: 6,
    title: `exports of an account with ${AGENTS} agents, with a heap of ${HEAP_MB} MB`,
    server: { heapMb: HEAP_MB },
    prepare: async ({ call, databaseUrl }) => {
      const person = await signUp(call, 'Mallory');
      const agent = await createAgent(call, person, 'Own');
      // Manifests of 30 KB.
      const changed = { capability_manifest: `capability_manifest || jsonb_build_object('note', repeat('x', 30000))` };
      await withDatabase(databaseUrl, (client) => copyAgent(client, { id: agent.id, count: AGENTS - 1, changed }));
      return person;
    },
    run: async ({ url, address, count, isOver }, person) => {
      const options = { token: person.token(), address };
      // Five a minute are allowed.
      await Promise.all(
        Array.from({ length: 5 }, async () => count(await ask(url, 'GET', '/auth/account/export', options))),
      );
      while (!isOver()) count(await ask(url, 'GET', '/agents?mine=true&limit=100', options));
    },
  },
  {
    name: 'deaf-polls',
    item: 6,
    title: `polls of ${POLLERS} own agents with 10 MB waiting each, whose replies nobody reads, with a heap of ${HEAP_MB} MB`,
    server: { heapMb: HEAP_MB },
    prepare: async ({ call }) => {
      const person = await signUp(call, 'Mallory');
      const agents = [];
      for (let n = 0; n < POLLERS; n++) agents.push(await createAgent(call, person, `Own ${n}`, 'polling'));
      const body = { kind: 'group', members: agents.map(({ id }) => ({ kind: 'agent', id })) };
      for (let n = 0; n < GROUPS; n++) {
        const { conversation_id: group } = await call('POST', '/conversations', { token: person.token, body });
        const path = `/conversations/${group}/messages`;
        for (let sent = 0; sent < 2; sent++)
          await call('POST', path, { token: person.token, body: seal(person.sender, group, LARGE) });
      }
      return agents;
    },
    run: async ({ url, address, count, isOver }, agents) => {
      const { hostname, port } = new URL(url);
      const deaf = new Set();
      while (!isOver()) {
        for (const agent of agents) {
          const path = `/agents/${agent.id}/messages/poll`;
          const head = [`GET ${path} HTTP/1.1`, 'host: localhost', `x-forwarded-for: ${address}`];
          const request = [...head, `authorization: Bearer ${agent.token()}`, '', ''].join('\r\n');
          const socket = connect(Number(port), hostname).on('error', () => {});
          deaf.add(socket.on('close', () => deaf.delete(socket)).pause());
          // The first of them fit into what the system keeps.
          socket.write(request.repeat(8));
          count('polls', 8);
          count(await ask(url, 'GET', path, { token: agent.token(), address }));
        }
        await sleep(100);
      }
      for (const socket of deaf) socket.destroy();
    },
  },
  {
    name: 'bundles',
    item: 6,
    title: `a version more of ${BUNDLES} bundles with ${VERSIONS} each, with a heap of ${HEAP_MB} MB`,
    server: { heapMb: HEAP_MB },
    prepare: async ({ call, databaseUrl }) => {
      const person = await signUp(call, 'Mallory');
      const manifests = Array.from({ length: BUNDLES }, (_, index) => makeBundle(`own-${index}`, '1.0.0'));
      for (const manifest of manifests) await call('POST', '/bundles', { token: person.token, body: { manifest } });
      await withDatabase(databaseUrl, copyBundles);
      return person;
    },
    run: async ({ url, address, count, isOver }, person) => {
      const publish = async (index) => {
        for (let version = 1; version <= 5 && !isOver(); version++) {
          const body = { manifest: makeBundle(`own-${index}`, `2.0.${version}`) };
          count(await ask(url, 'POST', '/bundles', { token: person.token(), address, body }));
        }
      };
      await Promise.all(Array.from({ length: BUNDLES }, (_, index) => publish(index)));
    },
  },
];

/** Publishing thousands of versions takes hours inside the limits. */
async function copyBundles(client) {
  const { rows } = await client.query(
    `select column_name as name from information_schema.columns
     where table_name = 'bundle_versions' and table_schema = current_schema() and is_generated = 'NEVER'`,
  );
  const columns = rows.map(({ name }) => name);
  const changed = { version: `'1.0.' || number`, digest: `'sha256:' || md5(number::text)` };
  await client.query(
    `insert into bundle_versions (${columns.join(', ')})
     select ${columns.map((name) => changed[name] ?? name).join(', ')}
     from bundle_versions, generate_series(1, ${VERSIONS - 1}) as number`,
  );
}

function makeBundle(id, version) {
  const manifest = JSON.parse(readFileSync(NOTE_TAKER, 'utf8'));
  delete manifest.$schema;
  return { ...manifest, id, version, summary: 'Keeps notes. '.repeat(10_000) };
}
