import { request } from 'node:http';
import { until } from '@parley/testkit/until';
import { vi } from 'vitest';
import type { Person } from './accounts.ts';
import type { TestServer } from './server.ts';

interface HeldRequest {
  /** Sends the rest. */
  finish(): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** Sends a request but for the end of its body, and waits until the server has let its sender in. */
export async function holdRequest(
  server: TestServer,
  { token, id }: Person,
  { method = 'POST', path, body }: { readonly method?: string; readonly path: string; readonly body: object },
): Promise<HeldRequest> {
  const text = JSON.stringify(body);
  const letIn = vi.spyOn(server.platform.budgets, 'take');
  const sending = request(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    },
  });
  const reply = new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    sending.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode!, body: answer === '' ? undefined : JSON.parse(answer) });
      });
    });
  });
  let early: unknown;
  reply.then(
    (answer) => {
      early = answer;
    },
    (error: unknown) => {
      early = error;
    },
  );
  sending.write(text.slice(0, 1));
  await until(() => early !== undefined || letIn.mock.calls.some(([account]) => account === id));
  letIn.mockRestore();
  if (early !== undefined) throw new Error(`answered before its end: ${JSON.stringify(early)}`);
  return {
    finish: () => {
      sending.end(text.slice(1));
      return reply;
    },
  };
}
