import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, stepCountIs } from 'ai';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { toAiSdkTools } from '../src/bridges/ai-sdk.ts';
import { runAnthropicToolUses, toAnthropicTools } from '../src/bridges/anthropic.ts';
import { runOpenAIToolCalls, toOpenAITools } from '../src/bridges/openai.ts';
import { CONVERSATION, Fake } from './harness/fake.ts';
import { MANIFEST } from './harness/manifest.ts';
import { type Asked, chatCompletion, type StubModel, startStubModel } from './harness/stub-model.ts';

const PAGE = { body: 'An example', headers: {}, status_code: 200 };
const REFUSED = { status: 'denied', reason: 'user_refused' } as const;
let stub: StubModel;
afterEach(() => stub?.close());

async function startFake(response: typeof REFUSED | { status: 'ok'; result: typeof PAGE }): Promise<Fake> {
  const fake = await Fake.start();
  fake.asDevice(() => response);
  return fake;
}
const startAllowing = () => startFake({ status: 'ok', result: PAGE });
const startRefusing = () => startFake(REFUSED);

describe('SK-4 tool definitions', () => {
  it('SK-4 say what the tool does and that a person decides, and carry the schema', () => {
    const [fetchUrl, notify, locate] = toOpenAITools(MANIFEST);
    expect(fetchUrl).toMatchObject({
      type: 'function',
      function: {
        name: 'fetch_url',
        description: 'Opens a web address. Runs on the user’s device; the user may be asked and may refuse.',
        parameters: { type: 'object', required: ['url'], additionalProperties: false },
      },
    });
    expect(notify!.function.description).toBe('Shows a short message. Runs on the user’s device.');
    expect(locate!.function).toMatchObject({
      description: expect.stringContaining('every time'),
      parameters: { type: 'object', properties: {} },
    });
  });

  it('SK-4 CM-6 carry a draft-07 schema in the words of 2020-12, as models are told no dialect', () => {
    const [tool, ...others] = MANIFEST.tools;
    const input_schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { pair: { type: 'array', items: [{ type: 'string' }], additionalItems: false } },
    };
    const [described] = toOpenAITools({ ...MANIFEST, tools: [{ ...tool!, input_schema }, ...others] });
    expect(described!.function.parameters).toEqual({
      type: 'object',
      properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false } },
    });
  });

  it('SK-4 can be chosen, in Chinese too, and do not share the manifest’s objects', () => {
    const [tool, ...others] = toAnthropicTools(MANIFEST, { only: ['fetch_url'], locale: 'zh-CN' });
    expect(others).toEqual([]);
    expect(tool!.description).toBe('打开一个网址。在用户的设备上运行；可能会询问用户，用户可以拒绝。');
    (tool!.input_schema.properties as Asked).url.type = 'number';
    expect(MANIFEST.tools[0]!.input_schema).toMatchObject({ properties: { url: { type: 'string' } } });
  });
});

describe('SK-4 openai', () => {
  const calls = [
    { id: 'call_1', name: 'fetch_url', arguments: '{"url":"https://example.com"}' },
    { id: 'call_2', name: 'fetch_url', arguments: '{"url":' },
    { id: 'call_3', name: 'no_such_tool', arguments: '' },
  ];
  const talk = async (fake: Fake) => {
    stub = await startStubModel(({ messages }) =>
      messages.some(({ role }: Asked) => role === 'tool') ? chatCompletion('done') : chatCompletion(null, calls),
    );
    const openai = new OpenAI({ baseURL: stub.url, apiKey: 'none' });
    const tools = toOpenAITools(await fake.agent.manifest());
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'what is on example.com?' }];
    const first = await openai.chat.completions.create({ model: 'stub', messages, tools });
    const { message } = first.choices[0]!;
    messages.push(message, ...(await runOpenAIToolCalls(fake.agent, CONVERSATION, message)));
    const last = await openai.chat.completions.create({ model: 'stub', messages, tools });
    return { text: last.choices[0]!.message.content, answers: stub.asked[1].messages.slice(2) };
  };

  it('SK-4 a model’s calls become tool calls, and results and mistakes go back in its format', async () => {
    const fake = await startAllowing();
    const { text, answers } = await talk(fake);
    expect(text).toBe('done');
    expect(stub.asked[0].tools).toHaveLength(3);
    expect(answers.map(({ role, tool_call_id }: Asked) => [role, tool_call_id])).toEqual([
      ['tool', 'call_1'],
      ['tool', 'call_2'],
      ['tool', 'call_3'],
    ]);
    expect(answers.map(({ content }: Asked) => JSON.parse(content))).toMatchObject([
      PAGE,
      { error: { status: 'error', reason: 'TOOL_INVALID_ARGUMENTS' } },
      { error: { status: 'denied', reason: 'tool_not_declared' } },
    ]);
    expect(fake.toolCalls).toHaveLength(1);
  });

  it('SK-4 a refusal goes back, too', async () => {
    const { answers } = await talk(await startRefusing());
    expect(JSON.parse(answers[0].content)).toMatchObject({ error: { status: 'denied', reason: 'user_refused' } });
  });

  it('SK-4 asks one thing at a time unless told otherwise', async () => {
    const fake = await Fake.start();
    let running = 0;
    let most = 0;
    const agent = {
      callTool: async <R>() => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
        return 'ok' as R;
      },
    };
    const call = { type: 'function', function: { name: 'fetch_url', arguments: '{}' } };
    const message = {
      tool_calls: [
        { id: 'a', ...call },
        { id: 'b', ...call },
      ],
    };
    const answers = await runOpenAIToolCalls(agent, CONVERSATION, message);
    expect(most).toBe(1);
    expect(answers.map(({ content }) => content)).toEqual(['ok', 'ok']);
    await runOpenAIToolCalls(agent, CONVERSATION, message, { parallel: true });
    expect(most).toBe(2);
    expect(await runOpenAIToolCalls(fake.agent, CONVERSATION, { tool_calls: null })).toEqual([]);
  });

  it('SK-4 a caller who stops is told so, not the model', async () => {
    const fake = await startAllowing();
    const message = { tool_calls: [{ id: 'a', type: 'function', function: calls[0]! }] };
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(runOpenAIToolCalls(fake.agent, CONVERSATION, message, { signal })).rejects.toThrow('stopped');
  });
});

describe('SK-4 anthropic', () => {
  const answer = (content: Asked[], stop_reason: string) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'stub',
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  const use = { type: 'tool_use', id: 'toolu_1', name: 'fetch_url', input: { url: 'https://example.com' } };
  const talk = async (fake: Fake) => {
    stub = await startStubModel(({ messages }) =>
      messages.length === 1
        ? answer([{ type: 'text', text: 'Let me look.' }, use], 'tool_use')
        : answer([{ type: 'text', text: 'done' }], 'end_turn'),
    );
    const anthropic = new Anthropic({ baseURL: stub.url, apiKey: 'none' });
    const tools = toAnthropicTools(await fake.agent.manifest());
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'what is on example.com?' }];
    const first = await anthropic.messages.create({ model: 'stub', max_tokens: 64, messages, tools });
    const results = await runAnthropicToolUses(fake.agent, CONVERSATION, first);
    messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: results });
    const last = await anthropic.messages.create({ model: 'stub', max_tokens: 64, messages, tools });
    return { last, results: stub.asked[1].messages.at(-1).content };
  };

  it('SK-4 tool_use becomes a tool call, and its result a tool_result', async () => {
    const { last, results } = await talk(await startAllowing());
    expect(last.content).toMatchObject([{ type: 'text', text: 'done' }]);
    expect(stub.asked[0].tools[0]).toMatchObject({ name: 'fetch_url', input_schema: { type: 'object' } });
    expect(results).toEqual([{ type: 'tool_result', tool_use_id: 'toolu_1', content: JSON.stringify(PAGE) }]);
  });

  it('SK-4 a refusal is a tool_result that says is_error', async () => {
    const { results } = await talk(await startRefusing());
    expect(results).toMatchObject([{ tool_use_id: 'toolu_1', is_error: true }]);
    expect(JSON.parse(results[0].content)).toMatchObject({ error: { reason: 'user_refused' } });
  });
});

describe('SK-4 ai sdk', () => {
  const talk = async (fake: Fake, args = '{"url":"https://example.com"}') => {
    stub = await startStubModel(({ messages }) =>
      messages.some(({ role }: Asked) => role === 'tool')
        ? chatCompletion('done')
        : chatCompletion(null, [{ id: 'call_1', name: 'fetch_url', arguments: args }]),
    );
    const provider = createOpenAICompatible({ name: 'stub', baseURL: stub.url });
    const { text } = await generateText({
      model: provider('stub'),
      prompt: 'what is on example.com?',
      tools: toAiSdkTools(fake.agent, CONVERSATION, await fake.agent.manifest()),
      stopWhen: stepCountIs(3),
    });
    return { text, answer: stub.asked[1].messages.at(-1) };
  };

  it('SK-4 the model’s calls are executed on the device', async () => {
    const { text, answer } = await talk(await startAllowing());
    expect(text).toBe('done');
    expect(stub.asked[0].tools[0].function).toMatchObject({
      name: 'fetch_url',
      parameters: { properties: { url: { format: 'uri' } }, additionalProperties: false },
    });
    expect(answer).toMatchObject({ role: 'tool', tool_call_id: 'call_1', content: JSON.stringify(PAGE) });
  });

  it('SK-4 a refusal reaches the model in words', async () => {
    const { text, answer } = await talk(await startRefusing());
    expect(text).toBe('done');
    expect(answer.content).toContain('user_refused');
  });

  it('SK-4 bad arguments reach nobody but the model', async () => {
    const fake = await startAllowing();
    const { answer } = await talk(fake, '{"url":"not a uri"}');
    expect(fake.sent).toHaveLength(0);
    expect(answer.content).toContain('fetch_url');
  });
});
