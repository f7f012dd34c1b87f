import type { SkillDescriptor } from '@parley/documents/skill';
import type { Block } from '@parley/protocol';
import { createTaskHandler, type TaskAgent } from '@parley/skills/provider';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import { describeSkill, serve } from './served.ts';

const OUTPUT: SkillDescriptor['output'] = {
  content_type: 'application/json',
  schema: {
    type: 'object',
    properties: {
      verdict: { type: 'string', enum: ['good', 'bad'] },
      score: { type: 'integer', minimum: 1, maximum: 5 },
      note: { type: 'string' },
      again: { type: 'boolean' },
    },
    required: ['verdict', 'score', 'again'],
  },
};
const TASK = { capability_type: 'task', output: OUTPUT } as const;

interface Shown {
  readonly artifact_id: string;
  readonly revision?: number;
  readonly blocks: readonly Block[];
}

/** An agent whose person does what the test says. */
function fakeAgent() {
  const cards: Shown[] = [];
  let hear: (event: object) => unknown = () => {};
  const agent: TaskAgent = {
    sendArtifact: async (_conversation, card) => void cards.push(card),
    updateArtifact: async (_conversation, artifact_id, card) => void cards.push({ artifact_id, ...card }),
    addEventHandler: (handler) => {
      hear = handler as typeof hear;
      return () => {};
    },
  };
  const answer = (action: string, values: Record<string, string | boolean> = {}, conversation_id = 'c') =>
    hear({
      type: 'artifact_response',
      conversation_id,
      artifact: { artifact_id: cards.at(-1)!.artifact_id, subtype: 'form', action, values },
    });
  const actions = () => cards.at(-1)!.blocks.flatMap((block) => (block.tag === 'action' ? [block.id] : []));
  return { agent, cards, answer, actions };
}

async function serveTask() {
  const person = fakeAgent();
  const handler = createTaskHandler(person.agent, { descriptor: describeSkill(TASK), conversationId: 'c' });
  const served = await serve(handler, {}, TASK);
  const { execution_id: id } = (await served.invoke({ text: 'Is it good?' })).body as { execution_id: string };
  await until(() => expect(person.cards).toHaveLength(1));
  return { ...served, ...person, id };
}

describe('SI-5 a task is handed to a person as a card', () => {
  it('accepted, filled in and done: the form’s fields become the output', async () => {
    const { answer, actions, cards, finish, get, id } = await serveTask();
    expect(actions()).toEqual(['accept', 'reject']);
    expect(JSON.stringify(cards[0])).toContain('Is it good?');
    answer('accept');
    await until(() => expect(actions()).toEqual(['done', 'reject']));
    expect((await get(`/count/status/${id}`)).body.status).toBe('running');
    const fields = cards
      .at(-1)!
      .blocks.flatMap((block) => ('id' in block && block.tag !== 'action' ? [block.tag] : []));
    expect(fields).toEqual(['select', 'input', 'input', 'checkbox']);
    answer('done', { verdict: 'good', score: '4', note: '', again: true });
    expect((await finish(id)).body.status).toBe('completed');
    expect((await get(`/count/result/${id}`)).body.output).toEqual({ verdict: 'good', score: 4, again: true });
    expect(actions()).toEqual([]);
  });

  it('what does not fit the schema is asked for again, by name', async () => {
    const { answer, cards, finish, id } = await serveTask();
    answer('accept');
    await until(() => expect(cards).toHaveLength(2));
    answer('done', { verdict: 'awful', score: 'many', again: false });
    await until(() => expect(cards).toHaveLength(3));
    expect(JSON.stringify(cards[2])).toMatch(/verdict.*score|score.*verdict/);
    answer('done', { verdict: 'bad', score: '1' });
    expect((await finish(id)).body.status).toBe('completed');
    const revisions = cards.map(({ revision = 1 }) => revision);
    expect(revisions).toEqual([1, 2, 3, 4]);
  });

  it('declined: the execution has failed, and says so', async () => {
    const { answer, finish, id, actions } = await serveTask();
    answer('reject');
    expect((await finish(id)).body.error).toMatchObject({ code: 'EXECUTION_FAILED', details: { reason: 'declined' } });
    expect(actions()).toEqual([]);
  });

  it('cancelled by the caller: the card is withdrawn', async () => {
    const { post, cards, id, actions } = await serveTask();
    await post(`/count/cancel/${id}`);
    await until(() => expect(cards).toHaveLength(2));
    expect(actions()).toEqual([]);
  });

  it('an answer from another conversation settles nothing', async () => {
    const { answer, get, id, finish } = await serveTask();
    answer('reject', {}, 'another');
    expect((await get(`/count/status/${id}`)).body.status).toBe('running');
    answer('reject');
    expect((await finish(id)).body.status).toBe('failed');
  });

  it('after a restart the same card asks again, with a higher revision; an answer that came first is not lost', async () => {
    const { agent, cards, answer } = fakeAgent();
    const handler = createTaskHandler(agent, { descriptor: describeSkill(TASK), conversationId: 'c', locale: 'zh-CN' });
    const context = {
      executionId: 'e',
      callerId: 'a',
      caller: { id: 'a', type: 'user' },
      attempt: 2,
      signal: new AbortController().signal,
      progress: () => {},
    } as const;
    cards.push({ artifact_id: 'task-e', blocks: [] });
    answer('done', { verdict: 'good', score: '5', again: false });
    expect(await handler({ text: 'x' }, context)).toEqual({ verdict: 'good', score: 5, again: false });
    expect(cards.map(({ artifact_id }) => artifact_id)).toEqual(Array(4).fill('task-e'));
    expect(cards[2]!.revision).toBeGreaterThan(20);
  });

  it('an output that no form has fields for is written as JSON, or as text', async () => {
    const { agent, cards, answer } = fakeAgent();
    const output = { content_type: 'application/json', schema: { type: 'array', items: { type: 'integer' } } };
    const served = await serve(
      createTaskHandler(agent, { descriptor: describeSkill({ output }), conversationId: 'c' }),
      {},
      { output },
    );
    const { execution_id: id } = (await served.invoke({ text: 'a' })).body;
    await until(() => expect(cards).toHaveLength(1));
    answer('done', { result: 'not json' });
    await until(() => expect(cards).toHaveLength(2));
    answer('done', { result: '[1, 2]' });
    await served.finish(id);
    expect((await served.get(`/count/result/${id}`)).body.output).toEqual([1, 2]);
  });
});
