import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { effectiveSensitivity, hashManifest, type Json, type Manifest } from '@parley/documents';
import { entryBytes, entryHash, type LedgerEntry } from '@parley/protocol';
import { signAccessToken } from '../../src/auth/access-token.ts';
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

export async function addDevice(
  server: TestServer,
  person: Person,
  state: { certified?: boolean; revoked?: boolean } = {},
): Promise<Device> {
  const { certified = true, revoked = false } = state;
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
      certificate: certified ? '{}' : null,
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
  return { id: body.agent_id, token: body.token, owner };
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
  readonly person: Person;
  readonly agent: Agent;
  readonly device: Device;
  readonly manifest: Manifest;
  readonly version: number;
  readonly scopes: readonly string[];
  readonly after?: LedgerEntry | undefined;
  readonly changes?: Partial<LedgerEntry>;
}

/** A signed entry, honest except for `changes`. */
export function makeEntry(input: EntryInput): LedgerEntry {
  const { relationId, person, agent, device, manifest, version, scopes, after, changes } = input;
  const levels = new Map(manifest.permission_scopes.map((scope) => [scope.id, effectiveSensitivity(scope)]));
  const unsigned: Omit<LedgerEntry, 'signature'> = {
    version: 1,
    relation_id: relationId,
    seq: (after?.seq ?? 0) + 1,
    prev: after ? entryHash(after) : null,
    action: after ? 'change' : 'grant',
    agent_id: agent.id,
    account_id: person.accountId,
    device_id: device.id,
    scopes: scopes.map((id) => ({ id, sensitivity: levels.get(id) ?? 'low' })),
    manifest_hash: hashManifest(manifest as Json),
    manifest_version: version,
    created_at: '2026-01-02T03:04:05.000Z',
    ...changes,
  };
  return { ...unsigned, signature: sign(null, entryBytes(unsigned), device.privateKey).toString('base64url') };
}

export interface StoredEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was stored
  readonly payload: any;
}

/** What someone was told, oldest first. */
export async function eventsOf(server: TestServer, kind: 'human' | 'agent', id: string): Promise<StoredEvent[]> {
  return server.platform.db
    .selectFrom('events')
    .select(['type', 'payload'])
    .where('recipient_kind', '=', kind)
    .where('recipient_id', '=', id)
    .orderBy('id')
    .execute();
}
