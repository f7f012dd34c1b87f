import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { befriend } from './harness/contacts.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect } from './harness/socket.ts';
import { addBot, addTalker, type Speaker, seal, type Talker } from './harness/talk.ts';

let server: TestServer;
let ann: Talker;
let bob: Talker;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const call = (who: Speaker, method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) });
const codeOf = async (who: Speaker) => (await call(who, 'GET', '/contacts/code')).body.code as string;
const requestsOf = async (who: Speaker) => (await call(who, 'GET', '/contacts/requests')).body;
const contactsOf = async (who: Speaker) => (await call(who, 'GET', '/contacts')).body.contacts;
const human = ({ id }: Speaker) => ({ kind: 'human', id });
const makePair = async () => {
  [ann, bob] = [await addTalker(server), await addTalker(server)];
};

describe('AC-4 requests', () => {
  it('AC-4 asked by code, accepted: both are told, are contacts, and may write', async () => {
    await makePair();
    const [annSocket, bobSocket] = [await connect(server, ann), await connect(server, bob)];
    const asked = await call(ann, 'POST', '/contacts/requests', { code: await codeOf(bob) });
    expect([asked.status, asked.body]).toEqual([202, { request_id: expect.any(String), contact: null }]);
    const told = await bobSocket.next('contact.requested');
    expect(told).toMatchObject({ request_id: asked.body.request_id, user_id: ann.id, display_name: 'Someone' });
    const accepted = await call(bob, 'POST', `/contacts/requests/${told.request_id}/accept`);
    expect([accepted.status, accepted.body]).toMatchObject([200, { user_id: ann.id, display_name: 'Someone' }]);
    expect(await annSocket.next('contact.accepted')).toMatchObject({ user_id: bob.id, display_name: 'Someone' });
    expect(await contactsOf(ann)).toMatchObject([{ user_id: bob.id }]);
    expect(await contactsOf(bob)).toMatchObject([{ user_id: ann.id }]);
    expect(await requestsOf(ann)).toEqual({ incoming: [], outgoing: [] });
    const started = await call(ann, 'POST', '/conversations', { kind: 'h2h', members: [human(bob)] });
    expect(started.status).toBe(201);
    const id = started.body.conversation_id;
    await call(ann, 'POST', `/conversations/${id}/messages`, seal(ann, id));
    expect(await bobSocket.next('message.new')).toMatchObject({ conversation_id: id });
    // Asked once more, the contact is named.
    const again = await call(ann, 'POST', '/contacts/requests', { code: await codeOf(bob) });
    expect(again.body.contact).toMatchObject({ user_id: bob.id });
    await Promise.all([annSocket.end(), bobSocket.end()]);
  });

  it('AC-4 the owner of an agent is asked without being named; two who ask each other have accepted', async () => {
    await makePair();
    const bot = await addBot(server, bob);
    const asked = await call(ann, 'POST', '/contacts/requests', { agent_id: bot.id });
    expect(JSON.stringify(asked.body)).not.toContain(bob.id);
    expect((await requestsOf(bob)).incoming).toMatchObject([{ user_id: ann.id, by: 'agent', agent_name: 'DemoBot' }]);
    expect((await requestsOf(ann)).outgoing).toMatchObject([{ agent_id: bot.id }]);
    const both = await call(bob, 'POST', '/contacts/requests', { code: await codeOf(ann) });
    expect(both.body.contact).toMatchObject({ user_id: ann.id });
    expect(await contactsOf(ann)).toMatchObject([{ user_id: bob.id }]);
    expect(await requestsOf(bob)).toEqual({ incoming: [], outgoing: [] });
  });

  it('AC-4 a member of a shared group is asked by id; oneself, or two names at once, are no request', async () => {
    await makePair();
    const host = await addTalker(server);
    await befriend(server, host.id, ann.id);
    await befriend(server, host.id, bob.id);
    const members = [human(ann), human(bob)];
    expect((await call(host, 'POST', '/conversations', { kind: 'group', members })).status).toBe(201);
    await call(ann, 'POST', '/contacts/requests', { user_id: bob.id });
    expect((await requestsOf(bob)).incoming).toMatchObject([{ user_id: ann.id, by: 'conversation' }]);
    const code = await codeOf(ann);
    for (const body of [{ code }, {}, { code: await codeOf(bob), user_id: bob.id }, { code: 'not-a-code' }]) {
      expect((await call(ann, 'POST', '/contacts/requests', body)).status).toBe(400);
    }
  });

  it('AC-4 contacts are listed by name, in pages', async () => {
    await makePair();
    const others = await Promise.all(Array.from({ length: 5 }, () => addTalker(server)));
    for (const other of others) await befriend(server, ann.id, other.id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await call(ann, 'GET', `/contacts?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.body.contacts.map(({ user_id }: { user_id: string }) => user_id));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(others.map(({ id }) => id).sort());
    expect((await call(ann, 'GET', '/contacts?cursor=x')).status).toBe(400);
  });
});

describe('AC-7 contact codes', () => {
  it('AC-7 a code is the same until it is replaced; the old one leads nowhere then', async () => {
    await makePair();
    const old = await codeOf(bob);
    expect(await codeOf(bob)).toBe(old);
    expect(old).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
    const { code } = (await call(bob, 'POST', '/contacts/code')).body;
    expect(code).not.toBe(old);
    await call(ann, 'POST', '/contacts/requests', { code: old });
    expect((await requestsOf(bob)).incoming).toEqual([]);
    await call(ann, 'POST', '/contacts/requests', { code });
    expect((await requestsOf(bob)).incoming).toHaveLength(1);
  });
});

describe('AC-6 blocking', () => {
  it('AC-6 is listed, ends nothing twice, and is gone with the account', async () => {
    await makePair();
    await befriend(server, ann.id, bob.id);
    for (let n = 0; n < 2; n++) {
      expect((await call(ann, 'POST', '/contacts/blocked', { user_id: bob.id })).status).toBe(201);
    }
    expect((await call(ann, 'GET', '/contacts/blocked')).body.blocked).toHaveLength(1);
    expect(await contactsOf(ann)).toEqual([]);
    expect((await call(ann, 'POST', '/contacts/blocked', { user_id: ann.id })).status).toBe(400);
    expect((await call(ann, 'POST', '/contacts/requests', { code: await codeOf(bob) })).body.error.code).toBe(
      'ACCOUNT_BLOCKED',
    );
    expect((await call(ann, 'DELETE', `/contacts/blocked/${bob.id}`)).status).toBe(204);
    expect((await call(ann, 'DELETE', `/contacts/blocked/${bob.id}`)).status).toBe(404);
    // Whoever was a contact before is one again.
    expect(await contactsOf(ann)).toMatchObject([{ user_id: bob.id }]);
  });
});
