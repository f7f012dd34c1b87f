import { createMemoryStore } from '@parley/messenger';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import { HasheeAgent } from '../src/hashee-agent.ts';
import { createWebhookHandler } from '../src/webhook/handler.ts';
import { WebhookAgent } from '../src/webhook/webhook-agent.ts';
import { CONVERSATION, DEVICE, Fake, OTHER_CONVERSATION, OTHER_PERSON, PERSON } from './harness/fake.ts';

const hello = { type: 'text', text: 'hello' } as const;

describe('SK-1 init', () => {
  const agentId = '0192f3a4-0000-7000-8000-000000000001';
  const whole = { agentId, token: 'hsk_1', baseUrl: 'http://127.0.0.1:1', connectionMode: 'webhook' as const };
  const keystore = createMemoryStore();

  it.each([
    ['agentId', { agentId: undefined }],
    ['agentId', { agentId: '' }],
    ['token', { token: undefined }],
    ['baseUrl', { baseUrl: undefined }],
  ])('SK-1 says that %s is missing, in every runtime', async (name, missing) => {
    const options = { ...whole, webhookSecret: undefined, ...missing };
    await expect(HasheeAgent.init(options)).rejects.toThrow(new TypeError(`${name}: must be given`));
    await expect(WebhookAgent.init({ ...options, keystore })).rejects.toThrow(new TypeError(`${name}: must be given`));
  });

  it('SK-1 a webhook cannot be answered without its secret', () => {
    const agent = { webhookSecrets: [] } as unknown as HasheeAgent;
    expect(() => createWebhookHandler(agent)).toThrow('webhookSecret: must be given to init');
  });
});

describe('SK-1 handlers', () => {
  it('SK-1 run in order, and one that fails does not stop the rest', async () => {
    const fake = await Fake.start();
    const seen: string[] = [];
    fake.agent.addMessageHandler(async () => {
      await Promise.resolve();
      seen.push('first');
    });
    fake.agent.addMessageHandler(() => {
      throw new Error('mine');
    });
    fake.agent.addMessageHandler(() => Promise.reject(new Error('and mine')));
    fake.agent.addMessageHandler(() => seen.push('last'));
    await fake.deliver(hello);
    await fake.agent.idle();
    expect(seen).toEqual(['first', 'last']);
    expect(fake.errors.map((error) => (error as Error).message)).toEqual(['mine', 'and mine']);
  });

  it('SK-1 a handler is removed by what adding it gave back, once for each time it was added', async () => {
    const fake = await Fake.start();
    let count = 0;
    const handler = () => {
      count += 1;
    };
    const remove = fake.agent.addMessageHandler(handler);
    fake.agent.addMessageHandler(handler);
    remove();
    remove();
    await fake.deliver(hello);
    await fake.agent.idle();
    expect(count).toBe(1);
    expect(() => fake.agent.addMessageHandler(undefined as never)).toThrow(TypeError);
  });

  it('SK-1 what came before the first handler was added waits for it', async () => {
    const fake = await Fake.start();
    await fake.deliver({ type: 'text', text: 'early' });
    await fake.answer({ call_id: 'a', status: 'ok' });
    const texts: string[] = [];
    fake.agent.addMessageHandler((msg) => texts.push(msg.payload.text));
    fake.agent.addEventHandler((event) => texts.push(event.type));
    await fake.agent.idle();
    expect(texts.sort()).toEqual(['artifact_response', 'early']);
  });

  it('SK-1 within a conversation a message waits for the one before, among several it does not', async () => {
    const fake = await Fake.start();
    const seen: string[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    fake.agent.addMessageHandler(async ({ payload }) => {
      if (payload.text === 'slow') await gate;
      seen.push(payload.text);
    });
    await fake.deliver({ type: 'text', text: 'slow' });
    await fake.deliver({ type: 'text', text: 'next' });
    await fake.deliver(
      { type: 'text', text: 'elsewhere' },
      { conversationId: OTHER_CONVERSATION, person: OTHER_PERSON },
    );
    await until(() => expect(seen).toEqual(['elsewhere']));
    release();
    await fake.agent.idle();
    expect(seen).toEqual(['elsewhere', 'slow', 'next']);
  });

  it('SK-1 a conversation that is flooded is not read further until its handlers catch up', async () => {
    const fake = await Fake.start();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let handled = 0;
    fake.agent.addMessageHandler(async () => {
      await gate;
      handled += 1;
    });
    for (let n = 0; n < 255; n++) await fake.deliver(hello);
    let taken = false;
    const next = fake.deliver(hello).then(() => {
      taken = true;
    });
    await Promise.resolve();
    expect(taken).toBe(false);
    release();
    await next;
    expect(handled).toBe(256);
  });

  it('SK-1 statuses are told', async () => {
    const fake = await Fake.start();
    const seen: string[] = [];
    fake.agent.addStatusHandler((status) => seen.push(status));
    fake.say('offline');
    fake.say('online');
    await fake.agent.idle();
    expect(seen).toEqual(['offline', 'online']);
    expect(fake.agent.status).toBe('online');
  });
});

describe('SK-2 messages and events have the shapes of the seeds', () => {
  it('SK-2 a message', async () => {
    const fake = await Fake.start();
    const seen: unknown[] = [];
    fake.agent.addMessageHandler((msg) => seen.push(msg));
    await fake.deliver(hello);
    await fake.deliver({ type: 'image', name: 'cat.png', mime_type: 'image/png', data: 'AA==', caption: 'a cat' });
    await fake.deliver({ type: 'file', name: 'a.bin', mime_type: 'application/octet-stream', data: 'AA==' });
    await fake.agent.idle();
    expect(seen).toMatchObject([
      {
        conversation_id: CONVERSATION,
        sender: { kind: 'human', id: PERSON, device_id: DEVICE },
        payload: { type: 'text', text: 'hello' },
      },
      { payload: { type: 'image', text: 'a cat', name: 'cat.png' } },
      { payload: { type: 'file', text: '' } },
    ]);
  });

  it('SK-2 an artifact_response says the same in artifact and payload', async () => {
    const fake = await Fake.start();
    const seen: unknown[] = [];
    fake.agent.addEventHandler((event) => seen.push(event));
    await fake.answer({ call_id: 'c1', status: 'denied', reason: 'user_rejected' });
    await fake.agent.idle();
    const fields = { call_id: 'c1', status: 'denied', reason: 'user_refused' };
    expect(seen).toMatchObject([
      {
        type: 'artifact_response',
        conversation_id: CONVERSATION,
        artifact: { subtype: 'tool_response', ...fields },
        payload: { ref_artifact_subtype: 'tool_response', ...fields },
      },
    ]);
  });

  it('SK-2 what a person did with a card is an event, too', async () => {
    const fake = await Fake.start();
    const seen: unknown[] = [];
    const messages: unknown[] = [];
    fake.agent.addEventHandler((event) => seen.push(event));
    fake.agent.addMessageHandler((message) => messages.push(message));
    const artifact = { artifact_id: 'f', subtype: 'form', action: 'save', values: { name: 'Ada' } } as const;
    await fake.deliver({ type: 'artifact', artifact });
    await fake.agent.idle();
    expect(seen).toMatchObject([{ artifact, payload: { ref_artifact_subtype: 'form', action: 'save' } }]);
    expect(messages).toEqual([]);
  });

  it('SK-2 events of the platform keep their names', async () => {
    const fake = await Fake.start();
    const seen: unknown[] = [];
    fake.agent.addEventHandler((event) => seen.push(event));
    await fake.tell({ type: 'relation.revoked', eventId: 7, agent_id: 'a', reason: 'user' } as never);
    await fake.tell({ type: 'message.ack', eventId: 8 } as never);
    await fake.agent.idle();
    expect(seen).toEqual([{ type: 'relation.revoked', event_id: 7, agent_id: 'a', reason: 'user' }]);
  });
});

describe('SK-1 disconnect', () => {
  it('SK-1 lets handlers finish and say what they have to say, then nothing more happens', async () => {
    const fake = await Fake.start();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const outcomes: string[] = [];
    fake.agent.addMessageHandler(async (msg) => {
      await gate;
      await fake.agent.send(msg.conversation_id, { type: 'text', text: 'bye' });
      outcomes.push(msg.payload.text);
    });
    await fake.deliver({ type: 'text', text: 'one' });
    await fake.deliver({ type: 'text', text: 'two' });
    const done = fake.agent.disconnect();
    expect(fake.agent.disconnect()).toBe(done);
    let isAcknowledged = false;
    const late = fake.deliver({ type: 'text', text: 'too late' }).then(() => {
      isAcknowledged = !fake.closed;
    });
    expect(fake.closed).toBe(false);
    release();
    await done;
    await late;
    expect(isAcknowledged).toBe(false);
    expect(outcomes).toEqual(['one', 'two']);
    expect(fake.closed).toBe(true);
    expect(fake.clock.waiting).toBe(0);
    await expect(fake.agent.send(CONVERSATION, hello)).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('SK-1 gives up calls that wait for a person', async () => {
    const fake = await Fake.start();
    const call = fake.agent.callTool(CONVERSATION, 'fetch_url', { url: 'https://a.com' }).catch((error) => error);
    await until(() => expect(fake.toolCalls).toHaveLength(1));
    await fake.agent.disconnect();
    expect(await call).toMatchObject({ status: 'error', reason: 'disconnected' });
    const after = fake.agent.callTool(CONVERSATION, 'fetch_url', { url: 'https://a.com' });
    await expect(after).rejects.toMatchObject({ reason: 'disconnected' });
  });

  it('SK-1 does not wait for ever for a handler that never ends', async () => {
    const fake = await Fake.start();
    fake.agent.addMessageHandler(() => new Promise(() => {}));
    await fake.deliver(hello);
    const done = fake.agent.disconnect();
    fake.clock.advance(5_000);
    await done;
    expect(fake.closed).toBe(true);
  });
});
