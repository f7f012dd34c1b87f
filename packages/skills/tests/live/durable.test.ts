import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serveSkill } from '@parley/skills/provider';
import { createPostgresStore, type PostgresStoreOptions } from '@parley/skills/provider/node';
import { createDatabase } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { count, describeSkill, gate, type Visitor, visit } from '../served.ts';

const SCRIPT = fileURLToPath(new URL('./provider-process.mjs', import.meta.url));
const ENDPOINT = { ...describeSkill().endpoint, timeout_ms: 120_000 };

async function makeDatabase(): Promise<string> {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  return database.url;
}

interface Provider {
  readonly visitor: Visitor;
  readonly lines: string[];
  readonly process: ChildProcess;
  release(): void;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** As an operator would run it: a process of its own. */
async function startProvider(url: string, options: { attempts: number }): Promise<Provider> {
  const settings = { url, descriptor: describeSkill({ endpoint: ENDPOINT }), leaseMs: 1_500, ...options };
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(settings)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const address = await until(() => {
    const line = lines.find((text) => text.startsWith('url '));
    if (line === undefined) throw new Error('not listening yet');
    return line.slice(4);
  });
  const forward = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.method === 'GET' ? undefined : await request.text();
    return fetch(`${address}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      ...(body === undefined ? {} : { body }),
    });
  };
  return {
    visitor: visit({ fetch: forward }, settings.descriptor),
    lines,
    process: child,
    release: () => void child.stdin.write('go\n'),
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

const begun = ({ lines }: Provider) => lines.filter((line) => line.startsWith('begun '));

async function serveHere(options: Partial<PostgresStoreOptions> & { url: string }, handler = count, change = {}) {
  const descriptor = describeSkill({ endpoint: ENDPOINT, ...change });
  const store = createPostgresStore({ leaseMs: 1_500, graceMs: 100, ...options });
  const skill = await serveSkill(descriptor, handler, { store, callsPerMinute: 1_000_000, waitMs: 0 });
  onTestFinished(() => skill.close());
  return { ...visit(skill, descriptor), skill };
}

/** What the processes run: only this package and those below it. */
beforeAll(async () => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-b', 'packages/skills'], { cwd: root });
});

describe('SI-5 executions survive their process', () => {
  it('kill -9 during executions: each finishes once, none is lost', async () => {
    const url = await makeDatabase();
    const first = await startProvider(url, { attempts: 3 });
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) {
      const { status, body } = await first.visitor.invoke({ text: n % 2 === 0 ? 'hold' : 'quick' });
      expect(status).toBe(202);
      ids.push(body.execution_id);
    }
    await until(() => expect(begun(first).length).toBeGreaterThanOrEqual(4));
    await first.kill('SIGKILL');

    const second = await startProvider(url, { attempts: 3 });
    second.release();
    await until(async () => {
      for (const id of ids) {
        expect((await second.visitor.get(`/count/status/${id}`)).body.status).toBe('completed');
      }
    });
    // The ones that were held when the process died are the ones that began again.
    const again = begun(second).filter((line) => line.endsWith(' 2'));
    expect(again.length).toBeGreaterThan(0);
    const finished = new Set(first.lines.filter((line) => line.startsWith('done ')).map((line) => line.split(' ')[1]));
    for (const line of again) expect(ids).toContain(line.split(' ')[1]);
    for (const id of ids) {
      const { output } = (await second.visitor.get(`/count/result/${id}`)).body;
      expect([1, 2]).toContain(output.words);
    }
    expect(finished.size).toBeLessThan(ids.length);
  });

  it('kill -9 where nothing may begin twice: finished or reported as failed, none lost', async () => {
    const url = await makeDatabase();
    const first = await startProvider(url, { attempts: 1 });
    const ids: string[] = [];
    for (let n = 0; n < 8; n++) ids.push((await first.visitor.invoke({ text: 'hold' })).body.execution_id);
    await until(() => expect(begun(first)).toHaveLength(4));
    const interrupted = begun(first).map((line) => line.split(' ')[1]!);
    await first.kill('SIGKILL');

    const second = await startProvider(url, { attempts: 1 });
    second.release();
    await until(async () => {
      for (const id of ids) {
        const { body } = await second.visitor.get(`/count/status/${id}`);
        expect(body.status).toBe(interrupted.includes(id) ? 'failed' : 'completed');
      }
    });
    const { body } = await second.visitor.get(`/count/status/${interrupted[0]}`);
    expect(body.error).toMatchObject({ code: 'EXECUTION_FAILED', details: { reason: 'interrupted' } });
    expect(begun(second).some((line) => interrupted.includes(line.split(' ')[1]!))).toBe(false);
  });

  it('an orderly stop hands over what was not finished', async () => {
    const url = await makeDatabase();
    const first = await startProvider(url, { attempts: 3 });
    const { execution_id: id } = (await first.visitor.invoke({ text: 'hold' })).body;
    await until(() => expect(begun(first)).toHaveLength(1));
    await first.kill('SIGTERM');
    const second = await startProvider(url, { attempts: 3 });
    second.release();
    await until(async () => expect((await second.visitor.get(`/count/status/${id}`)).body.status).toBe('completed'));
  });
});

describe('SI-5 executions in Postgres', () => {
  it('status, progress and result are the same from another process', async () => {
    const url = await makeDatabase();
    const held = gate();
    const handler: typeof count = async (inputs, context) => {
      context.progress(0.25, 'reading');
      await held.promise;
      return count(inputs, context);
    };
    const [one, two] = [await serveHere({ url }, handler), await serveHere({ url }, handler)];
    const { execution_id: id } = (await one.invoke({ text: 'a b' })).body;
    for (const { get } of [one, two]) {
      const running = { status: 'running', progress: 0.25, message: 'reading' };
      await until(async () => expect((await get(`/count/status/${id}`)).body).toMatchObject(running));
    }
    held.open();
    for (const { finish, get } of [two, one]) {
      expect((await finish(id)).body.status).toBe('completed');
      expect((await get(`/count/result/${id}`)).body.output).toEqual({ words: 2 });
    }
  });

  it('cancelling in one process stops the handler in another', async () => {
    const url = await makeDatabase();
    const stopped = gate<string>();
    const began = gate();
    const one = await serveHere({ url }, (_inputs, { signal, progress }) => {
      progress(0.5, 'half');
      signal.addEventListener('abort', () => stopped.open((signal.reason as Error).name));
      began.open();
      return new Promise(() => {});
    });
    const { execution_id: id } = (await one.invoke({ text: 'a' })).body;
    await began.promise;
    await until(async () =>
      expect((await one.get(`/count/status/${id}`)).body).toMatchObject({ progress: 0.5, message: 'half' }),
    );
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("update parley_skills.executions set status = 'cancelled', ended_at = now() where id = $1", [
      id,
    ]);
    expect(await stopped.promise).toBe('AbortError');
    expect((await one.get(`/count/status/${id}`)).body.status).toBe('cancelled');
  });

  it('the same Idempotency-Key at the same moment is one execution; with another body it is refused', async () => {
    const url = await makeDatabase();
    const handler = vi.fn(count);
    const { invoke, finish } = await serveHere({ url }, handler);
    const key = { 'idempotency-key': 'k' };
    const many = await Promise.all(Array.from({ length: 8 }, () => invoke({ text: 'a' }, key)));
    const ids = new Set(many.map(({ body }) => body.execution_id));
    expect(ids.size).toBe(1);
    await finish([...ids][0]!);
    expect(handler).toHaveBeenCalledTimes(1);
    expect((await invoke({ text: 'b' }, key)).status).toBe(422);
  });

  it('outputs come back as they were, NUL characters and bytes included', async () => {
    const url = await makeDatabase();
    const text = 'a\u0000b \ud800';
    const output = { content_type: 'application/json' };
    const one = await serveHere({ url }, () => ({ text, big: 1e21 }), { output });
    const { execution_id: id } = (await one.invoke({ text: 'a' })).body;
    await one.finish(id);
    expect((await one.get(`/count/result/${id}`)).body.output).toEqual({ text, big: 1e21 });
    const bytes = Uint8Array.of(0, 1, 255);
    const two = await serveHere({ url }, () => bytes, { id: 'com.example.png', output: { content_type: 'image/png' } });
    const { execution_id: image } = (await two.invoke({ text: 'a' })).body;
    await two.finish(image);
    const response = await two.skill.fetch(new Request(`http://x/count/result/${image}`));
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect((await one.get(`/count/status/${image}`)).status).toBe(404);
  });

  it('what has ended is forgotten after its time, and its key is free again', async () => {
    const url = await makeDatabase();
    const { invoke, finish, get } = await serveHere({ url, keepMs: 0 });
    const key = { 'idempotency-key': 'k' };
    const { execution_id: id } = (await invoke({ text: 'a' }, key)).body;
    await until(async () => expect((await get(`/count/status/${id}`)).status).toBe(404));
    const again = await invoke({ text: 'another' }, key);
    expect(again.status).toBe(202);
    expect((await finish(again.body.execution_id)).status).toBeLessThan(500);
  });

  it('goes on when somebody else migrates a job queue in the same database', async () => {
    const url = await makeDatabase();
    const { invoke, finish } = await serveHere({ url });
    const pgPool = new pg.Pool({ connectionString: url });
    onTestFinished(() => pgPool.end());
    await runMigrations({ pgPool, schema: 'of_somebody_else', logger: new Logger(() => () => {}) });
    for (let turn = 0; turn < 3; turn++) {
      expect((await finish((await invoke({ text: 'a' })).body.execution_id)).body.status).toBe('completed');
    }
    expect(process.exitCode ?? 0).toBe(0);
  });

  it('two providers that start at once on an empty database both run', async () => {
    const url = await makeDatabase();
    const both = await Promise.all([serveHere({ url }), serveHere({ url })]);
    for (const { invoke, finish } of both) {
      expect((await finish((await invoke({ text: 'a' })).body.execution_id)).body.status).toBe('completed');
    }
  });
});
