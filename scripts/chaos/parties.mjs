import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';

/** Two people with a device each and one more to read everything at the end, three agents, five conversations. */
export async function createParties(call) {
  const [ann, ben] = [await signUp(call, 'Ann'), await signUp(call, 'Ben')];
  const relay = await createAgent(call, ann, 'Relay');
  const helper = await createAgent(call, ann, 'Helper');
  const poller = await createAgent(call, ben, 'Poller', 'polling');
  const conversations = [];
  for (const [person, agent] of [
    [ann, relay],
    [ben, relay],
    [ben, helper],
    [ann, poller],
  ]) {
    const body = { agent_id: agent.id, granted_scopes: [] };
    const { conversation_id } = await call('POST', '/h2a/relations', { token: person.token, body });
    conversations.push({ id: conversation_id, members: [person, agent] });
  }
  // Only a contact can be put into a group.
  const { code } = await call('GET', '/contacts/code', { token: ben.token });
  const { request_id } = await call('POST', '/contacts/requests', { token: ann.token, body: { code } });
  await call('POST', `/contacts/requests/${request_id}/accept`, { token: ben.token });
  const members = [
    { kind: 'human', id: ben.id },
    { kind: 'agent', id: relay.id },
  ];
  const group = await call('POST', '/conversations', { token: ann.token, body: { kind: 'group', members } });
  conversations.push({ id: group.conversation_id, members: [ann, ben, relay] });
  return { people: [ann, ben], agents: [relay, helper, poller], poller, conversations };
}

/** A new session on every device: `archive` never acknowledges, so that the server must keep what it has. */
export async function signUp(call, name) {
  const account = { email: `${randomUUID()}@example.test`, account_password: randomBytes(12).toString('hex') };
  await call('POST', '/auth/register', { body: { ...account, display_name: name } });
  const phone = await createDevice(call, account);
  const archive = await createDevice(call, account);
  return {
    name,
    kind: 'human',
    id: phone.accountId(),
    token: phone.token,
    renew: phone.renew,
    sender: { kind: 'human', id: phone.accountId(), device_id: phone.id() },
    archive,
  };
}

async function createDevice(call, account) {
  const identity = makeKey('ed25519');
  const keys = { identity_key: identity.text, exchange_key: makeKey('x25519').text };
  let current;
  let deviceId;
  let renewing;
  const signIn = async () => {
    const { access_token: token, user_id: accountId } = await call('POST', '/auth/login', { body: account });
    const proof = deviceId === undefined ? {} : { proof: prove(identity, token, accountId) };
    const device = await call('POST', '/devices', { token, body: { name: 'Device', ...keys, ...proof } });
    deviceId = device.device_id;
    current = { token, accountId };
  };
  await signIn();
  return {
    id: () => deviceId,
    accountId: () => current.accountId,
    token: () => current.token,
    /** Once for all who hold the same old token. */
    renew: async (old) => {
      if (old !== current.token) return;
      renewing ??= signIn().finally(() => {
        renewing = undefined;
      });
      await renewing;
    },
  };
}

/** A known device shows that the new session is its own (see POST /devices). */
function prove(identity, token, accountId) {
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString('utf8'));
  // Its fields in the order that the canonical form has them.
  const statement = {
    account_id: accountId,
    identity_key: identity.text,
    purpose: 'parley-device-bind-v1',
    session_id: sid,
  };
  return sign(null, Buffer.from(JSON.stringify(statement)), identity.privateKey).toString('base64url');
}

function makeKey(kind) {
  const { publicKey, privateKey } = generateKeyPairSync(kind);
  return { text: publicKey.export({ format: 'jwk' }).x, privateKey };
}

export async function createAgent(call, owner, name, mode = 'websocket') {
  const body = { name, connection_mode: mode, capability_manifest: makeManifest('1.0.0') };
  const created = await call('POST', '/agents', { token: owner.token, body });
  const { agent_id: id, token } = created;
  return { name, kind: 'agent', id, token: () => token, owner, sender: { kind: 'agent', id } };
}

export function makeManifest(version) {
  return {
    schema_version: '1.0',
    agent_version: version,
    capability_flags: { supports_group_chat: true },
    tools: [],
    permission_scopes: [],
  };
}
