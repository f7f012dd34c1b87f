import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { askModel } from './model.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('SA-1 the model of an operator', () => {
  it.each([301, 302, 303, 307, 308])(
    'SA-1 attack: a redirect (%i) takes what a person wrote nowhere',
    async (status) => {
      let reached = 0;
      const elsewhere = await listen((_, response) => {
        reached++;
        response.end(JSON.stringify({ choices: [{ message: { content: '{"intent": "list_agents"}' } }] }));
      });
      const baseUrl = await listen((_, response) => response.writeHead(status, { location: elsewhere }).end());
      expect(await askModel({ baseUrl: elsewhere, name: 'stub' }, 'a secret')).toMatchObject({ kind: 'list_agents' });
      expect(await askModel({ baseUrl, name: 'stub' }, 'a secret')).toBeUndefined();
      expect(reached).toBe(1);
    },
  );
});
