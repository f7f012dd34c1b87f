import type { SkillDescriptor } from '@parley/documents/skill';
import { type ServedSkill, type ServeOptions, type SkillHandler, serveSkill } from '@parley/skills/provider';
import { until } from '@parley/testkit/until';
import { expect, onTestFinished } from 'vitest';

export const ORIGIN = 'http://127.0.0.1:8790';

/** Counts words, with a default and a schema on either side. */
export function describeSkill(change: Partial<SkillDescriptor> = {}, origin = ORIGIN): SkillDescriptor {
  return {
    protocol: { version: '1.0.0' },
    id: 'com.example.count',
    name: 'Count',
    version: '1.0.0',
    capability_type: 'api',
    description: 'Counts words.',
    provider: { name: 'Example' },
    endpoint: {
      url: `${origin}/count/invoke`,
      status_url: `${origin}/count/status/{execution_id}`,
      result_url: `${origin}/count/result/{execution_id}`,
      timeout_ms: 10_000,
    },
    inputs: [
      { name: 'text', type: 'string', description: '', required: true, schema: { maxLength: 1_000 } },
      { name: 'separator', type: 'string', description: '', required: false, default: ' ' },
    ],
    output: {
      content_type: 'application/json',
      schema: { type: 'object', properties: { words: { type: 'integer' } }, required: ['words'] },
    },
    auth: { type: 'none' },
    access: 'public',
    ...change,
  };
}

export const count: SkillHandler = ({ text, separator }) => ({ words: String(text).split(String(separator)).length });

interface Said {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes back
  readonly body: any;
}

export interface Visitor {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Said>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Said>;
  invoke(inputs: unknown, headers?: Readonly<Record<string, string>>): Promise<Said>;
  /** Polls until the execution is over. */
  finish(executionId: string, headers?: Readonly<Record<string, string>>): Promise<Said>;
}

export function visit(
  { fetch }: Pick<ServedSkill, 'fetch'>,
  descriptor: SkillDescriptor,
  address = '192.0.2.1',
): Visitor {
  const ask = async (method: string, path: string, init: RequestInit): Promise<Said> => {
    const response = await fetch(new Request(new URL(path, ORIGIN), { method, ...init }), { address });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const visitor: Visitor = {
    get: (path, headers = {}) => ask('GET', path, { headers }),
    post: (path, body, headers = {}) =>
      ask('POST', path, {
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    invoke: (inputs, headers) =>
      visitor.post(
        new URL(descriptor.endpoint.url).pathname,
        { caller: { id: 'tester', type: 'user' }, skill_id: descriptor.id, inputs },
        headers,
      ),
    finish: (executionId, headers) =>
      until(async () => {
        const said = await visitor.get(`/count/status/${executionId}`, headers);
        expect(['accepted', 'running']).not.toContain(said.body.status);
        return said;
      }),
  };
  return visitor;
}

export async function serve(
  handler: SkillHandler = count,
  options: ServeOptions = {},
  change: Partial<SkillDescriptor> = {},
): Promise<Visitor & { readonly skill: ServedSkill; readonly descriptor: SkillDescriptor }> {
  const descriptor = describeSkill(change);
  const skill = await serveSkill(descriptor, handler, { callsPerMinute: 1_000_000, ...options });
  onTestFinished(() => skill.close());
  return { ...visit(skill, descriptor), skill, descriptor };
}

/** A promise that the test settles. */
export function gate<T = void>(): { readonly promise: Promise<T>; open(value: T): void } {
  let open!: (value: T) => void;
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
