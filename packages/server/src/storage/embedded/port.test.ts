import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { serverError } from '../../errors.ts';
import { startOnPort } from './port.ts';

const taken: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of taken.splice(0)) server.close();
});
async function occupy(): Promise<number> {
  const server = createServer();
  taken.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}
const refused = serverError('POSTGRES_FAILED', {
  params: {
    reason: 'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use',
    log: 'postgres.log',
  },
});

describe('HS-8 the port of the database', () => {
  test('HS-8 is another one where the wished one is taken', async () => {
    const wish = await occupy();
    const port = await startOnPort(wish, async (given) => given);
    expect(port).toBeGreaterThan(0);
    expect(port).not.toBe(wish);
  });

  test('HS-8 is another one where somebody was quicker, and not for ever', async () => {
    const tried: number[] = [];
    const start = async (port: number) => {
      tried.push(port);
      if (tried.length < 3) throw refused;
      return port;
    };
    expect(await startOnPort(0, start)).toBe(tried[2]);
    await expect(startOnPort(0, () => Promise.reject(refused))).rejects.toBe(refused);
  });

  test('HS-8 whatever else goes wrong is told at once', async () => {
    let attempts = 0;
    const broken = serverError('POSTGRES_FAILED', { params: { reason: 'the disk is full', log: 'postgres.log' } });
    const start = () => {
      attempts++;
      return Promise.reject(broken);
    };
    await expect(startOnPort(0, start)).rejects.toBe(broken);
    expect(attempts).toBe(1);
  });
});
