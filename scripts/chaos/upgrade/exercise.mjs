import { randomBytes, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { makeManifest, signUp } from '../parties.mjs';
import { openSocket, seal, startHost, withDatabase } from '../strangers/client.mjs';

const { WebSocket } = createRequire(new URL('../../../packages/server/package.json', import.meta.url))('ws');
const WAIT_MS = 20_000;

/** Everything that people and agents do every day, written on one node and read on the other. */
export async function exercise({ here, there, databaseUrl }) {
  const [on, at] = [createCall(here), createCall(there)];
  const steps = [];
  const step = async (name, work) => {
    try {
      const result = await work();
      steps.push(name);
      return result;
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
  };
  const ends = [];
  try {
    const person = await step('register, sign in, add devices', () => signUp(on, 'Ann'));
    const { token } = person;
    await step('be known elsewhere', () => at('GET', '/auth/me', { token }));
    await step('refresh', () => refresh(here, there));
    const agents = await step('create agents', () => createAgents(on, person));
    await step('change a manifest', async () => {
      const body = { capability_manifest: makeManifest('1.1.0') };
      await at('PATCH', `/agents/${agents.bot.id}`, { token, body });
      const { capability_manifest_version: version } = await on('GET', `/agents/${agents.bot.id}`, { token });
      expect(version === 2, `the version is ${version}`);
    });
    const relate = async (agent, call) => {
      const body = { agent_id: agent.id, granted_scopes: [] };
      return (await call('POST', '/h2a/relations', { token, body })).conversation_id;
    };
    const talk = await step('agree to an agent', () => relate(agents.bot, at));
    await step('read the relation', () => on('GET', '/h2a/relations', { token }));
    const [desk, bot] = await step('open sockets', async () => {
      const sockets = [await openEars(here, person), await openEars(there, agents.bot)];
      ends.push(...sockets.map(({ close }) => close));
      return sockets;
    });
    await step('talk both ways', async () => {
      for (let n = 0; n < 3; n++) {
        await hear(desk, bot, seal(person.sender, talk));
        await hear(bot, desk, seal(agents.bot.sender, talk));
      }
    });
    await step('call a tool, claim the call', async () => {
      await withDatabase(databaseUrl, (client) =>
        client.query('update devices set listed = true where id = $1', [person.sender.device_id]),
      );
      const envelope = seal(agents.bot.sender, talk);
      Object.assign(envelope.header, { content_type: 'artifact', msg_subtype: 'artifact_tool_call' });
      const { message_id } = await hear(bot, desk, envelope);
      desk.write({ type: 'claim', message_id, conversation_id: talk });
      const result = await desk.next((frame) => frame.type === 'claim.result' && frame.message_id === message_id);
      expect(result.claimed, 'the call was not given to the only device');
    });
    await step('acknowledge', () =>
      at('POST', `/conversations/${talk}/acks`, { token: agents.bot.token, body: { seq: 1 } }),
    );
    await step('poll', async () => {
      const conversation = await relate(agents.poller, on);
      await on('POST', `/conversations/${conversation}/messages`, { token, body: seal(person.sender, conversation) });
      const path = `/agents/${agents.poller.id}/messages/poll`;
      const first = await at('GET', `${path}?wait=5`, { token: agents.poller.token });
      expect(first.messages.length === 1, `${first.messages.length} messages`);
      const rest = await on('GET', `${path}?wait=0&cursor=${encodeURIComponent(first.cursor)}`, {
        token: agents.poller.token,
      });
      expect(rest.messages.length === 0, 'a message came twice');
    });
    await step('deliver to a webhook', async () => {
      const host = await startHooks();
      ends.push(host.close);
      await at('PUT', `/agents/${agents.hooked.id}/webhook`, { token, body: { url: host.url } });
      const conversation = await relate(agents.hooked, on);
      for (const call of [on, at]) {
        const envelope = seal(person.sender, conversation);
        await call('POST', `/conversations/${conversation}/messages`, { token, body: envelope });
        await host.next(envelope.header.client_message_id);
      }
      const { deliveries } = await at('GET', `/agents/${agents.hooked.id}/webhook/deliveries`, { token });
      expect(deliveries.length >= 2, `${deliveries.length} deliveries in the log`);
    });
    await step('change a group', async () => {
      const body = { kind: 'group', members: [{ kind: 'agent', id: agents.bot.id }] };
      const { conversation_id: group } = await on('POST', '/conversations', { token, body });
      const member = { kind: 'agent', id: agents.other.id };
      await at('POST', `/conversations/${group}/members`, { token, body: member });
      await hear(desk, bot, seal(person.sender, group));
      await on('DELETE', `/conversations/${group}/members/${agents.other.id}`, { token });
      await hear(bot, desk, seal(agents.bot.sender, group));
      await at('DELETE', `/conversations/${group}/members/${person.id}`, { token });
    });
    await step('rotate a token, suspend, resume and delete an agent', async () => {
      const { id } = agents.other;
      await at('POST', `/agents/${id}/tokens`, { token, body: {} });
      await on('POST', `/agents/${id}/suspend`, { token });
      await at('POST', `/agents/${id}/resume`, { token });
      await on('DELETE', `/agents/${id}`, { token });
    });
    await step('end an account', async () => {
      const gone = await signUpPlain(on);
      await at('DELETE', '/auth/account', { token: gone.token, body: { account_password: gone.password } });
    });
    await step('both say that they are ready', async () => {
      for (const call of [on, at]) await call('GET', '/ready');
    });
  } finally {
    for (const end of ends) end();
  }
  return steps;
}

function expect(holds, words) {
  if (!holds) throw new Error(words);
}

/** One request, never repeated: a version that fails must not be helped by the other. */
export function createCall(url) {
  return async (method, path, { token, body, headers } = {}) => {
    const given = typeof token === 'function' ? token() : token;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(given === undefined ? {} : { authorization: `Bearer ${given}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 400)}`);
    return text === '' ? null : JSON.parse(text);
  };
}

async function createAgents(call, owner) {
  const create = async (name, mode) => {
    const body = { name, connection_mode: mode, capability_manifest: makeManifest('1.0.0') };
    const { agent_id: id, token } = await call('POST', '/agents', { token: owner.token, body });
    return { name, kind: 'agent', id, token: () => token, sender: { kind: 'agent', id } };
  };
  return {
    bot: await create('Bot', 'websocket'),
    other: await create('Other', 'websocket'),
    poller: await create('Poller', 'polling'),
    hooked: await create('Hooked', 'webhook'),
  };
}

async function signUpPlain(call) {
  const password = randomBytes(12).toString('hex');
  const account = { email: `${randomUUID()}@example.test`, account_password: password };
  await call('POST', '/auth/register', { body: { ...account, display_name: 'Gone' } });
  const { access_token: token } = await call('POST', '/auth/login', { body: account });
  return { token, password, account };
}

/** The refresh token is a cookie; each version takes the other's. */
async function refresh(here, there) {
  const { account } = await signUpPlain(createCall(here));
  const post = async (url, path, body, cookie) => {
    const headers = { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.ok, `${path} was answered ${response.status}: ${await response.clone().text()}`);
    return response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
  };
  let cookie = await post(here, '/auth/login', account);
  for (const url of [there, here, there]) cookie = await post(url, '/auth/refresh', {}, cookie);
}

/** A socket that keeps what it gets. */
export async function openEars(url, party) {
  const frames = [];
  const waiting = new Set();
  const socket = await openSocket(url, {
    party,
    onFrame: (frame) => {
      frames.push(frame);
      for (const look of waiting) look();
    },
  });
  socket.on('error', () => {});
  return {
    write: (frame) => socket.send(JSON.stringify(frame)),
    next: (isWanted) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          const last = JSON.stringify(frames.slice(-3)).slice(0, 600);
          reject(new Error(`nothing came within ${WAIT_MS / 1_000} s; the last: ${last}`));
        }, WAIT_MS);
        const look = () => {
          const found = frames.find(isWanted);
          if (found === undefined) return;
          waiting.delete(look);
          clearTimeout(timer);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: () => {
      if (socket.readyState === WebSocket.OPEN) socket.close();
    },
  };
}

/** Sends on one socket; resolves with what arrives on the other once it is acknowledged, too. */
async function hear(from, to, envelope) {
  const { client_message_id: id } = envelope.header;
  from.write({ type: 'send', envelope });
  const acked = from.next((frame) => frame.type === 'message.ack' && frame.client_message_id === id);
  const refused = from.next((frame) => frame.type === 'error' && frame.client_message_id === id);
  refused.catch(() => {});
  const [ack] = await Promise.all([
    Promise.race([
      acked,
      refused.then((frame) => {
        throw new Error(`refused: ${JSON.stringify(frame)}`);
      }),
    ]),
    to.next((frame) => frame.type === 'message.new' && frame.envelope.header.client_message_id === id),
  ]);
  return ack;
}

async function startHooks() {
  const got = [];
  const waiting = new Set();
  const host = await startHost(async (text) => {
    got.push(text);
    for (const look of waiting) look();
  });
  return {
    url: host.url,
    close: host.close,
    next: (id) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`not delivered within ${WAIT_MS / 1_000} s`)), WAIT_MS);
        const look = () => {
          if (!got.some((text) => text.includes(id))) return;
          waiting.delete(look);
          clearTimeout(timer);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
