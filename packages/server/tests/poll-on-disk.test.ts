import { expect, it } from 'vitest';
import { consumerOf } from '../src/conversations/consumer.ts';
import { createCursors } from '../src/conversations/cursors.ts';
import { pipeOf } from '../src/storage/pipeline.ts';
import { createDatabase, startTestServer } from './harness/server.ts';
import { addBot, addTalker, relate, seal } from './harness/talk.ts';

/** What commits of cursors wait for, by table. One that waits for nothing can be lost with a Postgres that is killed. */
const RECORD_COMMITS = `
  create table commits (cursor text, waits_for text);
  create function record_commit() returns trigger language plpgsql as $$
    begin
      insert into commits values (tg_table_name, current_setting('synchronous_commit'));
      return new;
    end $$;
  create trigger record_commit after insert or update on cursors for each row execute function record_commit();
  create trigger record_commit after insert or update on event_cursors for each row execute function record_commit()`;

it('TR-4 what a poll acknowledges is on disk before it is answered: a database that is killed gives nothing twice', async () => {
  const database = await createDatabase();
  const settings = new URLSearchParams({ options: '-c synchronous_commit=local' });
  const server = await startTestServer({ databaseUrl: `${database.url}?${settings}` });
  try {
    const { events, storage } = server.platform;
    await storage.pool.query(RECORD_COMMITS);
    const ann = await addTalker(server);
    const agent = await addBot(server, ann, { mode: 'polling' });
    const id = await relate(server, ann, agent);
    await server.call('POST', `/conversations/${id}/messages`, { token: ann.token, body: seal(ann, id) });
    await events.send([{ kind: 'agent', id: agent.id }], 'test.event' as never, { n: 1 });
    const poll = async (cursor: string) =>
      (await server.call('GET', `/agents/${agent.id}/messages/poll?wait=0&cursor=${cursor}`, agent)).body;
    const first = await poll('');
    expect([first.messages.length, first.events.length]).toEqual([1, 1]);
    const commits = async () => {
      const { rows } = await storage.pool.query('delete from commits returning cursor, waits_for');
      return rows.map(({ cursor, waits_for }) => `${cursor} ${waits_for}`).sort();
    };
    await poll(first.cursor);
    expect(await commits()).toEqual(['cursors local', 'event_cursors local']);

    // What a socket of the agent acknowledged stands there already, and nothing has waited for the disk.
    await server.call('POST', `/conversations/${id}/messages`, { token: ann.token, body: seal(ann, id) });
    await events.send([{ kind: 'agent', id: agent.id }], 'test.event' as never, { n: 2 });
    const second = await poll('');
    const unsaved = createCursors(pipeOf(storage.pool), server.platform.now, { isDurable: false });
    const consumer = consumerOf(agent.caller);
    await unsaved.move(consumer, id, 2);
    await unsaved.moveEvents(consumer, second.events[0].event_id);
    expect(await commits()).toEqual(['cursors off', 'event_cursors off']);
    await poll(second.cursor);
    expect(await commits()).toEqual(['cursors local', 'event_cursors local']);
    // Nor where it stands further already; and it does not move back.
    await poll(first.cursor);
    expect(await commits()).toEqual(['cursors local', 'event_cursors local']);
    expect(await poll('')).toMatchObject({ messages: [], events: [] });
  } finally {
    await server.close();
    await database.drop();
  }
});
