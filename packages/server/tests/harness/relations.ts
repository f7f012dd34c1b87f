import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { effectiveSensitivity, hashManifest, type Json, type Manifest } from '@parley/documents';
import { type BoundEntry, entryBytes, entryHash, type LedgerEntry } from '@parley/protocol';
import { signAccessToken } from '../../src/auth/access-token.ts';
import { readEvents } from '../../src/events/inbox.ts';
import { createId } from '../../src/id.ts';
import type { Reply, TestServer } from './server.ts';

export interface Person {
  readonly accountId: string;
  readonly token: string;
}
export interface Device {
  readonly id: string;
  readonly privateKey: KeyObject;
}
export interface Agent {
  readonly id: string;
  readonly token: string;
  readonly owner: Person;
  readonly identityKey: string;
}

/** A signed-in person, without the cost of a password. */
export async function addPerson(server: TestServer): Promise<Person> {
  const { db } = server.platform;
  const now = server.clock.now();
  const accountId = createId(now);
  const sessionId = createId(now);
  const secret = () => randomBytes(32).toString('hex');
  await db
    .insertInto('accounts')
    .values({ id: accountId, email: `${accountId}@example.test`, display_name: 'Someone' })
    .execute();
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      account_id: accountId,
      family_hash: secret(),
      refresh_hash: secret(),
      expires_at: new Date(now.getTime() + 86_400_000),
    })
    .execute();
  return { accountId, token: await signAccessToken(server.config, { accountId, sessionId }, now) };
}

/** A device of an account of before there were device lists. */
export async function addDevice(
  server: TestServer,
  person: Person,
  state: { listed?: boolean; revoked?: boolean } = {},
): Promise<Device> {
  const { listed = true, revoked = false } = state;
  const now = server.clock.now();
  const id = createId(now);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await server.platform.db
    .insertInto('devices')
    .values({
      id,
      account_id: person.accountId,
      name: 'Laptop',
      identity_key: publicKey.export({ format: 'jwk' }).x!,
      exchange_key: randomBytes(32).toString('base64url'),
      certificate: listed ? '{}' : null,
      listed,
      revoked_at: revoked ? now : null,
    })
    .execute();
  return { id, privateKey };
}

export async function addAgent(server: TestServer, owner: Person, manifest?: Manifest): Promise<Agent> {
  const { body } = await server.call('POST', '/agents', {
    token: owner.token,
    body: { name: 'DemoBot', ...(manifest ? { capability_manifest: manifest } : {}) },
  });
  const agent = { id: body.agent_id, token: body.token, owner, identityKey: randomBytes(32).toString('base64url') };
  await setIdentityKey(server, agent);
  return agent;
}

/** The agent has this key from now on. */
export async function setIdentityKey(server: TestServer, { id, identityKey }: Agent): Promise<void> {
  const { db } = server.platform;
  await db.updateTable('agents').set({ identity_key: identityKey }).where('id', '=', id).execute();
}

export function publish(server: TestServer, agent: Agent, manifest: Manifest): Promise<Reply> {
  return server.call('PATCH', `/agents/${agent.id}`, {
    token: agent.owner.token,
    body: { capability_manifest: manifest },
  });
}

export type Sensitivity = 'low' | 'medium' | 'high';

export interface ToolSpec {
  readonly scope: string;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly requires?: readonly string[];
  readonly required?: boolean;
}

/** A manifest of these scopes and tools. */
export function makeManifest(
  scopes: Readonly<Record<string, Sensitivity>>,
  tools: Readonly<Record<string, ToolSpec>> = {},
): Manifest {
  return {
    schema_version: '1.0',
    agent_version: '1.0.0',
    tools: Object.entries(tools).map(([name, { scope, properties = {}, requires = [], required = false }]) => ({
      name,
      description_i18n_key: `tool.${name}`,
      description_fallback: name,
      input_schema: { type: 'object', properties, required: requires, additionalProperties: false },
      permission_scope: scope,
      required,
    })),
    permission_scopes: Object.entries(scopes).map(([id, sensitivity]) => ({
      id,
      label_i18n_key: `scope.${id}`,
      label_fallback: id,
      sensitivity,
    })),
  };
}

export interface EntryInput {
  readonly relationId: string;
  readonly conversationId: string;
  readonly person: Person;
  readonly agent: Pick<Agent, 'id' | 'identityKey'>;
  readonly device: Device;
  readonly manifest: Manifest;
  readonly version: number;
  readonly scopes: readonly string[];
  readonly after?: LedgerEntry | undefined;
  readonly changes?: Partial<BoundEntry>;
}

/** A signed entry, honest except for `changes`. */
export function makeEntry(input: EntryInput): BoundEntry {
  const { conversationId, agent, device, changes } = input;
  const subject = { conversation_id: conversationId, agent_key: agent.identityKey };
  const unsigned = { ...describeGrant(input), version: 2 as const, ...subject, ...changes };
  return { ...unsigned, signature: signEntry(unsigned, device) };
}

/** An entry of the form of before, which names neither the conversation nor the agent's key (EE-19). */
export function makeOldEntry(input: Omit<EntryInput, 'changes'>): LedgerEntry {
  const unsigned = { ...describeGrant(input), version: 1 as const };
  return { ...unsigned, signature: signEntry(unsigned, input.device) };
}

const signEntry = (unsigned: Parameters<typeof entryBytes>[0], { privateKey }: Device) =>
  sign(null, entryBytes(unsigned), privateKey).toString('base64url');

function describeGrant(input: Omit<EntryInput, 'changes'>) {
  const { relationId, person, agent, device, manifest, version, scopes, after } = input;
  const levels = new Map(manifest.permission_scopes.map((scope) => [scope.id, effectiveSensitivity(scope)]));
  return {
    relation_id: relationId,
    seq: (after?.seq ?? 0) + 1,
    prev: after ? entryHash(after) : null,
    action: after ? ('change' as const) : ('grant' as const),
    agent_id: agent.id,
    account_id: person.accountId,
    device_id: device.id,
    scopes: scopes.map((id) => ({ id, sensitivity: levels.get(id) ?? ('low' as const) })),
    manifest_hash: hashManifest(manifest as Json),
    manifest_version: version,
    created_at: '2026-01-02T03:04:05.000Z',
  };
}

export interface StoredEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was stored
  readonly payload: any;
}

/** What someone was told, oldest first. */
export async function eventsOf(server: TestServer, kind: 'human' | 'agent', id: string): Promise<StoredEvent[]> {
  const events = await readEvents(server.platform.db, { kind, id }, { after: 0, limit: 10_000 });
  return events.map(({ type, payload }) => ({ type, payload }));
}
