import { randomUUID } from 'node:crypto';
import type { TestServer } from './server.ts';

export interface Person {
  readonly userId: string;
  readonly token: string;
}
export interface Agent {
  readonly id: string;
  readonly token: string;
}

/** Someone with an account, signed in. */
export async function signUp(server: TestServer, name = 'Someone'): Promise<Person> {
  const { status, body } = await server.call('POST', '/auth/register', {
    body: { email: `${randomUUID()}@example.org`, account_password: 'correct horse battery', display_name: name },
  });
  if (status !== 201) throw new Error(`register: ${status} ${JSON.stringify(body)}`);
  return { userId: body.user_id, token: body.access_token };
}

export async function createAgent(server: TestServer, owner: Person, fields: object = {}): Promise<Agent> {
  const { status, body } = await server.call('POST', '/agents', {
    token: owner.token,
    body: { name: 'DemoBot', ...fields },
  });
  if (status !== 201) throw new Error(`agents: ${status} ${JSON.stringify(body)}`);
  return { id: body.agent_id, token: body.token };
}
