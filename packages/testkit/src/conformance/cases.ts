import { randomUUID } from 'node:crypto';
import type { ToolCall, ToolResponse } from '@parley/protocol';
import { until } from '../until.ts';
import { startAgent } from './agent.ts';
import type { ClientUnderTest, ConnectClient } from './client.ts';
import { DEMANDING, DISARMED, EXECUTORS, MANIFEST, SCOPES } from './manifest.ts';

type Agent = Awaited<ReturnType<typeof startAgent>>;

/** What every client must do with tool calls (chapter 4). It throws instead of using a test runner. */
export interface ClientCase {
  /** Begins with the rule id. */
  readonly title: string;
  run(to: { readonly url: string; readonly connect: ConnectClient }): Promise<void>;
}

interface Scene {
  readonly client: ClientUnderTest;
  readonly agent: Agent;
  readonly conversationId: string;
  call(call: Partial<ToolCall>): Promise<ToolResponse>;
  /** The call is refused with this reason; nobody is asked, and nothing runs. */
  refuses(call: Partial<ToolCall>, status: ToolResponse['status'], reason: string): Promise<void>;
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a?.slice(0, 300)} instead of ${b?.slice(0, 300)}`);
}

function check(title: string, scopes: readonly string[], work: (scene: Scene) => Promise<void>): ClientCase {
  return {
    title,
    run: async ({ url, connect }) => {
      const agent = await startAgent(url, MANIFEST);
      const client = await connect({ url, executors: EXECUTORS });
      try {
        const { conversationId } = await client.add(agent.agentId, scopes);
        const call = (request: Partial<ToolCall>) => agent.call(conversationId, request);
        const refuses: Scene['refuses'] = async (request, status, reason) => {
          const before = client.executed().length;
          const answer = await call(request);
          same([answer.status, answer.reason], [status, reason], 'the answer');
          same(client.questions(), 0, 'questions');
          same(client.executed().length, before, 'executions');
        };
        await work({ client, agent, conversationId, call, refuses });
      } finally {
        await client.close();
        await agent.close();
      }
    },
  };
}

const text = (words: string) => ({ arguments: { text: words } });

export const CLIENT_CASES: readonly ClientCase[] = [
  check('CG-2 a tool that is not declared is refused', SCOPES, ({ refuses }) =>
    refuses({ tool_name: 'format_disk', permission_scope: 'note:low' }, 'denied', 'tool_not_declared'),
  ),
  check('CG-3 a scope that is not granted is refused', ['note:low'], async ({ refuses, call }) => {
    await refuses({ tool_name: 'say_medium' }, 'denied', 'scope_not_granted');
    await refuses({ tool_name: 'say_high' }, 'denied', 'scope_not_granted');
    same((await call({ tool_name: 'say_low' })).status, 'ok', 'what is granted');
  }),
  check('CG-3 a call that names a weaker scope is refused', SCOPES, ({ refuses }) =>
    refuses({ tool_name: 'say_high', permission_scope: 'note:low' }, 'denied', 'scope_not_granted'),
  ),
  check('CG-3 a scope that was taken back is refused', SCOPES, async ({ client, agent, refuses }) => {
    await client.revoke(agent.agentId, 'note:low');
    await refuses({ tool_name: 'say_low' }, 'denied', 'permission_revoked');
  }),
  check('RL-9 a scope that waits for re-authorisation is refused', SCOPES, async ({ agent, refuses }) => {
    await agent.publish(DEMANDING);
    const call = { tool_name: 'say_low', arguments: { text: 'a', to: 'b' } };
    await refuses(call, 'denied', 'scope_not_granted');
  }),
  check('CG-4 arguments that do not fit are refused', SCOPES, async ({ refuses }) => {
    for (const args of [{}, { text: 7 }, { text: 'x'.repeat(101) }, { text: 'a', more: 1 }]) {
      await refuses({ tool_name: 'say_low', arguments: args }, 'error', 'TOOL_INVALID_ARGUMENTS');
    }
  }),
  check('CG-5 an executor that belongs to another scope is not used', SCOPES, ({ refuses }) =>
    refuses({ tool_name: 'say_secret', permission_scope: 'note:low' }, 'error', 'TOOL_UNAVAILABLE'),
  ),
  check('CG-6 low runs, medium is asked once, high each time', SCOPES, async ({ client, call }) => {
    same((await call({ tool_name: 'say_low' })).result, { said: 'hello' }, 'low');
    const medium = call({ tool_name: 'say_medium' });
    await client.answer('allow');
    same((await medium).status, 'ok', 'medium');
    same((await call({ tool_name: 'say_medium', ...text('again') })).status, 'ok', 'medium, silent');
    for (const words of ['one', 'two']) {
      const high = call({ tool_name: 'say_high', ...text(words) });
      await client.answer('allow');
      same((await high).status, 'ok', `high, ${words}`);
    }
    same(client.executed().length, 5, 'executions');
  }),
  check('CG-6 what the person refuses does not run', SCOPES, async ({ client, call }) => {
    for (const tool_name of ['say_medium', 'say_high']) {
      const answer = call({ tool_name });
      await client.answer('deny');
      same([(await answer).status, (await answer).reason], ['denied', 'user_refused'], tool_name);
    }
    same(client.executed(), [], 'executions');
  }),
  check('CG-6 a manifest that lowers its levels later disarms no question', SCOPES, async ({ client, agent, call }) => {
    await agent.publish(DISARMED);
    const answer = call({ tool_name: 'say_high' });
    await client.answer('deny');
    same((await answer).reason, 'user_refused', 'the answer');
    same(client.executed(), [], 'executions');
  }),
  check('CG-7 an approval is good for one call', SCOPES, async ({ client, call }) => {
    const first = call({ tool_name: 'say_high', ...text('once') });
    await client.answer('allow');
    same((await first).status, 'ok', 'the first');
    const second = call({ tool_name: 'say_high', ...text('once') });
    await client.answer('deny');
    same((await second).reason, 'user_refused', 'the second, the same in all but its id');
    same(client.executed().length, 1, 'executions');
  }),
  check('CG-7 an approval that comes too late is none', SCOPES, async ({ client, call }) => {
    const expires_at = new Date(Date.now() + 1_000).toISOString();
    const answer = await call({ tool_name: 'say_high', expires_at });
    same([answer.status, answer.reason], ['denied', 'user_timeout'], 'the answer');
    same(client.questions(), 0, 'questions left open');
    same(client.executed(), [], 'executions');
  }),
  check('TC-2 a call whose time is over is not asked about', SCOPES, async ({ refuses }) => {
    const expires_at = new Date(Date.now() - 1_000).toISOString();
    await refuses({ tool_name: 'say_low', expires_at }, 'denied', 'user_timeout');
    await refuses({ tool_name: 'say_high', expires_at }, 'denied', 'user_timeout');
  }),
  check('CG-11 the same call twice runs once, and both get the answer', SCOPES, async ({ client, agent, call }) => {
    const request = { tool_name: 'say_low', call_id: randomUUID() };
    const first = await call(request);
    const second = await call(request);
    same(second, first, 'the second answer');
    same(agent.answers(request.call_id), 2, 'answers');
    same(client.executed().length, 1, 'executions');
  }),
  check('CG-11 the id of a call that was approved does not carry other arguments', SCOPES, async ({ client, call }) => {
    const call_id = randomUUID();
    const first = call({ tool_name: 'say_high', call_id, ...text('harmless') });
    await client.answer('allow');
    same((await first).status, 'ok', 'the first');
    const second = await call({ tool_name: 'say_high', call_id, ...text('harmful') });
    same(second.status === 'ok', false, 'the second is ok');
    same(client.executed().length, 1, 'executions');
  }),
  check('TC-8 in a group every call is refused', SCOPES, async ({ client, agent }) => {
    const group = await client.startGroup(agent.agentId);
    for (const tool_name of ['say_low', 'say_high', 'format_disk']) {
      const answer = await agent.call(group, { tool_name });
      same([answer.status, answer.reason], ['denied', 'tool_not_supported_in_group'], tool_name);
    }
    same(client.executed(), [], 'executions');
  }),
  check('TC-6 a call hidden under another label does nothing', [], async ({ client, agent: { keyed } }) => {
    const { conversationId } = await client.add(keyed.agentId, SCOPES);
    await keyed.send(conversationId, { tool_name: 'say_low', ...text('hidden') }, 'artifact');
    await keyed.send(conversationId, { tool_name: 'say_high', ...text('hidden') }, 'artifact');
    await keyed.send(conversationId, { tool_name: 'say_low', ...text('open') }, 'artifact_tool_call');
    // Calls arrive in order: when this one ran, the others had been seen.
    await until(() => same(client.executed().at(-1)?.args.text, 'open', 'the last execution'));
    same(
      client.executed().map(({ args }) => args.text),
      ['open'],
      'executions',
    );
    same(client.questions(), 0, 'questions');
  }),
];
