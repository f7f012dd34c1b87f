import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp } from './harness/accounts.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

/** Reads all pages of a list; returns the ids in order, and the length of the longest page. */
async function readPages(path: string, token: string, { list, id }: { readonly list: string; readonly id: string }) {
  const ids: string[] = [];
  let longest = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply = await server.call('GET', cursor === '' ? path : `${path}?cursor=${cursor}`, { token });
    expect(reply.status).toBe(200);
    const rows: Record<string, string>[] = reply.body[list];
    longest = Math.max(longest, rows.length);
    ids.push(...rows.map((row) => row[id]!));
    cursor = reply.body.next_cursor;
  }
  return { ids, longest };
}

describe('OP-6 lists have pages', () => {
  it('OP-6 sessions without end are listed a hundred at a time, each once', async () => {
    const ada = await signUp(server);
    await sql`
      insert into sessions (id, account_id, family_hash, refresh_hash, expires_at)
      select gen_random_uuid(), ${ada.id}, 'f' || n, 'r', now() + interval '1 day'
      from generate_series(1, 250) as n`.execute(server.platform.db);
    const { ids, longest } = await readPages('/auth/sessions', ada.token, { list: 'sessions', id: 'session_id' });
    expect(longest).toBe(100);
    expect(new Set(ids).size).toBe(251);
    expect(ids).toHaveLength(251);
  });

  it('OP-6 tokens without end are listed a hundred at a time, each once', async () => {
    const ada = await signUp(server);
    const { body } = await server.call('POST', '/agents', { token: ada.token, body: { name: 'Bot' } });
    await sql`
      insert into agent_tokens (id, agent_id, token_hash)
      select gen_random_uuid(), ${body.agent_id}, 'h' || n from generate_series(1, 250) as n`.execute(
      server.platform.db,
    );
    const path = `/agents/${body.agent_id}/tokens`;
    const { ids, longest } = await readPages(path, ada.token, { list: 'tokens', id: 'token_id' });
    expect(longest).toBe(100);
    expect(new Set(ids).size).toBe(251);
    expect(ids).toHaveLength(251);
  });
});
