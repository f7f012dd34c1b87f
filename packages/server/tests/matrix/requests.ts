import { randomUUID } from 'node:crypto';
import type { CallerKind } from '@parley/protocol';
import { deviceBody, PASSWORD, signUp } from '../harness/accounts.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { KIT_FILES, makeBundle } from '../harness/bundles.ts';
import { befriend } from '../harness/contacts.ts';
import { addition, nextStatement } from '../harness/device-list.ts';
import { groupStatement } from '../harness/groups.ts';
import { makeDeviceKeys } from '../harness/keys.ts';
import { addPerson, makeEntry } from '../harness/relations.ts';
import { freshNamespace, makeDescriptor } from '../harness/skills.ts';
import { type Actor, type Bot, identityBody, prekeys, type World } from './world.ts';

/** A well-formed request about a thing that exists. */
export interface Prepared {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the request is about something of its own: who stands in for this caller. */
  readonly token?: string;
}

type Prepare = (world: World, kind: CallerKind) => Prepared | Promise<Prepared>;

const nothing: Prepare = () => ({});
const isPerson = (kind: CallerKind): kind is 'stranger' | 'member' | 'owner' | 'admin' =>
  ['stranger', 'member', 'owner', 'admin'].includes(kind);
/** For those who are nobody here, the owner's: they must be refused with the best request there is. */
const actorFor = ({ people }: World, kind: CallerKind): Actor => people[isPerson(kind) ? kind : 'owner'];
const agentId: Prepare = ({ agent }) => ({ params: { agent_id: agent.id } });
const relationId: Prepare = (world) => ({ params: { relation_id: world.relationId } });
const groupId: Prepare = (world) => ({ params: { conversation_id: world.groupId } });

/** An id in the owner's namespace; claiming it again changes nothing. */
async function freshSkillId({ make, tokenOf, people }: World): Promise<string> {
  await make('POST', '/skill-namespaces', { token: await tokenOf(people.owner), body: { namespace: 'org.matrix' } });
  return `org.matrix.s${randomUUID().slice(0, 8)}`;
}

/** Published by the owner; the member is entitled. */
const privateSkill = async (world: World): Promise<{ params: Readonly<Record<string, string>> }> => {
  const { make, tokenOf, people } = world;
  const token = await tokenOf(people.owner);
  const body = makeDescriptor(await freshSkillId(world), { access: 'private' });
  const { id } = await make('POST', '/skills', { token, body });
  await make('PUT', `/skills/${id}/entitlements/${people.member.id}`, { token });
  return { params: { skill_id: id } };
};
const withVersion: Prepare = async (world) => ({
  params: { ...(await privateSkill(world)).params, version: '1.0.0' },
});
const withEntitled: Prepare = async (world) => ({
  params: { ...(await privateSkill(world)).params, account_id: world.people.stranger.id },
});

async function publishBundle({ make, tokenOf, people }: World, manifest: object): Promise<void> {
  const body = { manifest, kits: { search: KIT_FILES } };
  await make('POST', '/bundles', { token: await tokenOf(people.owner), body });
}
async function freshBundle(world: World): Promise<string> {
  const id = `b-${randomUUID().slice(0, 8)}`;
  await publishBundle(world, makeBundle(id));
  return id;
}
/** In the operator's workspace; activating it again changes nothing. */
async function installedBundle({ make, tokenOf, people }: World) {
  const token = await tokenOf(people.admin);
  await make('POST', '/api/activate', { token, body: { manifest: makeBundle('some-bundle'), workspace: 'matrix' } });
  return { params: { workspace: 'matrix', bundle_id: 'some-bundle' } };
}
const bundleVersion: Prepare = async (world) => ({
  params: { bundle_id: await freshBundle(world), version: '1.0.0' },
});
const mirrored: Prepare = async ({ make, tokenOf, people }) => {
  const slug = `k-${randomUUID().slice(0, 8)}`;
  await make('PUT', `/mirror/${slug}/1.0.0`, { token: await tokenOf(people.admin), body: { files: KIT_FILES } });
  return { params: { slug, version: '1.0.0' } };
};

/** Of someone new, to the owner. */
const contactRequest: Prepare = async ({ server, make, tokenOf, people }) => {
  const { code } = await make('GET', '/contacts/code', { token: await tokenOf(people.owner) });
  const { token } = await addPerson(server);
  const { request_id } = await make('POST', '/contacts/requests', { token, body: { code } });
  return { params: { request_id } };
};
/** Into a group of someone new, who knows the owner. */
const ownInvitation: Prepare = async ({ server, make, people }) => {
  const { accountId, token } = await addPerson(server);
  await befriend(server, accountId, people.owner.id);
  const body = { kind: 'group', title: 'New', members: [] };
  const { conversation_id } = await make('POST', '/conversations', { token, body });
  const invited = { token, body: { user_id: people.owner.id } };
  const { invitation_id } = await make('POST', `/conversations/${conversation_id}/invitations`, invited);
  return { params: { invitation_id } };
};

/** About an agent of the owner's that is used up by the request; its own token stands in for `self`. */
const withFreshAgent =
  (complete: (world: World, bot: Bot) => Prepared | Promise<Prepared> = () => ({})): Prepare =>
  async (world, kind) => {
    const bot = await world.freshAgent();
    const { params, ...rest } = await complete(world, bot);
    return { params: { agent_id: bot.id, ...params }, ...rest, ...(kind === 'self' ? { token: bot.token } : {}) };
  };

const hook = withFreshAgent(async (world, bot) => {
  await setHook(world, bot);
  return {};
});

async function setHook({ make, tokenOf, people, hookUrl }: World, bot: Bot): Promise<void> {
  await make('PUT', `/agents/${bot.id}/webhook`, { token: await tokenOf(people.owner), body: { url: hookUrl } });
}

interface Added {
  readonly relation_id: string;
  readonly conversation_id: string;
}

async function addRelation({ make, tokenOf, people }: World, bot: Bot): Promise<Added> {
  const body = { agent_id: bot.id, granted_scopes: ['filesystem:read'] };
  return make('POST', '/h2a/relations', { token: await tokenOf(people.member), body });
}

const withFreshRelation =
  (complete: (world: World, relation: Added & { bot: Bot }) => Prepared | Promise<Prepared> = () => ({})): Prepare =>
  async (world, kind) => {
    const bot = await world.freshAgent();
    const relation = await addRelation(world, bot);
    const rest = await complete(world, { ...relation, bot });
    return { params: { relation_id: relation.relation_id }, ...rest, ...(kind === 'self' ? { token: bot.token } : {}) };
  };

async function addPasskey({ make, freshSession }: World, actor: Actor): Promise<Authenticator> {
  const { token } = await freshSession(actor);
  const authenticator = new Authenticator();
  const { challenge_id, options } = await make('POST', '/auth/passkey/register/options', { token });
  const body = { challenge_id, name: 'key', credential: authenticator.create(options.challenge) };
  await make('POST', '/auth/passkey/register/verify', { token, body });
  return authenticator;
}

async function beginDeviceFlow({ make }: World) {
  return make('POST', '/auth/device/code', { body: { client_name: 'matrix' } });
}

function message(world: World, kind: CallerKind, conversationId: string, label: object = {}): object {
  const actor = actorFor(world, kind);
  const agents: Partial<Record<CallerKind, Bot>> = { self: world.agent, other_agent: world.otherAgent };
  const bot = agents[kind];
  const sender = bot ? { kind: 'agent', id: bot.id } : { kind: 'human', id: actor.id, device_id: actor.deviceId };
  return {
    header: {
      version: 1,
      conversation_id: conversationId,
      sender,
      client_message_id: randomUUID(),
      content_type: 'text',
      msg_subtype: 'text',
      created_at: world.server.clock.now().toISOString(),
      ...label,
    },
    ciphertext: 'AAAA',
    wraps: [],
    signature: 'AAAA',
  };
}

const toolCall: Prepare = async (world) => {
  const label = { content_type: 'artifact', msg_subtype: 'artifact_tool_call' };
  const body = message(world, 'self', world.groupId, label);
  const path = `/conversations/${world.groupId}/messages`;
  const { message_id } = await world.make('POST', path, { token: world.agent.token, body });
  return { params: { message_id } };
};

async function banned(world: World, kind: 'accounts' | 'agents'): Promise<Prepared> {
  const id = kind === 'accounts' ? await world.freshPerson() : (await world.freshAgent()).id;
  const token = await world.tokenOf(world.people.admin);
  await world.make('POST', `/admin/${kind}/${id}/ban`, { token, body: { reason: 'matrix' } });
  return { params: { [kind === 'accounts' ? 'account_id' : 'agent_id']: id }, body: {} };
}

/** One for every route; a route without one fails the test. */
export const REQUESTS: Readonly<Record<string, Prepare>> = {
  'GET /auth/sign-up': nothing,
  'POST /auth/invitation': () => ({ body: { invitation: 'nobody’s' } }),
  'POST /auth/password-reset/request': () => ({ body: { email: `${randomUUID()}@example.org` } }),
  'POST /auth/password-reset': async (world) => {
    const token = await world.tokenOf(world.people.admin);
    const path = `/admin/accounts/${await world.freshPerson()}/reset-link`;
    const { link } = await world.make('POST', path, { token, body: {} });
    return { body: { code: new URL(link).hash.slice(1), new_password: PASSWORD } };
  },
  'PATCH /auth/me': () => ({ body: { display_name: 'Somebody' } }),
  // By someone of its own: they sign in with another address from then on.
  'POST /auth/email': async ({ server }, kind) => ({
    body: { account_password: PASSWORD, email: `${randomUUID()}@example.org` },
    ...(isPerson(kind) ? { token: (await signUp(server)).token } : {}),
  }),
  'POST /auth/reauthenticate': () => ({ body: { account_password: PASSWORD } }),
  'GET /auth/notices': nothing,
  'POST /auth/send-code': () => ({ body: { email: `${randomUUID()}@example.org` } }),
  'POST /auth/register': () => ({
    body: { email: `${randomUUID()}@example.org`, account_password: PASSWORD, display_name: 'Someone' },
  }),
  'POST /auth/login': ({ people }) => ({ body: { email: people.owner.person.email, account_password: PASSWORD } }),
  'POST /auth/refresh': async (world) => {
    const { cookie } = await world.freshSession(world.people.owner);
    return { headers: { cookie } };
  },
  'POST /auth/logout': async (world, kind) => {
    const { token } = await world.freshSession(actorFor(world, kind));
    return isPerson(kind) ? { token } : {};
  },
  'GET /auth/me': nothing,
  'GET /auth/sessions': nothing,
  'DELETE /auth/sessions/:session_id': async (world) => ({
    params: { session_id: (await world.freshSession(world.people.owner)).sessionId },
  }),
  // By someone of its own: their other sessions end.
  'POST /auth/password': async ({ server }, kind) => ({
    body: { account_password: PASSWORD, new_password: PASSWORD },
    ...(isPerson(kind) ? { token: (await signUp(server)).token } : {}),
  }),
  'DELETE /auth/account': () => ({ body: { account_password: PASSWORD } }),
  'GET /auth/account/export': nothing,
  'GET /auth/account/usage': nothing,

  // By a session that has just begun (AC-3).
  'POST /auth/passkey/register/options': async (world, kind) =>
    isPerson(kind) ? { token: (await world.freshSession(actorFor(world, kind))).token } : {},
  'POST /auth/passkey/register/verify': async (world, kind) => {
    const { token } = await world.freshSession(actorFor(world, kind));
    const { challenge_id, options } = await world.make('POST', '/auth/passkey/register/options', { token });
    const body = { challenge_id, name: 'key', credential: new Authenticator().create(options.challenge) };
    return isPerson(kind) ? { body, token } : { body };
  },
  'POST /auth/passkey/login/options': nothing,
  'POST /auth/passkey/login/verify': async (world) => {
    const authenticator = await addPasskey(world, world.people.owner);
    const { challenge_id, options } = await world.make('POST', '/auth/passkey/login/options', {});
    return { body: { challenge_id, credential: authenticator.get(options.challenge) } };
  },
  'GET /auth/passkey': nothing,
  'DELETE /auth/passkey/:passkey_id': async (world) => ({
    params: { passkey_id: (await addPasskey(world, world.people.owner)).id.toString('base64url') },
  }),

  'POST /auth/device/code': () => ({ body: { client_name: 'matrix' } }),
  'POST /auth/device/token': async (world) => {
    const { user_code, device_code } = await beginDeviceFlow(world);
    const token = await world.tokenOf(world.people.owner);
    await world.make('POST', '/auth/device/approve', { token, body: { user_code, approve: true } });
    return { body: { device_code } };
  },
  'POST /auth/device/inspect': async (world) => ({ body: { user_code: (await beginDeviceFlow(world)).user_code } }),
  'POST /auth/device/approve': async (world) => ({
    body: { user_code: (await beginDeviceFlow(world)).user_code, approve: true },
  }),

  'POST /devices': async (world, kind) => {
    const body = deviceBody(makeDeviceKeys());
    return isPerson(kind) ? { body, token: (await world.freshSession(actorFor(world, kind))).token } : { body };
  },
  'GET /devices': nothing,
  'POST /devices/list': async (world, kind) => {
    const actor = actorFor(world, kind);
    const statement = nextStatement(actor.list, addition(await world.freshDevice(actor)));
    if (isPerson(kind)) actor.list.statements.push(statement);
    return { body: { statement } };
  },
  'PUT /devices/:device_id/welcome': ({ people }) => ({
    params: { device_id: people.owner.deviceId },
    body: { welcome: 'c2VhbGVk' },
  }),
  'DELETE /devices/:device_id': async (world) => ({
    params: { device_id: (await world.freshDevice(world.people.owner)).id },
  }),
  'GET /accounts/:account_id/devices': ({ people }) => ({ params: { account_id: people.owner.id } }),

  'PUT /keys': (world, kind) => {
    const bots: Partial<Record<CallerKind, Bot>> = { self: world.agent, other_agent: world.otherAgent };
    return { body: prekeys((bots[kind] ?? actorFor(world, kind)).keys) };
  },
  'GET /keys/status': nothing,
  'POST /keys/bundles': ({ people }) => ({ body: { devices: [people.owner.deviceId] } }),

  'POST /agents': () => ({ body: { name: 'Another' } }),
  'GET /agents': () => ({ query: { q: 'bot' } }),
  'GET /agents/:agent_id': agentId,
  'PATCH /agents/:agent_id': ({ agent }) => ({
    params: { agent_id: agent.id },
    body: { description: `Changed ${randomUUID()}` },
  }),
  'DELETE /agents/:agent_id': withFreshAgent(),
  'POST /agents/:agent_id/suspend': withFreshAgent(),
  'POST /agents/:agent_id/resume': withFreshAgent(async (world, bot) => {
    await world.make('POST', `/agents/${bot.id}/suspend`, { token: await world.tokenOf(world.people.owner) });
    return {};
  }),
  'GET /agents/:agent_id/manifests': agentId,
  'GET /agents/:agent_id/manifests/:version': ({ agent }) => ({ params: { agent_id: agent.id, version: '1' } }),
  'GET /agents/:agent_id/diff': ({ agent }) => ({ params: { agent_id: agent.id }, query: { from: '1', to: '2' } }),
  'POST /agents/:agent_id/tokens': withFreshAgent(() => ({ body: { overlap_seconds: 60 } })),
  'GET /agents/:agent_id/tokens': agentId,
  'DELETE /agents/:agent_id/tokens/:token_id': withFreshAgent(async (world, bot) => {
    const token = await world.tokenOf(world.people.owner);
    const made = await world.make('POST', `/agents/${bot.id}/tokens`, { token, body: { overlap_seconds: 60 } });
    return { params: { token_id: made.token_id } };
  }),
  'PUT /agents/:agent_id/identity': withFreshAgent((_world, bot) => ({ body: identityBody(bot) })),
  'GET /agents/:agent_id/events': agentId,
  'GET /agents/:agent_id/messages/poll': agentId,

  'PUT /agents/:agent_id/webhook': withFreshAgent(({ hookUrl }) => ({ body: { url: hookUrl } })),
  'GET /agents/:agent_id/webhook': hook,
  'DELETE /agents/:agent_id/webhook': hook,
  'POST /agents/:agent_id/webhook/rotate': withFreshAgent(async (world, bot) => {
    await setHook(world, bot);
    return { body: { overlap_seconds: 60 } };
  }),
  'POST /agents/:agent_id/webhook/test': hook,
  'GET /agents/:agent_id/webhook/deliveries': hook,
  'POST /agents/:agent_id/webhook/deliveries/:delivery_id/redeliver': withFreshAgent(async (world, bot) => {
    await setHook(world, bot);
    const token = await world.tokenOf(world.people.owner);
    const { delivery_id } = await world.make('POST', `/agents/${bot.id}/webhook/test`, { token });
    return { params: { delivery_id } };
  }),

  'POST /h2a/relations': async (world) => {
    const bot = await world.freshAgent();
    await addRelation(world, bot);
    return { body: { agent_id: bot.id, granted_scopes: [] } };
  },
  'GET /h2a/relations': nothing,
  'GET /h2a/relations/:relation_id': relationId,
  'PATCH /h2a/relations/:relation_id': (world) => ({
    params: { relation_id: world.relationId },
    body: { granted_scopes: [] },
  }),
  'DELETE /h2a/relations/:relation_id': withFreshRelation(),
  'GET /h2a/relations/:relation_id/ledger': relationId,
  'POST /h2a/relations/:relation_id/ledger': withFreshRelation(async (world, { relation_id, conversation_id, bot }) => {
    const { member } = world.people;
    await world.make('PUT', `/agents/${bot.id}/identity`, { token: bot.token, body: identityBody(bot) });
    const entry = makeEntry({
      relationId: relation_id,
      conversationId: conversation_id,
      person: { accountId: member.id, token: '' },
      agent: { id: bot.id, identityKey: bot.keys.identity.publicKey },
      device: { id: member.deviceId, privateKey: member.keys.identity.privateKey },
      manifest: world.firstManifest,
      version: 1,
      scopes: ['filesystem:read'],
    });
    return { body: { ledger_entry: entry } };
  }),

  'POST /conversations': () => ({ body: { kind: 'group', title: 'Another', members: [] } }),
  'GET /conversations': nothing,
  'GET /conversations/:conversation_id': groupId,
  'POST /conversations/:conversation_id/members': async (world) => ({
    params: { conversation_id: world.groupId },
    body: { kind: 'human', id: await world.freshPerson() },
  }),
  'DELETE /conversations/:conversation_id/members/:member_id': async (world) => {
    const id = await world.freshPerson();
    const token = await world.tokenOf(world.people.owner);
    await world.make('POST', `/conversations/${world.groupId}/members`, { token, body: { kind: 'human', id } });
    return { params: { conversation_id: world.groupId, member_id: id } };
  },
  'POST /conversations/:conversation_id/invitations': (world) => ({
    params: { conversation_id: world.groupId },
    body: { user_id: randomUUID() },
  }),
  'GET /conversations/:conversation_id/invitations': groupId,
  'DELETE /conversations/:conversation_id/invitations/:invitation_id': async (world) => {
    const token = await world.tokenOf(world.people.owner);
    const path = `/conversations/${world.groupId}/invitations`;
    const { invitation_id } = await world.make('POST', path, { token, body: { user_id: randomUUID() } });
    return { params: { conversation_id: world.groupId, invitation_id } };
  },
  'GET /contacts': nothing,
  'GET /contacts/code': nothing,
  'POST /contacts/code': nothing,
  'GET /contacts/requests': nothing,
  'POST /contacts/requests': () => ({ body: { agent_id: randomUUID() } }),
  'POST /contacts/requests/:request_id/accept': contactRequest,
  'POST /contacts/requests/:request_id/decline': contactRequest,
  'GET /contacts/blocked': nothing,
  'POST /contacts/blocked': async (world) => ({ body: { user_id: await world.freshPerson() } }),
  'DELETE /contacts/blocked/:user_id': async (world) => {
    const user_id = await world.freshPerson();
    await world.make('POST', '/contacts/blocked', {
      token: await world.tokenOf(world.people.owner),
      body: { user_id },
    });
    return { params: { user_id } };
  },
  'GET /group-invitations': nothing,
  'POST /group-invitations/:invitation_id/accept': ownInvitation,
  'POST /group-invitations/:invitation_id/decline': ownInvitation,
  'GET /conversations/:conversation_id/statements': groupId,
  // A group of its own for each: it is signed once.
  'POST /conversations/:conversation_id/statements': async (world) => {
    const { people, agent, make, tokenOf } = world;
    const { id, deviceId, keys } = people.owner;
    const members = [
      { kind: 'human' as const, id: people.member.id },
      { kind: 'agent' as const, id: agent.id },
    ];
    const body = { kind: 'group', members };
    const { conversation_id } = await make('POST', '/conversations', { token: await tokenOf(people.owner), body });
    const content = {
      action: 'create' as const,
      title: null,
      members: members.map((one) => ({ ...one, role: 'member' as const })),
    };
    const by = { accountId: id, deviceId, key: keys.identity };
    return { params: { conversation_id }, body: { statement: groupStatement(conversation_id, by, content) } };
  },
  'POST /conversations/:conversation_id/messages': (world, kind) => ({
    params: { conversation_id: world.groupId },
    body: message(world, kind, world.groupId),
  }),
  'GET /conversations/:conversation_id/messages': groupId,
  'POST /conversations/:conversation_id/acks': (world) => ({
    params: { conversation_id: world.groupId },
    body: { seq: 0 },
  }),
  'POST /conversations/:conversation_id/read': (world) => ({
    params: { conversation_id: world.groupId },
    body: { seq: 0 },
  }),
  'POST /messages/:message_id/claim': toolCall,
  'POST /messages/:message_id/pass': toolCall,

  'GET /admin/accounts': nothing,
  'GET /admin/agents': nothing,
  'GET /admin/accounts/:account_id': async (world) => ({ params: { account_id: await world.freshPerson() } }),
  'POST /admin/accounts/:account_id/sign-out': async (world) => ({
    params: { account_id: await world.freshPerson() },
    body: { reason: 'matrix' },
  }),
  'POST /admin/accounts/:account_id/ban': async (world) => ({
    params: { account_id: await world.freshPerson() },
    body: { reason: 'matrix' },
  }),
  'POST /admin/accounts/:account_id/unban': (world) => banned(world, 'accounts'),
  'GET /admin/accounts/:account_id/budgets': async (world) => ({ params: { account_id: await world.freshPerson() } }),
  'PATCH /admin/accounts/:account_id/budgets': async (world) => ({
    params: { account_id: await world.freshPerson() },
    body: { budgets: { agents: 3, bytes_stored: null }, reason: 'matrix' },
  }),
  'POST /admin/accounts/:account_id/role': async (world) => ({
    params: { account_id: await world.freshPerson() },
    body: { role: 'user' },
  }),
  'POST /admin/agents/:agent_id/ban': withFreshAgent(() => ({ body: { reason: 'matrix' } })),
  'POST /admin/agents/:agent_id/unban': (world) => banned(world, 'agents'),
  'POST /admin/invitations': () => ({ body: { note: 'matrix' } }),
  'GET /admin/invitations': nothing,
  'DELETE /admin/invitations/:invitation_id': async (world) => {
    const token = await world.tokenOf(world.people.admin);
    const { invitation } = await world.make('POST', '/admin/invitations', { token, body: {} });
    return { params: { invitation_id: invitation.invitation_id } };
  },
  'POST /admin/accounts/:account_id/reset-link': async (world) => ({
    params: { account_id: await world.freshPerson() },
    body: { reason: 'matrix' },
  }),
  'GET /admin/stats': nothing,
  'GET /admin/actions': nothing,

  'POST /skill-namespaces': () => ({ body: { namespace: freshNamespace() } }),
  'GET /skill-namespaces': nothing,
  'POST /skills': async (world) => ({ body: makeDescriptor(await freshSkillId(world)) }),
  'GET /skills': () => ({ query: { q: 'translator' } }),
  'GET /skill-tags': nothing,
  'GET /skills/:skill_id': privateSkill,
  'GET /skills/:skill_id/versions/:version': withVersion,
  'GET /skills/:skill_id/diff': async (world) => ({
    ...(await privateSkill(world)),
    query: { from: '1.0.0', to: '1.0.0' },
  }),
  'PUT /skills/:skill_id/versions/:version/yanked': async (world, kind) => ({
    ...(await withVersion(world, kind)),
    body: { yanked: false },
  }),
  'GET /skills/:skill_id/entitlements': privateSkill,
  'PUT /skills/:skill_id/entitlements/:account_id': withEntitled,
  'DELETE /skills/:skill_id/entitlements/:account_id': withEntitled,
  'POST /skills/:skill_id/invoke': async (world) => ({
    ...(await privateSkill(world)),
    body: { inputs: { text: 'hello' } },
  }),
  'GET /.well-known/skill-sharing': nothing,

  'POST /api/validate': () => ({ body: { manifest: makeBundle('some-bundle') } }),
  'POST /api/shadow-preview': () => ({ body: { manifest: makeBundle('some-bundle') } }),
  'POST /api/activate': () => ({ body: { manifest: makeBundle('some-bundle'), workspace: 'matrix' } }),
  'GET /api/workspaces': nothing,
  'GET /api/workspaces/:workspace/bundles/:bundle_id/undo': installedBundle,
  'POST /api/workspaces/:workspace/bundles/:bundle_id/undo': async (world) => ({
    ...(await installedBundle(world)),
    body: { to: 'nothing' },
  }),
  'POST /bundles': async (world) => {
    const id = `b-${randomUUID().slice(0, 8)}`;
    // It is the owner's already; the request brings a new version.
    await publishBundle(world, makeBundle(id));
    return { body: { manifest: makeBundle(id, { version: '1.1.0' }) } };
  },
  'GET /bundles': () => ({ query: { q: 'bundle' } }),
  'GET /bundles/:bundle_id': async (world) => ({ params: { bundle_id: await freshBundle(world) } }),
  'GET /bundles/:bundle_id/versions/:version': bundleVersion,
  'PUT /bundles/:bundle_id/versions/:version/yanked': async (world, kind) => ({
    ...(await bundleVersion(world, kind)),
    body: { yanked: true },
  }),
  'GET /bundles/:bundle_id/versions/:version/kits/:kit_id/files/*': async (world, kind) => ({
    params: { ...(await bundleVersion(world, kind)).params, kit_id: 'search', '*': 'SKILL.md' },
  }),
  'PUT /mirror/:slug/:version': () => ({
    params: { slug: `k-${randomUUID().slice(0, 8)}`, version: '1.0.0' },
    body: { files: KIT_FILES },
  }),
  'GET /mirror/:slug/:version/index.json': mirrored,
  'GET /mirror/:slug/:version/files/*': async (world, kind) => ({
    params: { ...(await mirrored(world, kind)).params, '*': 'SKILL.md' },
  }),

  'POST /proxy/fetch': ({ hookUrl }) => ({ body: { url: hookUrl, method: 'GET' } }),

  'GET /health': nothing,
  'GET /ready': nothing,
  'GET /metrics': nothing,
  'GET /openapi.json': nothing,
  'GET /docs': nothing,
  'GET /docs/style.css': nothing,
};

/** They end what other requests need. */
export const LAST = ['DELETE /auth/account'];
