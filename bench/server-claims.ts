import { randomBytes } from 'node:crypto';
import type { Server } from '@parley/server';
import { WebSocket } from 'ws';
import { call, signUp, startServer } from './bench-server.ts';
import type { BenchRow } from './measure.ts';

const CLAIMS = 6_000;
const WARM_UP = 1_000;
/** Stays below the rate limit of the route. */
const REQUESTS = 500;
const AT_ONCE = 64;

interface Device {
  readonly token: string;
  readonly conversation: string;
}

/** Measures claims of tool calls (CG-11), over the socket and as requests. */
export async function* run(): AsyncIterable<BenchRow> {
  const server = await startServer();
  try {
    const device = await addDevice(server);
    const ids = await addCalls(server, device.conversation, WARM_UP + CLAIMS + REQUESTS);
    const socket = await openSocket(server, device);
    await claimAll(socket, device, ids.splice(0, WARM_UP));
    const ours = await perSecond(CLAIMS, () => claimAll(socket, device, ids.splice(0, CLAIMS)));
    socket.terminate();
    const peer = await perSecond(REQUESTS, () => requestAll(server, device, ids));
    const detail = `${AT_ONCE} at once, as requests`;
    yield { name: 'claims over a socket', detail, ours, peer, unit: 'ops/s', ratio: ours / peer };
  } finally {
    await server.close();
  }
}

async function addDevice(server: Server): Promise<Device> {
  const [owner, token] = [await signUp(server), await signUp(server)];
  const key = () => randomBytes(32).toString('base64url');
  const device = { name: 'Bench', identity_key: key(), exchange_key: key() };
  await call(server, 'POST /devices', { token, body: device });
  const { agent_id } = await call(server, 'POST /agents', { token: owner, body: { name: 'Bench' } });
  const relation = await call(server, 'POST /h2a/relations', { token, body: { agent_id, granted_scopes: [] } });
  return { token, conversation: relation.conversation_id };
}

async function addCalls({ platform }: Server, conversation: string, count: number): Promise<string[]> {
  const { rows } = await platform.storage.pool.query<{ id: string }>(
    `insert into messages (conversation_id, seq, id, client_message_id, sender_kind, sender_id, content_type,
       msg_subtype, envelope_hash, created_at, received_at)
     select $1, n, gen_random_uuid(), n::text, 'agent', gen_random_uuid(), 'artifact', 'artifact_tool_call', '', now(), now()
     from generate_series(1, $2::int) as n returning id`,
    [conversation, count],
  );
  return rows.map(({ id }) => id);
}

function openSocket({ url }: Server, { token }: Device): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/human`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => socket.send(JSON.stringify({ type: 'auth', token })));
    socket.once('message', () => resolve(socket));
  });
}

function claimAll(socket: WebSocket, { conversation }: Device, ids: readonly string[]): Promise<void> {
  let sent = 0;
  let left = ids.length;
  const claim = () => {
    const message_id = ids[sent++];
    if (message_id !== undefined)
      socket.send(JSON.stringify({ type: 'claim', message_id, conversation_id: conversation }));
  };
  return new Promise((resolve, reject) => {
    const hear = (data: WebSocket.RawData) => {
      const frame = JSON.parse(String(data));
      if (frame.type === 'error' || frame.claimed === false) reject(new Error(`bench: ${JSON.stringify(frame)}`));
      if (frame.type !== 'claim.result') return;
      claim();
      if (--left > 0) return;
      socket.off('message', hear);
      resolve();
    };
    socket.on('message', hear);
    for (let index = 0; index < AT_ONCE; index++) claim();
  });
}

async function requestAll(server: Server, { token }: Device, ids: readonly string[]): Promise<void> {
  const left = [...ids];
  const work = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      await call(server, `POST /messages/${id}/claim`, { token });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return count / ((performance.now() - start) / 1_000);
}
