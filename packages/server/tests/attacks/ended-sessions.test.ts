import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '../../src/id.ts';
import { deviceBody, PASSWORD, type Person, signInAgain, signUp } from '../harness/accounts.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { makeList } from '../harness/device-list.ts';
import { holdRequest } from '../harness/held-request.ts';
import { makeDeviceKeys } from '../harness/keys.ts';
import { createAgent } from '../harness/people.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
let operator: Person;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  // The rates of the routes begin anew.
  server.clock.advance(61_000);
  operator = await addOperator();
});
afterAll(() => server.drop());

const NEXT = 'another horse battery';
const ENDED = { status: 401, body: { error: { code: 'UNAUTHENTICATED' } } };
const ask = ({ token }: Person, method: string, path: string, body?: object) =>
  server.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const addAgent = ({ id: userId, token }: Person) => createAgent(server, { userId, token });
const me = (person: Person) => ask(person, 'GET', '/auth/me');

async function addOperator(): Promise<Person> {
  const person = await signUp(server);
  await server.makeOperator(person.id);
  return person;
}

/** The owner, and whoever has stolen a session of theirs. */
async function beRobbed() {
  const owner = await signUp(server);
  return { owner, thief: await signInAgain(server, owner) };
}
type Robbed = Awaited<ReturnType<typeof beRobbed>>;

const ENDINGS = {
  'the owner changes the password': async ({ owner }: Robbed) => {
    const body = { account_password: PASSWORD, new_password: NEXT };
    expect((await ask(owner, 'POST', '/auth/password', body)).status).toBe(204);
  },
  'an operator signs the account out': async ({ owner }: Robbed) => {
    expect((await ask(operator, 'POST', `/admin/accounts/${owner.id}/sign-out`, {})).status).toBe(200);
  },
  'the owner ends that session': async ({ owner, thief }: Robbed) => {
    const { session_id } = (await me(thief)).body;
    expect((await ask(owner, 'DELETE', `/auth/sessions/${session_id}`)).status).toBe(204);
  },
};
type Request = Parameters<typeof holdRequest>[2];

async function finishAfter(robbed: Robbed, request: Request, end: (robbed: Robbed) => Promise<void>) {
  const held = await holdRequest(server, robbed.thief, request);
  await end(robbed);
  expect((await me(robbed.thief)).status).toBe(401);
  return held.finish();
}

async function answerPasskey(person: Person) {
  const key = new Authenticator();
  const { challenge_id, options } = (await ask(person, 'POST', '/auth/passkey/register/options')).body;
  return { key, body: { challenge_id, name: 'key', credential: key.create(options.challenge) } };
}

describe('AC-9 attack: a request that began with a session and comes to its end after it', () => {
  it.each(Object.entries(ENDINGS))('AC-9 attack: lets a device in after %s', async (_, end) => {
    const robbed = await beRobbed();
    const { body: grant } = await server.call('POST', '/auth/device/code', { body: { client_name: 'thief' } });
    const body = { user_code: grant.user_code, approve: true };
    expect(await finishAfter(robbed, { path: '/auth/device/approve', body }, end)).toMatchObject(ENDED);
    const { device_code } = grant;
    const polled = await server.call('POST', '/auth/device/token', { body: { device_code } });
    expect(polled.body.error?.code).toBe('AUTHORIZATION_PENDING');
  });

  it.each(Object.entries(ENDINGS))('AC-9 AC-3 attack: adds a passkey after %s', async (_, end) => {
    const robbed = await beRobbed();
    const { key, body } = await answerPasskey(robbed.thief);
    expect(await finishAfter(robbed, { path: '/auth/passkey/register/verify', body }, end)).toMatchObject(ENDED);
    const { challenge_id, options } = (await server.call('POST', '/auth/passkey/login/options')).body;
    const answer = { challenge_id, credential: key.get(options.challenge) };
    expect((await server.call('POST', '/auth/passkey/login/verify', { body: answer })).status).toBe(401);
  });

  it.each(Object.entries(ENDINGS))('AC-9 attack: makes an agent, whose token outlives it, after %s', async (_, end) => {
    const robbed = await beRobbed();
    const request = { path: '/agents', body: { name: 'Backdoor' } };
    expect(await finishAfter(robbed, request, end)).toMatchObject(ENDED);
  });

  it.each(Object.entries(ENDINGS))('AC-9 attack: takes a new token of an agent after %s', async (_, end) => {
    const robbed = await beRobbed();
    const agent = await addAgent(robbed.owner);
    const request = { path: `/agents/${agent.id}/tokens`, body: { overlap_seconds: 0 } };
    expect(await finishAfter(robbed, request, end)).toMatchObject(ENDED);
    expect((await server.call('GET', `/agents/${agent.id}`, { token: agent.token })).status).toBe(200);
  });

  it.each(Object.entries(ENDINGS))('AC-9 attack: begins the list of devices after %s', async (_, end) => {
    const robbed = await beRobbed();
    const keys = makeDeviceKeys();
    const { statements, devices } = makeList(robbed.owner.id, { id: createId(), keys });
    const body = deviceBody(keys, { device_id: devices[0]!.device_id, statement: statements[0] });
    expect(await finishAfter(robbed, { path: '/devices', body }, end)).toMatchObject(ENDED);
    expect((await me(await signInWith(robbed.owner))).body.account_key).toBeNull();
  });

  it('AC-9 attack: changes the password after an operator signs the account out', async () => {
    const robbed = await beRobbed();
    const request = { path: '/auth/password', body: { account_password: PASSWORD, new_password: NEXT } };
    const end = ENDINGS['an operator signs the account out'];
    expect(await finishAfter(robbed, request, end)).toMatchObject(ENDED);
    await signInAgain(server, robbed.owner);
  });
});

/** With whichever password counts by now. */
async function signInWith(person: Person): Promise<Person> {
  const replies = await Promise.all(
    [PASSWORD, NEXT].map((account_password) =>
      server.call('POST', '/auth/login', { body: { email: person.email, account_password } }),
    ),
  );
  return { ...person, token: replies.find(({ status }) => status === 200)!.body.access_token };
}

describe('OP-15 attack: a request of an operator that comes to its end after they are none', () => {
  const DEMOTED = { status: 403, body: { error: { code: 'FORBIDDEN' } } };
  type End = readonly [name: string, verb: string, change: object, refused: object];
  const ENDS: readonly End[] = [
    ['they are demoted', 'role', { role: 'user' }, DEMOTED],
    ['they are suspended', 'ban', {}, ENDED],
    ['they are signed out', 'sign-out', {}, ENDED],
  ];

  async function finish(request: (target: Person) => Promise<Request>, [, verb, change, refused]: End) {
    const [fallen, target] = [await addOperator(), await signUp(server)];
    const held = await holdRequest(server, fallen, await request(target));
    expect((await ask(operator, 'POST', `/admin/accounts/${fallen.id}/${verb}`, change)).status).toBe(200);
    expect(await held.finish()).toMatchObject(refused);
    const { actions } = (await ask(operator, 'GET', `/admin/actions?admin_id=${fallen.id}`)).body;
    expect(actions).toEqual([]);
    return target;
  }

  it.each(ENDS)('OP-15 AC-9 attack: makes a link for the one who ended it, after %s', async (...end) => {
    await finish(async () => ({ path: `/admin/accounts/${operator.id}/reset-link`, body: {} }), end);
  });

  it.each(ENDS)('OP-15 OP-1 attack: raises a budget after %s', async (...end) => {
    const body = { budgets: { agents: 1_000 } };
    await finish(async ({ id }) => ({ method: 'PATCH', path: `/admin/accounts/${id}/budgets`, body }), end);
  });

  it.each(ENDS)('OP-15 attack: bans an agent after %s', async (...end) => {
    const toRequest = async (target: Person) => {
      const { id } = await addAgent(target);
      return { path: `/admin/agents/${id}/ban`, body: { reason: 'none' } };
    };
    await finish(toRequest, end);
  });

  it.each(ENDS)('OP-15 AC-8 attack: makes an invitation after %s', async (...end) => {
    await finish(async () => ({ path: '/admin/invitations', body: { uses: 100 } }), end);
  });

  it.each(ENDS)('OP-15 attack: appoints another operator after %s', async (...end) => {
    const target = await finish(
      async ({ id }) => ({ path: `/admin/accounts/${id}/role`, body: { role: 'admin' } }),
      end,
    );
    expect((await me(target)).body.role).toBe('user');
  });
});
