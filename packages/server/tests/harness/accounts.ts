import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { canonicalise, type JsonObject } from '@parley/documents';
import type { Reply, TestServer } from './server.ts';

export const PASSWORD = 'correct horse battery';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly cookie: string;
}

export async function signUp(server: TestServer, email = `${randomUUID()}@example.org`): Promise<Person> {
  const reply = await server.call('POST', '/auth/register', {
    body: { email, account_password: PASSWORD, display_name: 'Ada' },
  });
  if (reply.status !== 201) throw new Error(`register: ${reply.status} ${JSON.stringify(reply.body)}`);
  return { id: reply.body.user_id, email, token: reply.body.access_token, cookie: cookieOf(reply) };
}

/** Another session of the same person. */
export async function signInAgain(server: TestServer, person: Person): Promise<Person> {
  const reply = await server.call('POST', '/auth/login', {
    body: { email: person.email, account_password: PASSWORD },
  });
  if (reply.status !== 200) throw new Error(`login: ${reply.status} ${JSON.stringify(reply.body)}`);
  return { ...person, token: reply.body.access_token, cookie: cookieOf(reply) };
}

export function cookieOf({ headers }: Reply): string {
  return (headers.get('set-cookie') ?? '').split(';')[0]!;
}

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

export function makeKeys(kind: 'ed25519' | 'x25519'): KeyPair {
  const { publicKey, privateKey } = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return { publicKey: publicKey.export({ format: 'jwk' }).x!, privateKey };
}

export function signStatement(statement: JsonObject, { privateKey }: KeyPair): string {
  return sign(null, Buffer.from(canonicalise(statement)), privateKey).toString('base64url');
}

export interface DeviceKeys {
  readonly identity: KeyPair;
  readonly exchange: KeyPair;
}

export function makeDeviceKeys(): DeviceKeys {
  return { identity: makeKeys('ed25519'), exchange: makeKeys('x25519') };
}

/** EE-14. */
export function certify(accountKey: KeyPair, accountId: string, keys: DeviceKeys, more: JsonObject = {}): JsonObject {
  const statement: JsonObject = {
    purpose: 'parley-device-v1',
    account_id: accountId,
    identity_key: keys.identity.publicKey,
    exchange_key: keys.exchange.publicKey,
    created_at: '2026-01-01T00:00:00.000Z',
    ...more,
  };
  return { ...statement, signature: signStatement(statement, accountKey) };
}

export function deviceBody(keys: DeviceKeys, more: object = {}): object {
  return { name: 'phone', identity_key: keys.identity.publicKey, exchange_key: keys.exchange.publicKey, ...more };
}

/** Signed up, with a certified first device. */
export async function signUpWithDevice(server: TestServer) {
  const person = await signUp(server);
  const [accountKey, keys] = [makeKeys('ed25519'), makeDeviceKeys()];
  const certificate = certify(accountKey, person.id, keys);
  const body = deviceBody(keys, { account_key: accountKey.publicKey, certificate });
  const reply = await server.call('POST', '/devices', { token: person.token, body });
  if (reply.status !== 201) throw new Error(`devices: ${reply.status} ${JSON.stringify(reply.body)}`);
  return { ...person, accountKey, keys, deviceId: reply.body.device_id as string };
}
