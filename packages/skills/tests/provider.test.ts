import { readSkillIndex, validateDescriptor } from '@parley/documents/skill';
import { createSkillClient } from '@parley/skills';
import { createMemoryStore, HandlerError, serveSkill } from '@parley/skills/provider';
import { listen } from '@parley/skills/provider/node';
import { until } from '@parley/testkit/until';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { count, describeSkill, gate, ORIGIN, serve, visit } from './served.ts';

describe('SI-5 a function and a descriptor become a served skill', () => {
  it('index and descriptor are valid, and name each other', async () => {
    const { get, descriptor } = await serve();
    const { body } = await get('/.well-known/skill-sharing');
    const { index, problems } = readSkillIndex(body, { development: true });
    expect(problems).toEqual([]);
    expect(index!.skills).toHaveLength(1);
    const described = await get(new URL(index!.skills[0]!.descriptor_url).pathname);
    expect(described.body).toEqual(descriptor);
    expect(validateDescriptor(described.body, { development: true }).valid).toBe(true);
  });

  it('SI-1 answers 202, then status, then the result', async () => {
    const { invoke, finish, get } = await serve();
    const accepted = await invoke({ text: 'a b c' });
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({ execution_id: expect.any(String), status: expect.any(String) });
    const { execution_id: id } = accepted.body;
    expect((await finish(id)).body).toEqual({ execution_id: id, status: 'completed' });
    const result = await get(`/count/result/${id}`);
    expect(result.body).toEqual({ execution_id: id, status: 'completed', output: { words: 3 } });
    expect(result.headers.get('cache-control')).toBe('no-store');
  });

  it('is used by our own consumer over HTTP, with progress', async () => {
    const descriptor = describeSkill();
    const handled = gate();
    const skill = await serveSkill(descriptor, async (inputs, context) => {
      context.progress(0.5, 'half\u001b[31m way');
      await handled.promise;
      return count(inputs, context);
    });
    const server = await listen(skill, { port: 0 });
    onTestFinished(() => server.close());
    const reachable = describeSkill({}, server.url);
    const events: unknown[] = [];
    const { output } = await createSkillClient({ allowLoopback: true }).invoke(
      reachable,
      { text: 'x y' },
      {
        onProgress: (event) => {
          events.push(event);
          if (event.type === 'state' && event.progress === 0.5) handled.open();
        },
      },
    );
    expect(output).toEqual({ words: 2 });
    expect(events).toContainEqual(
      expect.objectContaining({ progress: 0.5, message: expect.not.stringContaining('\u001b') }),
    );
  });

  it('fills in defaults and refuses inputs that break their schemas, all at once', async () => {
    const seen = vi.fn(count);
    const { invoke, finish } = await serve(seen);
    await finish((await invoke({ text: 'a' })).body.execution_id);
    expect(seen.mock.calls[0]![0]).toEqual({ text: 'a', separator: ' ' });
    const { status, body } = await invoke({ text: 1, separator: 2, more: 3 });
    expect(status).toBe(422);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    const fields = body.error.details.violations.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(expect.arrayContaining(['/inputs/text', '/inputs/separator', '/inputs/more']));
  });

  it('answers at once where the descriptor names no status address, or within waitMs', async () => {
    const { endpoint } = describeSkill();
    const direct = await serve(count, {}, { endpoint: { url: endpoint.url } });
    const answer = await direct.invoke({ text: 'a b' });
    expect([answer.status, answer.body.output]).toEqual([200, { words: 2 }]);
    const quick = await serve(count, { waitMs: 5_000 });
    expect((await quick.invoke({ text: 'a' })).body.output).toEqual({ words: 1 });
  });

  it('puts the output into the status where there is no result address', async () => {
    const { result_url: _, ...endpoint } = describeSkill().endpoint;
    const { invoke, finish } = await serve(count, {}, { endpoint });
    expect((await finish((await invoke({ text: 'a' })).body.execution_id)).body.output).toEqual({ words: 1 });
  });

  it('serves addresses with the id in the query', async () => {
    const endpoint = {
      ...describeSkill().endpoint,
      status_url: `${ORIGIN}/s?id={execution_id}`,
      result_url: `${ORIGIN}/r`,
    };
    const { invoke, get, post } = await serve(count, {}, { endpoint });
    const { execution_id: id } = (await invoke({ text: 'a' })).body;
    await until(async () => expect((await get(`/s?id=${id}`)).body.status).toBe('completed'));
    expect((await get(`/r/${id}`)).body.output).toEqual({ words: 1 });
    expect((await post(`/s/cancel?id=${id}`)).body.status).toBe('completed');
  });

  it('sends bytes as they are under the content type of the output', async () => {
    const bytes = Uint8Array.of(0, 255, 10);
    const { invoke, finish, skill } = await serve(() => bytes, {}, { output: { content_type: 'image/png' } });
    const { execution_id: id } = (await invoke({ text: 'a' })).body;
    await finish(id);
    const response = await skill.fetch(new Request(`${ORIGIN}/count/result/${id}`));
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  it('answers in the language of the caller', async () => {
    const { post } = await serve();
    const { body } = await post('/elsewhere', {}, { 'accept-language': 'zh-CN,zh;q=0.9' });
    expect(body.error).toEqual({ code: 'SKILL_NOT_FOUND', message: '此技能不存在。' });
  });

  it('refuses a descriptor that is not valid, and an auth without what checks it', async () => {
    await expect(serveSkill({ ...describeSkill(), version: 'one' }, count)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const auth = { type: 'api_key', header: 'X-API-Key' } as const;
    await expect(serveSkill(describeSkill({ auth }), count)).rejects.toThrow(/apiKeys/);
  });

  it('after close nothing begins, and callers are told to come back', async () => {
    const { skill, invoke } = await serve();
    await skill.close();
    const { status, body, headers } = await invoke({ text: 'a' });
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'ENDPOINT_UNREACHABLE', '1']);
  });
});

describe('SI-4 what goes wrong in a handler', () => {
  const result = async (handler: Parameters<typeof serve>[0], change = {}) => {
    const errors: unknown[] = [];
    const served = await serve(handler, { onError: (error) => errors.push(error) }, change);
    const { execution_id: id } = (await served.invoke({ text: 'a' })).body;
    const state = await served.finish(id);
    return { state: state.body, result: await served.get(`/count/result/${id}`), errors };
  };

  it('a handler that throws says nothing of why: EXECUTION_FAILED', async () => {
    const {
      state,
      result: answer,
      errors,
    } = await result(() => {
      throw new Error('password=hunter2');
    });
    expect(state).toMatchObject({ status: 'failed', error: { code: 'EXECUTION_FAILED' } });
    expect(answer.status).toBe(500);
    expect(JSON.stringify([state, answer.body])).not.toContain('hunter2');
    expect(errors).toHaveLength(1);
  });

  it('an onError that throws itself stops nothing: the execution ends, and the next one runs', async () => {
    let calls = 0;
    const handler = () => {
      if (calls++ === 0) throw new Error('first');
      return { words: 1 };
    };
    const onError = () => {
      throw new Error('and the handler of errors, too');
    };
    const served = await serve(handler, { onError });
    const run = async () => (await served.finish((await served.invoke({ text: 'a' })).body.execution_id)).body.status;
    expect([await run(), await run()]).toEqual(['failed', 'completed']);
  });

  it('a HandlerError is told to the caller', async () => {
    const { state } = await result(() => {
      throw new HandlerError('The dictionary is being printed.', { until: 'noon' });
    });
    expect(state.error).toEqual({
      code: 'EXECUTION_FAILED',
      message: 'The dictionary is being printed.',
      details: { until: 'noon' },
    });
  });

  it('output that violates its schema is OUTPUT_INVALID, and is not handed out', async () => {
    const { state, result: answer } = await result(() => ({ words: 'three secrets' }));
    expect(state.error.code).toBe('OUTPUT_INVALID');
    expect(state.error.details.violations[0].field).toBe('/output/words');
    expect(answer.status).toBe(502);
    expect(JSON.stringify(answer.body)).not.toContain('three secrets');
  });

  it.each([
    ['nothing at all', () => undefined as never],
    ['bytes where JSON was promised', () => Uint8Array.of(1)],
  ])('%s is OUTPUT_INVALID', async (_what, handler) => {
    expect((await result(handler)).state.error.code).toBe('OUTPUT_INVALID');
  });

  it('an output beyond the limit is OUTPUT_INVALID', async () => {
    const { invoke, finish } = await serve(() => ({ words: 1, more: 'x'.repeat(100) }), { maxOutputBytes: 50 });
    const { body } = await finish((await invoke({ text: 'a' })).body.execution_id);
    expect(body.error).toMatchObject({ code: 'OUTPUT_INVALID', details: { reason: 'too_large' } });
  });

  it('a handler that hangs is told to stop, and EXECUTION_TIMEOUT is reported', async () => {
    const told = gate<string>();
    const endpoint = { ...describeSkill().endpoint, timeout_ms: 30 };
    const { state } = await result(
      (_inputs, { signal }) => {
        signal.addEventListener('abort', () => told.open((signal.reason as Error).name));
        return new Promise(() => {});
      },
      { endpoint },
    );
    expect(state).toMatchObject({ status: 'failed', error: { code: 'EXECUTION_TIMEOUT' } });
    expect(await told.promise).toBe('TimeoutError');
  });

  it('the caller may ask for less time, never for more', async () => {
    const endpoint = { ...describeSkill().endpoint, timeout_ms: 30 };
    const { post, finish, descriptor } = await serve(() => new Promise(() => {}), {}, { endpoint });
    const body = { caller: { id: 'a', type: 'user' }, skill_id: descriptor.id, inputs: { text: 'a' } };
    const { execution_id: id } = (await post('/count/invoke', { ...body, context: { timeout_ms: 600_000 } })).body;
    expect((await finish(id)).body.error.code).toBe('EXECUTION_TIMEOUT');
    const refused = await post('/count/invoke', { ...body, context: { timeout_ms: 0 } });
    expect(refused.body.error.details.violations[0].field).toBe('/context/timeout_ms');
  });
});

describe('SI-5 cancelling', () => {
  it('reaches the handler, and a result that comes later changes nothing', async () => {
    const begun = gate();
    const late = gate();
    const { invoke, post, get } = await serve(async (_inputs, { signal }) => {
      begun.open();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      late.open();
      return { words: 7 };
    });
    const { execution_id: id } = (await invoke({ text: 'a' })).body;
    await begun.promise;
    expect((await post(`/count/cancel/${id}`)).body.status).toBe('cancelled');
    await late.promise;
    expect((await get(`/count/status/${id}`)).body.status).toBe('cancelled');
    const result = await get(`/count/result/${id}`);
    expect([result.status, result.body.error.code]).toEqual([409, 'EXECUTION_CANCELLED']);
  });

  it('one that waits for its turn never begins', async () => {
    const first = gate();
    const handler = vi.fn(async () => {
      await first.promise;
      return { words: 1 };
    });
    const { invoke, post, finish } = await serve(handler, { store: createMemoryStore({ concurrency: 1 }) });
    const [one, two] = [(await invoke({ text: '1' })).body, (await invoke({ text: '2' })).body];
    await post(`/count/cancel/${two.execution_id}`);
    first.open();
    await finish(one.execution_id);
    expect((await finish(two.execution_id)).body.status).toBe('cancelled');
    expect(handler).toHaveBeenCalledTimes(1);
  });
});

describe('SI-3 Idempotency-Key', () => {
  const key = { 'idempotency-key': 'k-1' };

  it('the same key and body again is the same execution, run once', async () => {
    const handler = vi.fn(count);
    const { invoke, finish } = await serve(handler);
    const first = (await invoke({ text: 'a' }, key)).body.execution_id;
    await finish(first);
    const again = await invoke({ text: 'a' }, key);
    expect([again.status, again.body]).toEqual([202, { execution_id: first, status: 'completed' }]);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('a replayed key with another body is refused and runs nothing', async () => {
    const handler = vi.fn(count);
    const { invoke, finish } = await serve(handler);
    await finish((await invoke({ text: 'a' }, key)).body.execution_id);
    const { status, body } = await invoke({ text: 'b' }, key);
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('two requests with one key at the same time are one execution', async () => {
    const { invoke } = await serve();
    const both = await Promise.all([invoke({ text: 'a' }, key), invoke({ text: 'a' }, key)]);
    expect(new Set(both.map(({ body }) => body.execution_id)).size).toBe(1);
  });

  it('a key that is no visible text is refused', async () => {
    const { invoke } = await serve();
    expect((await invoke({ text: 'a' }, { 'idempotency-key': 'x'.repeat(201) })).status).toBe(422);
  });
});

describe('SI-5 limits', () => {
  it('a caller without credentials is counted by address, and told when to come back', async () => {
    const { skill, descriptor, invoke } = await serve(count, { callsPerMinute: 2 });
    const answers = [await invoke({ text: 'a' }), await invoke({ text: 'a' }), await invoke({ text: 'a' })];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
    const refused = answers[2]!;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMITED', retry: { max_attempts: 3 } });
    expect((await visit(skill, descriptor, '192.0.2.2').invoke({ text: 'a' })).status).toBe(202);
  });

  it('a huge input is refused before all of it was read', async () => {
    const { skill } = await serve(count, { maxBodyBytes: 1_000 });
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 500;
        controller.enqueue(new Uint8Array(500).fill(32));
      },
    });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' };
    const response = await skill.fetch(new Request(`${ORIGIN}/count/invoke`, init as RequestInit));
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(5_000);
  });

  it('a huge input over a socket gets its refusal, although not all of it is read', async () => {
    const server = await listen(await serveSkill(describeSkill(), count, { maxBodyBytes: 1_000 }), { port: 0 });
    onTestFinished(() => server.close());
    const response = await fetch(`${server.url}/count/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(300_000),
    });
    expect(response.status).toBe(413);
  });

  it.each([
    ['text that is no JSON', '{"a":', 400],
    ['two equal keys', '{"skill_id":"a","skill_id":"b"}', 400],
    ['nesting without end', `{"inputs":${'['.repeat(5_000)}`, 400],
    ['no object', '[]', 422],
    ['nothing in it', '{}', 422],
  ])('%s is refused', async (_what, body, status) => {
    const { post } = await serve();
    const answer = await post('/count/invoke', body);
    expect([answer.status, answer.body.error.code]).toEqual([status, 'VALIDATION_ERROR']);
  });

  it('another skill’s id, another method and another content type are refused', async () => {
    const { post, get } = await serve();
    const body = { caller: { id: 'a', type: 'user' }, skill_id: 'com.example.other', inputs: { text: 'a' } };
    expect((await post('/count/invoke', body)).body.error.code).toBe('SKILL_NOT_FOUND');
    const wrong = await get('/count/invoke');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await post('/count/invoke', body, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('a full store says so, and forgets what has ended long enough ago', async () => {
    const store = createMemoryStore({ maxKept: 1, keepMs: 0 });
    const held = gate();
    const { invoke, finish } = await serve(
      async () => {
        await held.promise;
        return { words: 1 };
      },
      { store },
    );
    const first = await invoke({ text: 'a' });
    expect((await invoke({ text: 'b' })).status).toBe(503);
    held.open();
    await until(async () => expect((await invoke({ text: 'c' })).status).toBe(202));
    await expect(finish(first.body.execution_id)).resolves.toMatchObject({ status: 404 });
  });
});
