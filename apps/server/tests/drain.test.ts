import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { prepare } from '../../../scripts/setup.mjs';
import { ROOT, type Started, startProcess } from './process.ts';

let folder: string;
let running: Started[] = [];

beforeAll(() => prepare(ROOT, { install: false, quiet: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-process-'));
  chmodSync(folder, 0o711);
});
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGTERM');
    await ended;
  }
  running = [];
  rmSync(folder, { recursive: true, force: true });
});

async function start(drainSeconds: number, env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const started = await startProcess({
    PARLEY_DATA_DIR: folder,
    PARLEY_PORT: '0',
    PARLEY_DEMO_BOT: 'false',
    PARLEY_SYSTEM_AGENT: 'false',
    // With a database of its own it would take seconds to start.
    DATABASE_URL: inject('databaseUrl'),
    PARLEY_DRAIN_SECONDS: String(drainSeconds),
    ...env,
  });
  running.push(started);
  return started;
}

/** Routes have limits for each address, and all of this comes from one. */
const UNLIMITED = { path: '/nowhere', status: 404 };

interface Answer {
  readonly status: number | string;
  readonly headers: IncomingHttpHeaders;
}

/** Resolves with the status, or the code of the error. */
function get(url: string, path: string, agent: Agent | false): Promise<Answer> {
  return new Promise((resolve) => {
    const outgoing = request(url + path, { agent }, (response) => {
      const { statusCode, headers } = response;
      response.resume().on('end', () => resolve({ status: statusCode!, headers }));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? 'unknown', headers: {} }));
    outgoing.end();
  });
}

describe('OP-10 stopping under load', () => {
  test('OP-10 behind a load balancer that asks /ready nobody notices: all are answered, and it ends with 0', async () => {
    for (let round = 0; round < 3; round++) {
      const { url, child, ended } = await start(1);
      const answers: (number | string)[] = [];
      let isInService = true;
      const balancer = async () => {
        const agent = new Agent({ keepAlive: true });
        while (isInService) isInService = (await get(url, '/ready', agent)).status === 200;
        agent.destroy();
      };
      const stay = async () => {
        while (isInService) {
          const agent = new Agent({ keepAlive: true, maxSockets: 1 });
          for (let isLast = false; !isLast && isInService; ) {
            const { status, headers } = await get(url, UNLIMITED.path, agent);
            answers.push(status);
            isLast = headers.connection === 'close' || status !== UNLIMITED.status;
          }
          agent.destroy();
        }
      };
      const come = async () => {
        while (isInService) answers.push((await get(url, UNLIMITED.path, false)).status);
      };
      const clients = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? stay() : come()));
      await until(() => expect(answers.length).toBeGreaterThan(50));
      child.kill('SIGTERM');
      await Promise.all([balancer(), ...clients]);
      expect(new Set(answers)).toEqual(new Set([UNLIMITED.status]));
      expect(await ended).toBe(0);
    }
  });

  const childrenOf = (pid: number): number[] => {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    const rows = lines.map((line) => line.trim().split(/\s+/).map(Number));
    return rows.filter(([, parent]) => parent === pid).map(([child]) => child!);
  };

  test.each(['is well', 'hangs'])(
    'OP-10 /ready says at once that it stops, while its agents are in service, also where one %s',
    async (state) => {
      const database = await createDatabase();
      const env = { DATABASE_URL: database.url, PARLEY_DEMO_BOT: 'true' };
      const { url, child, ended } = await start(5, env);
      const [agent] = await until(() => {
        const found = childrenOf(child.pid!);
        expect(found).toHaveLength(1);
        return found;
      });
      if (state === 'hangs') process.kill(agent!, 'SIGSTOP');
      child.kill('SIGTERM');
      await until(async () => expect((await get(url, '/ready', false)).status).toBe(503));
      expect(childrenOf(child.pid!)).toEqual([agent]);
      expect(await ended).toBe(0);
      expect(() => process.kill(agent!, 0)).toThrow('ESRCH');
      await database.drop();
    },
  );

  test('OP-10 attack: a webhook that never answers does not hold up a stop, and loses nothing', async () => {
    const database = await createDatabase();
    const received: string[] = [];
    let answers = false;
    const endpoint = createServer((incoming, response) => {
      received.push(String(incoming.headers['webhook-id']));
      incoming.resume();
      if (answers) response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    const { port } = endpoint.address() as AddressInfo;
    const first = await start(0, { DATABASE_URL: database.url });
    let { url } = first;
    const call = async (method: string, path: string, body?: object, token?: string) => {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: body ? JSON.stringify(body) : null,
      });
      expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
      return response.json();
    };
    const person = { email: 'mal@example.org', account_password: 'correct horse battery' };
    const { access_token: token } = await call('POST', '/auth/register', { ...person, display_name: 'Mal' });
    const agent = { name: 'Hole', connection_mode: 'webhook' };
    const { agent_id: id } = await call('POST', '/agents', agent, token);
    await call('PUT', `/agents/${id}/webhook`, { url: `http://127.0.0.1:${port}/` }, token);
    await call('POST', `/agents/${id}/webhook/test`, undefined, token);
    await until(() => expect(received).toHaveLength(1));
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    answers = true;
    const again = await start(0, { DATABASE_URL: database.url });
    await until(() => expect(received).toEqual([received[0], received[0]]));
    url = again.url;
    // Its address is another, and tokens are for one.
    const { access_token: renewed } = await call('POST', '/auth/login', person);
    await until(async () => {
      const { deliveries } = await call('GET', `/agents/${id}/webhook/deliveries`, undefined, renewed);
      expect(deliveries).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    });
    again.child.kill('SIGTERM');
    expect(await again.ended).toBe(0);
    endpoint.closeAllConnections();
    await new Promise((resolve) => endpoint.close(resolve));
    await database.drop();
  });

  test('OP-10 without a delay, whoever keeps a connection is answered on it until told to leave', async () => {
    const { url, child, ended } = await start(0);
    const answers: (number | string)[] = [];
    const stay = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let isLast = false; !isLast; ) {
        const { status, headers } = await get(url, UNLIMITED.path, agent);
        answers.push(status);
        isLast = headers.connection === 'close' || status !== UNLIMITED.status;
      }
      agent.destroy();
    };
    const clients = Array.from({ length: 10 }, stay);
    await until(() => expect(answers.length).toBeGreaterThan(100));
    child.kill('SIGTERM');
    await Promise.all(clients);
    expect(new Set(answers)).toEqual(new Set([UNLIMITED.status]));
    expect(await ended).toBe(0);
  });
});
