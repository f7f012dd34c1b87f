import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBuiltCommand, useFolder } from '../run.ts';
import { Machine } from './person.ts';
import { Talk } from './talk.ts';

let server: TestServer;
useBuiltCommand();
const folder = useFolder();
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.drop());
const machine = (name: string) => new Machine(folder.path, name, server.url);

describe('AC-4 AC-6 AC-7 contacts at the command line', () => {
  test('AC-4 a request by code is listed, accepted by name, and both are contacts', async () => {
    const [ada, bob] = [machine('ada'), machine('bob')];
    await ada.register('ada@example.org');
    await bob.register('bob@example.org');
    const { json: own } = await bob.json(['contacts', 'code']);
    expect(own).toEqual({ code: expect.stringMatching(/^[0-9A-Z]{12}$/), replaced: false });
    const shown = await bob.run(['contacts', 'code']);
    expect(shown.stdout).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\n/);
    const link = `${server.url}/app/contact/${own.code}`;
    expect(await ada.json(['contacts', 'add', link])).toEqual({ code: 0, json: { asked: true, contact: null } });
    expect((await ada.run(['contacts', 'add', 'K7M2-Q9RX-4TZD'])).stderr).toContain('isn’t a contact code');
    const { json: list } = await bob.json(['contacts', 'list']);
    expect(list).toMatchObject({ contacts: [], incoming: [{ display_name: 'Ada', by: 'code' }], blocked: [] });
    const accepted = await bob.json(['contacts', 'accept', 'Ada']);
    expect(accepted).toMatchObject({ code: 0, json: { accepted: true, conversation_id: expect.any(String) } });
    expect((await ada.json(['contacts', 'list'])).json.contacts).toMatchObject([{ display_name: 'Ada' }]);
    expect(await bob.json(['contacts', 'accept', 'Ada'])).toMatchObject({
      code: 1,
      json: { error: { code: 'UNKNOWN_CONTACT' } },
    });
  });

  test('AC-4 the owner of an agent and a member of a group are asked by id, and answered alike', async () => {
    const dora = machine('dora');
    await dora.register('dora@example.org');
    const [agent, member] = [randomUUID(), randomUUID()];
    for (const named of [
      ['--agent', agent.toUpperCase()],
      ['--member', member],
    ]) {
      const asked = await dora.json(['contacts', 'add', ...named]);
      expect(asked).toEqual({ code: 0, json: { asked: true, contact: null } });
    }
    const { outgoing } = (await dora.json(['contacts', 'list'])).json;
    expect(outgoing).toMatchObject([{ user_id: member }, { agent_id: agent }]);
    for (const wrong of [[], ['K7M2Q9RX4TZD', '--agent', agent], ['--agent', agent, '--member', member]]) {
      const { code, stderr } = await dora.run(['contacts', 'add', ...wrong]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Give one of these')]);
    }
    const { code, stderr } = await dora.run(['contacts', 'add', '--member', 'bob', '--locale', 'zh-CN']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('这不是 ID')]);
  });

  test('AC-6 AC-7 blocking, unblocking, declining and a new code, in Chinese too; in the chat as well', async () => {
    const [ada, cleo] = [machine('ada'), machine('cleo')];
    await cleo.register('cleo@example.org');
    const [person] = (await ada.json(['contacts', 'list'])).json.contacts;
    expect(await ada.json(['contacts', 'block', person.user_id])).toEqual({
      code: 0,
      json: { user_id: person.user_id, blocked: true },
    });
    expect((await ada.run(['contacts', 'list', '--locale', 'zh-CN'])).stdout).toContain('已屏蔽');
    expect((await ada.json(['contacts', 'unblock', person.user_id])).json).toMatchObject({ blocked: false });
    const { json: before } = await ada.json(['contacts', 'code']);
    const { json: after } = await ada.json(['contacts', 'code', '--replace']);
    expect(after).toMatchObject({ replaced: true });
    expect(after.code).not.toBe(before.code);
    await cleo.json(['contacts', 'add', after.code]);
    const talk = new Talk(['chat'], ada.env);
    await talk.until('/help');
    talk.say('/contacts');
    await talk.until('has your contact code');
    talk.say('/decline Ada');
    await talk.until('They are not told');
    talk.say('/quit');
    await talk.end();
    expect((await ada.json(['contacts', 'list'])).json.incoming).toEqual([]);
  });
});
