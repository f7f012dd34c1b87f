import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SkillDescriptor } from '@parley/documents/skill';
import { onTestFinished } from 'vitest';

interface Hit {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Turn = (response: ServerResponse, hit: Hit) => void;

export interface ScriptedServer {
  readonly origin: string;
  readonly port: number;
  readonly hits: Hit[];
  /** The paths of all requests, with their methods. */
  asked(): string[];
}

/** Answers the requests to each path with the turns written for it, the last one again and again. */
export async function serveScript(script: Readonly<Record<string, Turn | readonly Turn[]>>): Promise<ScriptedServer> {
  const hits: Hit[] = [];
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '' } = request;
    const path = url.split('?')[0]!;
    const hit = { method, path: url, headers: request.headers, body: Buffer.concat(chunks).toString() };
    hits.push(hit);
    const turns = [script[path] ?? []].flat();
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    const turn = turns[Math.min(count, turns.length - 1)];
    if (turn === undefined) response.writeHead(404).end();
    else turn(response, hit);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const asked = () => hits.map(({ method, path }) => `${method} ${path}`);
  return { origin: `http://127.0.0.1:${port}`, port, hits, asked };
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Turn =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const drop: Turn = (response) => response.socket!.destroy();

export const dropMidBody: Turn = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"output":', () => response.socket!.destroy());
};

export const hang: Turn = () => {};

export const fail = (status: number, error: object = {}, headers: Readonly<Record<string, string>> = {}): Turn =>
  json(status, { error: { code: 'X', message: 'no', ...error } }, headers);

/** A skill at `origin` that answers at once, and is followed at /status and /result. */
export function describeSkill(origin: string, changes: Partial<SkillDescriptor> = {}): SkillDescriptor {
  return {
    protocol: { version: '1.0.0' },
    id: 'com.example.echo',
    name: 'Echo',
    version: '1.0.0',
    capability_type: 'api',
    description: 'Says it again.',
    provider: { name: 'Example' },
    inputs: [
      { name: 'text', type: 'string', description: '', required: true, schema: { minLength: 1 } },
      { name: 'times', type: 'integer', description: '', required: false, default: 1 },
    ],
    output: {
      content_type: 'application/json',
      schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
    auth: { type: 'none' },
    access: 'public',
    ...changes,
    endpoint: {
      url: `${origin}/invoke`,
      status_url: `${origin}/status/{execution_id}`,
      result_url: `${origin}/result/{execution_id}`,
      timeout_ms: 20_000,
      retry: { max_attempts: 3, backoff_ms: 1 },
      ...changes.endpoint,
    },
  };
}

export const DONE = { output: { text: 'hi' } };
