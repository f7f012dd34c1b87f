import { randomBytes, randomUUID } from 'node:crypto';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createRelay, type Server } from '@parley/server';
import { WebSocket } from 'ws';
import { call, signUp, startServer } from './bench-server.ts';
import type { BenchRow } from './measure.ts';

const SENDERS = 16;
const WINDOW = 32;
const MESSAGES = 8_000;
const SINGLE = 300;
const ROUNDS = 5;
const AIM = 0.5;

interface Sender {
  readonly agentId: string;
  readonly token: string;
  readonly conversationId: string;
}
/** Sends one message and resolves when it is acknowledged. */
type Send = (sender: Sender) => Promise<unknown>;

/** Compares messages up to their ack, which means stored on disk (TR-3), with bare inserts of the same rows. */
export async function* run(): AsyncIterable<BenchRow> {
  const server = await startServer();
  try {
    await server.platform.storage.pool.query(BARE);
    yield* measureRelay(server, await addSenders(server));
  } finally {
    await server.close();
  }
}

async function* measureRelay(server: Server, senders: readonly Sender[]): AsyncIterable<BenchRow> {
  const relay = createRelay(server.platform);
  const send: Send = ({ agentId, conversationId }) =>
    relay.send(
      { kind: 'agent', agentId, ownerId: agentId, tokenId: '' },
      { conversationId, envelope: seal({ agentId, conversationId }) },
    );
  const worker = await startWorker(server, senders);
  try {
    await sendAll(senders, 2_000, send);
    await worker.sendAll(2_000);

    const rates: { relay: number; sockets: number; peer: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const peer = await insertBatches(server);
      rates.push({ peer, relay: await sendAll(senders, MESSAGES, send), sockets: await worker.sendAll(MESSAGES) });
    }
    const rate = (detail: string, name: 'relay' | 'sockets'): BenchRow => ({
      name: 'durable relay',
      detail: `1 KB, ${SENDERS * WINDOW} at once${detail}, batch insert (limit)`,
      ours: median(rates.map((row) => row[name])),
      peer: median(rates.map((row) => row.peer)),
      unit: 'ops/s',
      ratio: median(rates.map((row) => row[name] / row.peer)),
    });
    const main = rate('', 'relay');
    yield { ...main, aim: `≥ ${AIM}×`, met: main.ratio >= AIM };
    yield rate(' over sockets', 'sockets');

    const ours = await oneByOne(() => send(senders[0]!));
    const peer = await oneByOne(() => insertRows(server, 1));
    for (const share of [0.5, 0.99]) {
      yield {
        name: `durable relay, p${share * 100}`,
        detail: '1 KB, one at a time, one insert and its commit (limit)',
        ours: percentile(ours, share),
        peer: percentile(peer, share),
        unit: 'ms',
        ratio: percentile(peer, share) / percentile(ours, share),
      };
    }
  } finally {
    await worker.stop();
    await relay.close();
  }
}

async function addSenders(server: Server): Promise<Sender[]> {
  const owner = await signUp(server);
  const senders: Sender[] = [];
  for (let index = 0; index < SENDERS; index++) {
    const { agent_id: agentId, token } = await call(server, 'POST /agents', {
      token: owner,
      body: { name: `Bench ${index}` },
    });
    const body = { agent_id: agentId, granted_scopes: [] };
    const { conversation_id: conversationId } = await call(server, 'POST /h2a/relations', { token: owner, body });
    senders.push({ agentId, token, conversationId });
  }
  return senders;
}

const CIPHERTEXT = randomBytes(1024).toString('base64url');
const SIGNATURE = randomBytes(64).toString('base64url');
const WRAP = { key_id: 'k', wrapped: randomBytes(80).toString('base64url') };

function seal({ agentId, conversationId }: Omit<Sender, 'token'>) {
  return {
    header: {
      version: 1 as const,
      conversation_id: conversationId,
      sender: { kind: 'agent' as const, id: agentId },
      client_message_id: randomUUID(),
      content_type: 'text' as const,
      msg_subtype: 'text' as const,
      created_at: new Date().toISOString(),
    },
    ciphertext: CIPHERTEXT,
    wraps: [WRAP],
    signature: SIGNATURE,
  };
}

/** Returns the acks per second while each sender keeps its window full. */
async function sendAll(senders: readonly Sender[], messages: number, send: Send): Promise<number> {
  let left = messages;
  const start = performance.now();
  await Promise.all(
    senders.flatMap((sender) =>
      Array.from({ length: WINDOW }, async () => {
        while (left-- > 0) await send(sender);
      }),
    ),
  );
  return messages / ((performance.now() - start) / 1_000);
}

/** Clients run in a thread of their own, so that their work is not counted as the server's. */
async function startWorker(server: Server, senders: readonly Sender[]) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url: server.url, senders } satisfies Clients });
  const next = () =>
    new Promise<number>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  await next();
  return {
    sendAll: (messages: number) => {
      worker.postMessage(messages);
      return next();
    },
    stop: () => worker.terminate(),
  };
}
interface Clients {
  readonly url: string;
  readonly senders: readonly Sender[];
}

async function runClients({ url, senders }: Clients): Promise<void> {
  const sockets = new Map<string, (sender: Sender) => Promise<void>>();
  for (const sender of senders) sockets.set(sender.agentId, await openSocket(url, sender));
  parentPort!.on('message', async (messages: number) => {
    parentPort!.postMessage(await sendAll(senders, messages, (sender) => sockets.get(sender.agentId)!(sender)));
  });
  parentPort!.postMessage(0);
}

async function openSocket(url: string, { agentId, token }: Sender): Promise<(sender: Sender) => Promise<void>> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/agent?agent_id=${agentId}`);
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.once('open', () => socket.send(JSON.stringify({ type: 'auth', token })));
    socket.once('message', () => resolve());
  });
  const waiting = new Map<string, () => void>();
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame.type === 'error') throw new Error(`bench: ${data}`);
    if (frame.type !== 'message.ack') return;
    waiting.get(frame.client_message_id)!();
    waiting.delete(frame.client_message_id);
  });
  return (sender) =>
    new Promise((resolve) => {
      const envelope = seal(sender);
      waiting.set(envelope.header.client_message_id, resolve);
      socket.send(JSON.stringify({ type: 'send', envelope }));
    });
}

/** Inserts the rows of messages and does nothing else. */
const BARE = 'create table bare_messages (like messages including all)';
const INSERT = `insert into bare_messages (conversation_id, seq, id, client_message_id, sender_kind, sender_id,
    content_type, msg_subtype, envelope, envelope_hash, created_at, received_at)
  select conversation, seq, id, id::text, 'agent', conversation, 'text', 'text', envelope, sha256(envelope::bytea),
    now(), now()
  from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[]) as new (conversation, seq, id, envelope)`;
let seq = 0;

async function insertRows({ platform }: Server, count: number): Promise<void> {
  const conversation = randomUUID();
  const rows = Array.from({ length: count }, () => ({ seq: ++seq, id: randomUUID() }));
  const envelope = JSON.stringify({
    ciphertext: CIPHERTEXT,
    wraps: [WRAP],
    signature: SIGNATURE,
    pad: 'x'.repeat(300),
  });
  await platform.storage.pool.query(INSERT, [
    rows.map(() => conversation),
    rows.map((row) => row.seq),
    rows.map((row) => row.id),
    rows.map(() => envelope),
  ]);
}

/** Returns the rows per second, in batches as large as the senders' windows, one commit after the other. */
async function insertBatches(server: Server): Promise<number> {
  const start = performance.now();
  for (let done = 0; done < MESSAGES; done += SENDERS * WINDOW) await insertRows(server, SENDERS * WINDOW);
  return (Math.ceil(MESSAGES / (SENDERS * WINDOW)) * SENDERS * WINDOW) / ((performance.now() - start) / 1_000);
}

async function oneByOne(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < SINGLE; index++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!;
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

if (!isMainThread) void runClients(workerData);
