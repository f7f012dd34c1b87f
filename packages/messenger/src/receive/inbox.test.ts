import { createDeferred } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import type { Delivered, Opener } from '../encryption/opener.ts';
import { createMemoryStore } from '../stores/memory.ts';
import type { Store } from '../stores/store.ts';
import { createWriteBuffer } from '../stores/write-buffer.ts';
import type { Incoming, Problem } from '../types.ts';
import { loadInbox } from './inbox.ts';

const CONVERSATION = 'c';
const message = (seq: number) =>
  ({
    conversation_id: CONVERSATION,
    conversation_seq: seq,
    message_id: `m${seq}`,
    envelope: { header: {}, wraps: [] as unknown },
  }) as Delivered;

async function setUp(
  open: (message: Delivered) => Incoming,
  store: Store = createMemoryStore(),
  { isQuick = false } = {},
) {
  const problems: Problem[] = [];
  const handled: number[] = [];
  const acknowledged: number[] = [];
  const setTimer = (run: () => void) => {
    queueMicrotask(run);
    return () => {};
  };
  const writeBuffer = createWriteBuffer({
    store,
    setTimer,
    onBroken: (error) => problems.push({ kind: 'store', error }),
  });
  const opener = {
    open: async (one: Delivered) => {
      const incoming = open(one);
      writeBuffer.set(`peer/${one.conversation_seq}`, 'opened');
      return { state: 'opened', incoming };
    },
  } as unknown as Opener;
  const inbox = await loadInbox({
    store,
    writeBuffer,
    opener,
    address: 'device',
    retrier: { run: (task) => task(), wake: () => {}, stop: () => {} },
    setTimer,
    yieldSlice: () => undefined,
    onMessage: async ({ seq }) => {
      // After the batch with the message in it was made.
      if (!isQuick) await writeBuffer.saved();
      handled.push(seq);
    },
    acknowledge: (_, seq) => acknowledged.push(seq),
    report: (problem) => problems.push(problem),
  });
  inbox.start();
  const settle = async () => {
    await inbox.idle();
    await writeBuffer.saved().catch(() => {});
    await new Promise(setImmediate);
  };
  return { inbox, problems, handled, acknowledged, settle };
}

const incoming = ({ conversation_seq: seq }: Delivered) =>
  ({ conversationId: CONVERSATION, seq, payload: { type: 'text', text: 'x' } }) as Incoming;

describe('EE-26 one bad message stops nobody', () => {
  it('that cannot be written fails alone, loudly; the others of its batch are kept and acknowledged', async () => {
    const bad = { toJSON: () => expect.unreachable('too deep') };
    const { inbox, problems, handled, acknowledged, settle } = await setUp((one) =>
      one.conversation_seq === 2 ? ({ ...incoming(one), payload: bad } as unknown as Incoming) : incoming(one),
    );
    await Promise.all([1, 2, 3].map((seq) => inbox.receive(message(seq))));
    await settle();
    expect(handled).toEqual([1, 2, 3]);
    expect(problems).toMatchObject([{ kind: 'handler' }]);
    expect(Math.max(...acknowledged)).toBe(3);
  });

  it('that cannot be looked at is told as lost, and the next one comes', async () => {
    const { inbox, problems, handled, acknowledged, settle } = await setUp((one) => {
      if (one.conversation_seq === 1) throw new ApiError({ status: 422, code: 'VALIDATION_FAILED' });
      return incoming(one);
    });
    expect(await inbox.receive(message(1))).toBe('refused');
    expect(await inbox.receive(message(2))).toBe('opened');
    await settle();
    expect(handled).toEqual([2]);
    expect(problems).toMatchObject([{ kind: 'handler' }, { kind: 'undecryptable', seq: 1, reason: 'failed' }]);
    expect(Math.max(...acknowledged)).toBe(2);
  });

  it('nor do a hundred thousand that wait to be handled keep it from connecting again', async () => {
    const rows = Array.from({ length: 150_000 }, (_, seq) => [`inbox/c/${seq}`, `{"conversationId":"c","seq":${seq}}`]);
    const store: Store = { ...createMemoryStore(), list: async () => rows as [string, string][] };
    const { inbox } = await setUp(incoming, store);
    inbox.stop();
    expect(inbox.positions()).toEqual({ c: 149_999 });
  });
});

describe('EE-7 what is acknowledged is on disk', () => {
  it('EE-7 attack: a crash after a message was handled while a batch was on its way; the server can not hand it out twice', async () => {
    const memory = createMemoryStore();
    const writes: { go: () => void }[] = [];
    const store: Store = {
      ...memory,
      write: (batch) => {
        const gate = createDeferred();
        writes.push({ go: gate.resolve });
        return gate.promise.then(() => memory.write(batch));
      },
    };
    const { inbox, acknowledged, handled } = await setUp(incoming, store, { isQuick: true });
    const turn = () => new Promise(setImmediate);
    await inbox.receive(message(1));
    await turn();
    expect([writes.length, handled]).toEqual([1, [1]]);
    await inbox.receive(message(2));
    await turn();
    expect(handled).toEqual([1, 2]);
    writes[0]!.go();
    await turn();
    expect(acknowledged).toEqual([1]);
    expect(await memory.get('peer/2')).toBeUndefined();
    writes[1]!.go();
    await turn();
    expect(acknowledged).toEqual([1, 2]);
    expect(await memory.get('peer/2')).toBe('opened');
  });
});
