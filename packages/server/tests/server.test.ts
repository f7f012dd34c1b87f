import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './harness/server.ts';

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
