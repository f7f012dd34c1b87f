import { randomUUID } from 'node:crypto';
import { createId } from '../../src/id.ts';
import { makeList } from './device-list.ts';
import { type DeviceKeys, makeDeviceKeys } from './keys.ts';
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

export function deviceBody(keys: DeviceKeys, more: object = {}): object {
  return { name: 'phone', identity_key: keys.identity.publicKey, exchange_key: keys.exchange.publicKey, ...more };
}

/** Signed up, with the first device of the account and the list that it began. */
export async function signUpWithDevice(server: TestServer) {
  const person = await signUp(server);
  const keys = makeDeviceKeys();
  const list = makeList(person.id, { id: createId(), keys });
  const [statement] = list.statements;
  const [device] = list.devices;
  const body = deviceBody(keys, { device_id: device!.device_id, statement });
  const reply = await server.call('POST', '/devices', { token: person.token, body });
  if (reply.status !== 201) throw new Error(`devices: ${reply.status} ${JSON.stringify(reply.body)}`);
  return { ...person, list, accountKey: list.accountKey, keys, deviceId: device!.device_id };
}
