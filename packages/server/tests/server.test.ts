import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTime } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../src/server.ts';
import { createDatabase, startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

describe('TR-7 errors', () => {
  it('TR-7 an unknown address is a NOT_FOUND with a request id', async () => {
    const { status, body, headers } = await server.call('GET', '/nowhere');
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: 'NOT_FOUND', i18n_key: 'error.not_found', params: {} });
    expect(body.error.request_id).toBe(headers.get('x-request-id'));
  });
});

describe('TR-8 the end', () => {
  it('HS-8 a server that may have any port says under which it can be reached', async () => {
    const own = await startTestServer({ publicUrl: 'http://localhost:0' });
    const { port } = new URL(own.url);
    expect(own.platform.config.publicUrl).toBe(`http://localhost:${port}`);
    const { body } = await own.call('POST', '/auth/device/code', { body: { client_name: 'x' } });
    expect(body.verification_uri).toBe(`http://localhost:${port}/device`);
    await own.drop();
  });

  it('HS-8 its log is open before anything can fail: whoever ends it then leaves no stack trace', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-log-'));
    const logFile = join(folder, 'server.log');
    const databaseUrl = 'postgres://parley@127.0.0.1:1/parley';
    const starting = createServer({ ...server.platform.config, port: 0, databaseUrl, logFile });
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
    await expect(starting).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    rmSync(folder, { recursive: true });
  });

  it('TR-8 a connection that was opened and never used does not hold it up', async () => {
    const database = await createDatabase();
    const other = await startTestServer({ databaseUrl: database.url });
    const { hostname, port } = new URL(other.url);
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    // Answered, so that the server has seen the silent one, too.
    await other.call('GET', '/nowhere');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // Less than the time after which a connection that says nothing is closed anyway.
    await inTime(other.close(), () => 'it is still closing', { limitMs: 28_000 });
    await closed;
    expect(socket.destroyed).toBe(true);
    await database.drop();
  });
});
