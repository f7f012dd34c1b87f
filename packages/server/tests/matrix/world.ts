import { randomUUID } from 'node:crypto';
import type { Manifest } from '@parley/documents';
import type { CallerKind } from '@parley/protocol';
import { signAccessToken } from '../../src/auth/access-token.ts';
import { deviceBody, type Person, signInAgain, signUpWithDevice } from '../harness/accounts.ts';
import { befriend } from '../harness/contacts.ts';
import type { TestList } from '../harness/device-list.ts';
import { type DeviceKeys, makeDeviceKeys, makeKeys, signStatement } from '../harness/keys.ts';
import { makeManifest } from '../harness/manifests.ts';
import { startReceiver } from '../harness/receiver.ts';
import { addPerson } from '../harness/relations.ts';
import type { Reply, TestServer } from '../harness/server.ts';

/** A person with a password, a listed device and a session on it. */
export interface Actor {
  readonly person: Person;
  readonly id: string;
  readonly sessionId: string;
  readonly deviceId: string;
  readonly list: TestList;
  readonly keys: DeviceKeys;
}
export interface Bot {
  readonly id: string;
  readonly token: string;
  readonly keys: DeviceKeys;
}
type PersonKind = 'stranger' | 'member' | 'owner' | 'admin';

/**
 * Everyone there is in the authorisation table (TR-8), and their things: `owner` has the agent and the group, `member` is
 * in both, by a relation and as a member; `self` is that agent, in both too.
 */
export interface World {
  readonly server: TestServer;
  readonly people: Readonly<Record<PersonKind, Actor>>;
  readonly agent: Bot;
  readonly otherAgent: Bot;
  /** What a fresh agent declares. */
  readonly firstManifest: Manifest;
  readonly relationId: string;
  readonly groupId: string;
  readonly hookUrl: string;
  /** Tokens of every caller of a kind, signed at this moment. */
  tokensOf(kind: CallerKind): Promise<(string | undefined)[]>;
  tokenOf(actor: Actor): Promise<string>;
  /** Does something that must succeed. */
  make(method: string, path: string, options: { token?: string; body?: unknown }): Promise<Reply['body']>;
  /** A thing of the owner's that nobody has used yet. */
  freshAgent(): Promise<Bot>;
  freshSession(actor: Actor): Promise<{ token: string; sessionId: string; cookie: string }>;
  freshDevice(actor: Actor): Promise<{ id: string; keys: DeviceKeys }>;
  freshPerson(): Promise<string>;
  drop(): Promise<void>;
}

const SCOPE = 'filesystem:read';

export async function buildWorld(server: TestServer): Promise<World> {
  const tokenOf = async ({ id, sessionId }: Actor) => {
    const now = server.clock.now();
    // As if they had just given the password, however far the clock was advanced.
    const { db } = server.platform;
    await db.updateTable('sessions').set({ verified_at: now }).where('id', '=', sessionId).execute();
    return signAccessToken(server.config, { accountId: id, sessionId }, now);
  };
  const make: World['make'] = async (method, path, options) => {
    const { status, body } = await server.call(method, path, options);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const admin = await addActor(server);
  await server.makeOperator(admin.id);
  const people = {
    admin,
    owner: await addActor(server),
    member: await addActor(server),
    stranger: await addActor(server),
  };
  await befriend(server, people.owner.id, people.member.id);
  const manifest = makeManifest({ capability_flags: { supports_group_chat: true } });
  const freshAgent = async (owner: Actor = people.owner): Promise<Bot> => {
    const token = await tokenOf(owner);
    const body = { name: `Bot ${randomUUID().slice(0, 8)}`, capability_manifest: manifest };
    const created = await make('POST', '/agents', { token, body });
    return { id: created.agent_id, token: created.token, keys: makeDeviceKeys() };
  };
  const agent = await freshAgent();
  const otherAgent = await freshAgent(people.stranger);
  for (const bot of [agent, otherAgent]) {
    await make('PUT', `/agents/${bot.id}/identity`, { token: bot.token, body: identityBody(bot) });
  }
  const second = { ...manifest, agent_version: '1.1.0' };
  await make('PATCH', `/agents/${agent.id}`, { token: agent.token, body: second });
  const relation = await make('POST', '/h2a/relations', {
    token: await tokenOf(people.member),
    body: { agent_id: agent.id, granted_scopes: [SCOPE] },
  });
  const members = [
    { kind: 'human', id: people.member.id },
    { kind: 'agent', id: agent.id },
  ];
  const group = await make('POST', '/conversations', {
    token: await tokenOf(people.owner),
    body: { kind: 'group', title: 'Matrix', members },
  });
  const revoked = await revoke(server, { people, make, tokenOf, agent: await freshAgent() });
  const receiver = await startReceiver();

  return {
    server,
    people,
    agent,
    otherAgent,
    firstManifest: manifest as unknown as Manifest,
    relationId: relation.relation_id,
    groupId: group.conversation_id,
    hookUrl: receiver.url,
    tokenOf,
    make,
    tokensOf: async (kind) => {
      if (kind === 'anonymous') return [undefined];
      if (kind === 'self') return [agent.token];
      if (kind === 'other_agent') return [otherAgent.token];
      if (kind === 'revoked')
        return [await tokenOf({ ...people.owner, sessionId: revoked.sessionId }), revoked.agentToken];
      return [await tokenOf(people[kind])];
    },
    freshAgent: () => freshAgent(),
    freshSession: async (actor) => {
      const { token, cookie } = await signInAgain(server, actor.person);
      return { token, cookie, sessionId: sessionOf(token) };
    },
    freshDevice: async (actor) => {
      const { token } = await signInAgain(server, actor.person);
      const keys = makeDeviceKeys();
      const { device_id } = await make('POST', '/devices', { token, body: deviceBody(keys) });
      return { id: device_id, keys };
    },
    freshPerson: async () => {
      const { accountId } = await addPerson(server);
      await befriend(server, people.owner.id, accountId);
      return accountId;
    },
    drop: async () => {
      await receiver.close();
      await server.drop();
    },
  };
}

async function addActor(server: TestServer): Promise<Actor> {
  const { id, email, token, cookie, list, keys, deviceId } = await signUpWithDevice(server);
  return { person: { id, email, token, cookie }, id, sessionId: sessionOf(token), deviceId, list, keys };
}

/** A session that has ended and an agent's token that was taken back, of people and agents that are still there. */
async function revoke(
  server: TestServer,
  { people, make, tokenOf, agent }: Pick<World, 'people' | 'make' | 'tokenOf' | 'agent'>,
) {
  const { token } = await signInAgain(server, people.owner.person);
  await make('POST', '/auth/logout', { token });
  const owner = await tokenOf(people.owner);
  const { tokens } = await make('GET', `/agents/${agent.id}/tokens`, { token: owner });
  await make('DELETE', `/agents/${agent.id}/tokens/${tokens[0].token_id}`, { token: owner });
  return { sessionId: sessionOf(token), agentToken: agent.token };
}

export function identityBody(bot: Bot): object {
  const stated = { connection_mode: 'websocket', exchange_key: bot.keys.exchange.publicKey };
  const statement = { agent_id: bot.id, ...stated, purpose: 'parley-connection-mode-v1' };
  return {
    identity_key: bot.keys.identity.publicKey,
    ...stated,
    connection_mode_signature: signStatement(statement, bot.keys.identity),
  };
}

let lastKey = 0;

/** Prekeys that nobody has uploaded before. */
export function prekeys({ identity }: DeviceKeys): object {
  const statement = { key_id: ++lastKey, public_key: makeKeys('x25519').publicKey };
  const signature = signStatement({ purpose: 'parley-signed-prekey-v1', ...statement }, identity);
  const one = { key_id: lastKey, public_key: makeKeys('x25519').publicKey };
  return { signed_prekey: { ...statement, signature }, one_time_prekeys: [one] };
}

function sessionOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid;
}
