import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@parley/server';
import pg from 'pg';
import { serveTasks, startChild } from './child-process.ts';
import { limit } from './e2ee.ts';
import { timesOf } from './throughput.ts';

/**
 * Measures the lower bound of a tool call: the same three processes and a Postgres with only two commits, three writes to
 * disk, four messages over a socket, and the primitives of two sealed messages.
 */
export async function startParts() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const [relay, device, agent] = ['parts-relay', 'parts-device', 'parts-agent'].map((role) =>
    startChild(import.meta.url, role),
  ) as [Child, Child, Child];
  const port: number = await relay.ask('listen', folder);
  await device.ask('join', { port, file: join(folder, 'device') });
  await agent.ask('join', { port, file: join(folder, 'agent') });
  return {
    oneByOne: (count: number): Promise<number[]> => agent.ask('oneByOne', count),
    stop: async () => {
      for (const child of [agent, device, relay]) await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
type Child = ReturnType<typeof startChild>;

const syncData = promisify(fdatasync);
const MESSAGE = 'x'.repeat(2_000);
let end: () => unknown = () => {};

/** The first client is the device, the second the agent; each message is stored and then delivered to the other. */
async function listen(folder: string): Promise<number> {
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
  const pool = new pg.Pool({ connectionString: postgres.url });
  await pool.query('create table said (id bigint generated always as identity primary key, text text not null)');
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const place = sockets.push(socket.setNoDelay()) - 1;
    onLine(socket, async (text) => {
      await pool.query({ name: 'say', text: 'insert into said (text) values ($1)', values: [text] });
      sockets[1 - place]!.write(`${text}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  end = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await pool.end();
    await postgres.stop();
  };
  return (server.address() as { port: number }).port;
}

const onLine = (socket: Socket, hear: (text: string) => void) => createInterface({ input: socket }).on('line', hear);
/** Runs the primitives of both sides of a message whose sender and receiver take turns. */
const seal = limit({ keys: 1, agreements: 2, hmacs: 4 });
let file: number;
let line: Socket;
let onAnswer = () => {};

async function write(): Promise<void> {
  writeSync(file, MESSAGE);
  await syncData(file);
}

async function enter({ port, file: path }: { port: number; file: string }, hear: () => void): Promise<void> {
  file = openSync(path, 'a');
  line = connect(port, '127.0.0.1').setNoDelay();
  await new Promise<void>((resolve) => line.once('connect', resolve));
  onLine(line, hear);
  end = () => {
    line.destroy();
    closeSync(file);
  };
}
const say = () => line.write(`${MESSAGE}\n`);

async function answer(): Promise<void> {
  seal();
  await write();
  await write();
  say();
}

async function call(): Promise<void> {
  const answered = new Promise<void>((resolve) => {
    onAnswer = resolve;
  });
  await write();
  say();
  await answered;
  seal();
}

serveTasks({
  'parts-relay': { listen, end: () => end() as Promise<void> },
  'parts-device': {
    join: (place: { port: number; file: string }) => enter(place, () => void answer()),
    end: async () => end(),
  },
  'parts-agent': {
    join: (place: { port: number; file: string }) => enter(place, () => onAnswer()),
    oneByOne: (count: number) => timesOf(call, count),
    end: async () => end(),
  },
});
