import { ApiError } from '@parley/messenger';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../src/calls/tool-error.ts';
import { CONVERSATION, Fake, GROUP, OTHER_CONVERSATION, OTHER_PERSON } from './harness/fake.ts';

const URL_ARGS = { url: 'https://example.com' };
const failure = (promise: Promise<unknown>): Promise<ToolError> =>
  promise.then(
    () => expect.fail('it went well'),
    (error) => error,
  );
const sentCall = async (fake: Fake) => {
  await until(() => expect(fake.toolCalls).toHaveLength(1));
  return fake.toolCalls[0]!;
};

describe('SK-3 callTool', () => {
  it('SK-3 resolves with the result, and fills in scope and time from the manifest', async () => {
    const fake = await Fake.start();
    fake.asDevice(() => ({ status: 'ok', result: { body: 'hello', status_code: 200 } }));
    const result = await fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS);
    expect(result).toEqual({ body: 'hello', status_code: 200 });
    expect(fake.toolCalls[0]).toMatchObject({
      tool_name: 'fetch_url',
      arguments: URL_ARGS,
      permission_scope: 'network:http',
      timeout_ms: 10_000,
    });
    expect(fake.clock.waiting).toBe(0);
  });

  it.each([
    [{ status: 'denied', reason: 'user_refused' }, 'denied', 'user_refused'],
    [{ status: 'denied', reason: 'user_rejected' }, 'denied', 'user_refused'],
    [{ status: 'denied', reason: 'permission_revoked' }, 'denied', 'permission_revoked'],
    [{ status: 'denied' }, 'denied', 'user_refused'],
    [{ status: 'error', reason: 'tool_timeout' }, 'error', 'tool_timeout'],
    [{ status: 'error', error_code: 'TOOL_UNAVAILABLE' }, 'error', 'TOOL_UNAVAILABLE'],
    [{ status: 'error' }, 'error', 'TOOL_PLATFORM_ERROR'],
    [{ status: 'error', reason: 'net::ERR_FAILED' }, 'error', 'TOOL_PLATFORM_ERROR'],
    [{ status: 'denied', reason: 'not_today', message: 'Busy.' }, 'denied', 'user_refused'],
  ] as const)('TC-4 TC-5 %o rejects with what can be branched on', async (response, status, reason) => {
    const fake = await Fake.start();
    fake.asDevice(() => response);
    const error = await failure(fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS));
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({ status, reason, toolName: 'fetch_url', callId: fake.toolCalls[0]!.call_id });
    expect(error.message).toContain(reason);
  });

  it('TC-5 a reason that nobody knows is in the words', async () => {
    const fake = await Fake.start();
    fake.asDevice(() => ({ status: 'error', reason: 'net::ERR_FAILED', message: 'No line.' }));
    const error = await failure(fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS));
    expect(error.message).toContain('net::ERR_FAILED: No line.');
  });

  it('SK-3 gives up after 30 s, the time of the tool and 5 s, and not before', async () => {
    const fake = await Fake.start();
    const waiting = failure(fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS));
    await sentCall(fake);
    fake.clock.advance(44_999);
    expect(fake.clock.waiting).toBe(1);
    fake.clock.advance(1);
    expect(await waiting).toMatchObject({ status: 'timeout', reason: 'no_answer' });
  });

  it('SK-3 a total time of the caller’s own counts, and the device is told when not to run it any more', async () => {
    const fake = await Fake.start();
    const waiting = failure(fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS, { timeoutMs: 1_000 }));
    const call = await sentCall(fake);
    expect(Date.parse(call.expires_at!)).toBe(fake.clock.at + 1_000 + 60_000);
    fake.clock.advance(1_000);
    expect(await waiting).toMatchObject({ status: 'timeout' });
    await expect(fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS, { timeoutMs: 0 })).rejects.toThrow(TypeError);
  });

  it('SK-3 a late answer is still seen by event handlers', async () => {
    const fake = await Fake.start();
    const seen: unknown[] = [];
    fake.agent.addEventHandler((event) => seen.push(event));
    const waiting = failure(fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS, { timeoutMs: 10 }));
    const { call_id } = await sentCall(fake);
    fake.clock.advance(10);
    await waiting;
    await fake.answer({ call_id, status: 'ok', result: 'late' });
    await fake.agent.idle();
    expect(seen).toMatchObject([{ type: 'artifact_response', artifact: { call_id, result: 'late' } }]);
  });

  it('SK-3 attack: a forged answer from another conversation does not settle the call', async () => {
    const fake = await Fake.start();
    const waiting = fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS);
    const { call_id } = await sentCall(fake);
    await fake.answer(
      { call_id, status: 'ok', result: 'forged' },
      { conversationId: OTHER_CONVERSATION, person: OTHER_PERSON },
    );
    await fake.answer({ call_id, status: 'ok', result: 'genuine' });
    expect(await waiting).toBe('genuine');
  });

  it('SK-3 attack: someone else in the conversation cannot answer for its person', async () => {
    const fake = await Fake.start();
    const waiting = fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS);
    const { call_id } = await sentCall(fake);
    await fake.answer({ call_id, status: 'ok', result: 'forged' }, { person: OTHER_PERSON });
    await fake.answer({ call_id, status: 'denied', reason: 'user_refused' });
    expect(await failure(waiting)).toMatchObject({ status: 'denied' });
  });

  it('TC-8 in a group the refusal of a member’s device settles the call', async () => {
    const fake = await Fake.start();
    const waiting = failure(fake.agent.callTool(GROUP, 'fetch_url', URL_ARGS));
    const { call_id } = await sentCall(fake);
    const reason = 'tool_not_supported_in_group';
    await fake.answer({ call_id, status: 'denied', reason }, { conversationId: GROUP, person: OTHER_PERSON });
    expect(await waiting).toMatchObject({ status: 'denied', reason });
  });

  it('SK-3 bad arguments are refused before anything is sent', async () => {
    const fake = await Fake.start();
    const error = await failure(fake.agent.callTool(CONVERSATION, 'fetch_url', { url: 'not a uri', extra: 1 }));
    expect(error).toMatchObject({ status: 'error', reason: 'TOOL_INVALID_ARGUMENTS' });
    expect(error.message).toContain('/url');
    expect(fake.sent).toHaveLength(0);
  });

  it('SK-3 arguments of a type of their own are sent as JSON says them', async () => {
    interface Page {
      readonly url: string;
      readonly method?: string | undefined;
    }
    const fake = await Fake.start();
    fake.asDevice(() => ({ status: 'ok', result: {} }));
    const page: Page = { ...URL_ARGS, method: undefined };
    await fake.agent.callTool(CONVERSATION, 'fetch_url', page, { timeoutMs: undefined, signal: undefined });
    expect(fake.toolCalls[0]!.arguments).toStrictEqual(URL_ARGS);
  });

  const endless: { self?: object } = {};
  endless.self = endless;
  it.each([
    ['a date', { url: new Date(0) }, '"url"'],
    ['a URL', { url: new URL('https://example.com') }, '"url"'],
    ['a map', { headers: new Map() }, '"headers"'],
    ['a number that is none', { depth: [Number.NaN] }, '"0"'],
    ['a hole in a list', { list: [undefined] }, '"0"'],
    ['a function', { '': () => {} }, '""'],
    ['a large integer', { size: 1n }, '"size"'],
    ['a circle', endless, 'circular'],
    ['a list', ['https://example.com'], 'JSON object'],
  ])('SK-3 %s is no JSON, and is refused by name before anything is sent', async (_, args, words) => {
    const fake = await Fake.start();
    const error = await failure(fake.agent.callTool(CONVERSATION, 'fetch_url', args));
    expect(error).toMatchObject({ status: 'error', reason: 'TOOL_INVALID_ARGUMENTS' });
    expect(error.message).toContain(words);
    expect(fake.sent).toHaveLength(0);
  });

  it('SK-3 a tool that is not declared is refused after looking for it once more', async () => {
    const fake = await Fake.start();
    await fake.agent.manifest();
    fake.clock.advance(2_000);
    const error = await failure(fake.agent.callTool(CONVERSATION, 'read_file'));
    expect(error).toMatchObject({ status: 'denied', reason: 'tool_not_declared' });
    expect(fake.calls.filter((path) => path === '/agents/:agent_id')).toHaveLength(2);
    expect(fake.sent).toHaveLength(0);
  });

  it('TC-7 RATE_LIMITED comes with the time to wait', async () => {
    const fake = await Fake.start();
    fake.onSend = () => {
      throw new ApiError({ status: 429, code: 'RATE_LIMITED', message: 'Too many.', retryAfterMs: 12_000 });
    };
    const error = await failure(fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS));
    expect(error).toMatchObject({ status: 'error', reason: 'RATE_LIMITED', retryAfterMs: 12_000 });
    expect(fake.clock.waiting).toBe(0);
  });

  it('CG-14 TC-3 a refusal that time alone ends comes with the time to wait, and says that trying again makes sense', async () => {
    const answerWith = async (more: { reason: string; retry_after_ms?: number }) => {
      const fake = await Fake.start();
      const waiting = fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS);
      const { call_id } = await sentCall(fake);
      await fake.answer({ call_id, status: 'denied', ...more });
      return failure(waiting);
    };
    const later = await answerWith({ reason: 'user_refused', retry_after_ms: 3_600_000 });
    expect(later).toMatchObject({ reason: 'user_refused', retryAfterMs: 3_600_000, retry: true });
    expect(await answerWith({ reason: 'not_today', retry_after_ms: 5 })).toMatchObject({ retryAfterMs: 5 });
    expect(await answerWith({ reason: 'user_refused' })).toMatchObject({ retryAfterMs: undefined, retry: false });
  });

  it('SK-3 stops waiting when the signal says so', async () => {
    const fake = await Fake.start();
    const controller = new AbortController();
    const waiting = failure(fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS, { signal: controller.signal }));
    await sentCall(fake);
    controller.abort(new Error('enough'));
    expect((await waiting).message).toBe('enough');
    expect(fake.clock.waiting).toBe(0);
    await expect(
      fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS, { signal: controller.signal }),
    ).rejects.toThrow('enough');
  });

  it('SK-3 calls at the same time get each its own answer, in whatever order they come', async () => {
    const fake = await Fake.start();
    const titles = Array.from({ length: 50 }, (_, n) => `t${n}`);
    const all = Promise.all(titles.map((title) => fake.agent.callTool(CONVERSATION, 'send_notification', { title })));
    await until(() => expect(fake.toolCalls).toHaveLength(50));
    for (const call of fake.toolCalls.toReversed()) {
      await fake.answer({ call_id: call.call_id, status: 'ok', result: call.arguments.title! });
    }
    expect(await all).toEqual(titles);
  });

  it('SK-3 a message handler may wait for the answer that comes behind its message', async () => {
    const fake = await Fake.start();
    fake.agent.addMessageHandler(async (msg) => {
      const result = await fake.agent.callTool<string>(msg.conversation_id, 'fetch_url', URL_ARGS);
      await fake.agent.send(msg.conversation_id, { type: 'text', text: result });
    });
    await fake.deliver({ type: 'text', text: 'what is on it?' });
    const { call_id } = await sentCall(fake);
    await fake.answer({ call_id, status: 'ok', result: 'a page' });
    await fake.agent.idle();
    expect(fake.sent.at(-1)!.payload).toEqual({ type: 'text', text: 'a page' });
  });

  it('SK-2 the manifest is fetched once, and again when capabilities change', async () => {
    const fake = await Fake.start();
    fake.asDevice(() => ({ status: 'ok', result: 1 }));
    for (let n = 0; n < 3; n++) await fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS);
    const reads = () => fake.calls.filter((path) => path === '/agents/:agent_id').length;
    expect(reads()).toBe(1);
    await fake.tell({ type: 'agent.capability_changed', eventId: 1 } as never);
    await fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS);
    expect(reads()).toBe(2);
  });

  it('SK-2 while the server cannot be asked, the manifest as last read is used', async () => {
    const fake = await Fake.start();
    fake.asDevice(() => ({ status: 'ok', result: 1 }));
    await fake.agent.manifest();
    fake.serve('/agents/:agent_id', () => {
      throw new ApiError({ status: 0, code: 'UNREACHABLE', message: 'gone' });
    });
    fake.clock.advance(61_000);
    expect(await fake.agent.callTool(CONVERSATION, 'fetch_url', URL_ARGS)).toBe(1);
  });
});
