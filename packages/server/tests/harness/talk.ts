import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Envelope, Header, Sender } from '@parley/protocol';
import { signAccessToken } from '../../src/auth/access-token.ts';
import { createAccountConversation, createConversation } from '../../src/conversations/create.ts';
import type { AgentCaller, Human } from '../../src/http/caller.ts';
import { createId } from '../../src/id.ts';
import type { TestServer } from './server.ts';

export interface Speaker {
  readonly id: string;
  readonly token: string;
  readonly sender: Sender;
  readonly caller: Human | AgentCaller;
}
export interface Talker extends Speaker {
  readonly caller: Human;
  readonly deviceId: string;
}
export interface Bot extends Speaker {
  readonly caller: AgentCaller;
}

/** Someone signed in on a device that has registered its keys; straight into the database, because hashing is slow. */
export async function addTalker(server: TestServer): Promise<Talker> {
  const id = createId();
  const { db, now } = server.platform;
  await db
    .insertInto('accounts')
    .values({ id, email: `${id}@example.org`, display_name: 'Someone', password_hash: null, account_key: null })
    .execute();
  await db.transaction().execute((trx) => createAccountConversation(trx, id, now()));
  return addDevice(server, id);
}

/** Another device of the same person. */
export async function addDevice(server: TestServer, accountId: string): Promise<Talker> {
  const { db, config, now } = server.platform;
  const [deviceId, sessionId] = [createId(), createId()];
  const key = () => randomBytes(32).toString('base64url');
  await db
    .insertInto('devices')
    .values({
      id: deviceId,
      account_id: accountId,
      name: 'Device',
      identity_key: key(),
      exchange_key: key(),
    })
    .execute();
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      account_id: accountId,
      device_id: deviceId,
      family_hash: key(),
      refresh_hash: key(),
      previous_hash: null,
      user_agent: null,
      verified_at: now(),
      expires_at: new Date(now().getTime() + 30 * 24 * 3_600_000),
    })
    .execute();
  return {
    id: accountId,
    deviceId,
    token: await signAccessToken(config, { accountId, sessionId }, now()),
    sender: { kind: 'human', id: accountId, device_id: deviceId },
    caller: { kind: 'human', accountId, sessionId, deviceId, role: 'user' },
  };
}

export async function addBot(
  server: TestServer,
  owner: Talker,
  { groups = false, mode = 'websocket' }: { groups?: boolean; mode?: 'websocket' | 'polling' | 'webhook' } = {},
): Promise<Bot> {
  const { db } = server.platform;
  const [id, tokenId] = [createId(), createId()];
  const token = `hsk_${hash('sha256', id).slice(0, 40)}`;
  const flags = { supports_group_chat: groups };
  const manifest = { schema_version: '1.0', tools: [], permission_scopes: [], capability_flags: flags };
  await db
    .insertInto('agents')
    .values({
      id,
      owner_id: owner.id,
      name: 'DemoBot',
      connection_mode: mode,
      capability_manifest: JSON.stringify(manifest),
      warnings: '[]',
    })
    .execute();
  await db
    .insertInto('agent_tokens')
    .values({ id: tokenId, agent_id: id, token_hash: hash('sha256', token) })
    .execute();
  return {
    id,
    token,
    sender: { kind: 'agent', id },
    caller: { kind: 'agent', agentId: id, ownerId: owner.id, tokenId },
  };
}

/** A relation with its conversation, whose id is returned. */
export async function relate(server: TestServer, person: Talker, bot: Bot): Promise<string> {
  return server.platform.db.transaction().execute(async (trx) => {
    const conversation = (await createConversation(trx, {
      kind: 'h2a',
      members: [
        { kind: 'human', id: person.id, role: 'owner' },
        { kind: 'agent', id: bot.id, role: 'member' },
      ],
      now: new Date(),
    }))!;
    await trx
      .insertInto('h2a_relations')
      .values({
        id: createId(),
        account_id: person.id,
        agent_id: bot.id,
        conversation_id: conversation,
        granted_scopes: '[]',
        agreed_version: 1,
        agreed_hash: null,
      })
      .execute();
    return conversation;
  });
}

/** A sealed message as the server sees one. */
export function seal(speaker: Speaker, conversationId: string, header: Partial<Header> = {}): Envelope {
  return {
    header: {
      version: 1,
      conversation_id: conversationId,
      sender: speaker.sender,
      client_message_id: randomUUID(),
      content_type: 'text',
      msg_subtype: 'text',
      created_at: new Date().toISOString(),
      ...header,
    },
    ciphertext: randomBytes(60).toString('base64url'),
    wraps: [{ to: randomUUID(), key: randomBytes(48).toString('base64url') }],
    signature: randomBytes(64).toString('base64url'),
  };
}

export function sealToolCall(bot: Bot, conversationId: string, header: Partial<Header> = {}): Envelope {
  return seal(bot, conversationId, { content_type: 'artifact', msg_subtype: 'artifact_tool_call', ...header });
}
