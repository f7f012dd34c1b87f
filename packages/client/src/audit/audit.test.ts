import { hashCanonical } from '@parley/documents';
import { generateEd25519, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { createMemoryStore, type Store } from '@parley/messenger';
import { describe, expect, it } from 'vitest';
import { verifyExport } from './export.ts';
import { openAuditLog } from './log.ts';
import { explainAuditProblem } from './problem.ts';
import type { AuditEntry } from './types.ts';

const identity = generateEd25519(nodeCrypto);
const verifying = { crypto: nodeCrypto, publicKey: toBase64Url(identity.publicKey) };
const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

const openLog = (store: Store) => openAuditLog({ store, crypto: nodeCrypto, identity });

const entry = (n: number, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  call_id: `call-${n}`,
  agent_id: `agent-${n % 2}`,
  conversation_id: 'conversation',
  tool_name: 'read_file',
  scope: 'filesystem:read',
  arguments_digest: hashCanonical({ n }),
  status: n % 3 === 0 ? 'denied' : 'ok',
  ...(n % 3 === 0 ? { reason: 'user_refused' } : {}),
  manifest_hash: hashCanonical({}),
  timestamp: new Date(START + n * DAY).toISOString(),
  ...changes,
});

async function makeLog(entries: number) {
  const store = createMemoryStore();
  const log = await openLog(store);
  for (let n = 0; n < entries; n++) await log.append(entry(n));
  return { store, log };
}

const recordsOf = async (store: Store) => (await store.list('audit/record/')).map(([key]) => key);

describe('CG-12 the audit log', () => {
  it('CG-12 chains entries, verifies, and goes on after a restart', async () => {
    const { store, log } = await makeLog(3);
    expect(await log.verify()).toMatchObject({ ok: true, entries: 3 });
    const again = await openLog(store);
    await again.append(entry(3));
    const [last, before] = await again.list();
    expect(last).toMatchObject({ seq: 3, call_id: 'call-3', prev: hashCanonical({ ...before! }) });
    expect(await again.verify()).toEqual({ ok: true, entries: 4, head: hashCanonical({ ...last! }) });
    expect((await again.list()).at(-1)!.prev).toBeNull();
  });

  it('CG-12 an empty log verifies, in the store and exported', async () => {
    const { log } = await makeLog(0);
    expect(await log.verify()).toEqual({ ok: true, entries: 0, head: null });
    expect(await log.export()).toBe('');
  });

  it('CG-12 entries given at the same time make one line, signed once', async () => {
    let signatures = 0;
    const crypto: typeof nodeCrypto = {
      ...nodeCrypto,
      sign: (...given) => {
        signatures++;
        return nodeCrypto.sign(...given);
      },
    };
    const log = await openAuditLog({ store: createMemoryStore(), crypto, identity });
    await Promise.all(Array.from({ length: 500 }, (_, n) => log.append(entry(n))));
    expect(await log.verify()).toMatchObject({ ok: true, entries: 500 });
    expect((await log.list()).map(({ call_id }) => call_id)).toEqual(
      Array.from({ length: 500 }, (_, n) => `call-${499 - n}`),
    );
    expect(signatures).toBe(1);
  });

  it('CG-12 CG-16 full disk: entries that are not on it fail, with those chained to them; appended again, the chain is whole', async () => {
    const entries = new Map<string, string>();
    const store = createMemoryStore(entries);
    let full = false;
    const log = await openLog({
      ...store,
      write: (batch) => (full ? Promise.reject(new Error('disk full')) : store.write(batch)),
    });
    await log.append(entry(0));
    full = true;
    const first = log.append(entry(1));
    await Promise.resolve();
    // Chained to one that is being written, and will not be.
    const second = log.append(entry(2));
    await expect(first).rejects.toThrow('disk full');
    const third = log.append(entry(3));
    full = false;
    await expect(second).rejects.toThrow('disk full');
    await third.catch(() => log.append(entry(3)));
    await log.append(entry(1));
    const next = await openLog(createMemoryStore(entries));
    await next.append(entry(2));
    expect(await next.verify()).toMatchObject({ ok: true, entries: 4 });
    expect((await next.list()).map(({ call_id }) => call_id)).toEqual(['call-2', 'call-1', 'call-3', 'call-0']);
  });

  it('CG-12 filters by agent, conversation, tool, status and time', async () => {
    const { log } = await makeLog(6);
    const ids = async (filter: Parameters<typeof log.list>[0]) => (await log.list(filter)).map(({ seq }) => seq);
    expect(await ids({ agentId: 'agent-1' })).toEqual([5, 3, 1]);
    expect(await ids({ status: 'denied' })).toEqual([3, 0]);
    expect(await ids({ toolName: 'other' })).toEqual([]);
    expect(await ids({ conversationId: 'conversation', limit: 2 })).toEqual([5, 4]);
    expect(await ids({ from: entry(2).timestamp, to: entry(4).timestamp })).toEqual([3, 2]);
  });

  it('CG-12 arguments and results never reach the store, even if someone hands them over', async () => {
    const store = createMemoryStore();
    const log = await openLog(store);
    const careless = { ...entry(0), arguments: { path: '/etc/secret-plan' }, result: { content: 'secret-plan' } };
    await log.append(careless);
    expect(JSON.stringify([await store.list(''), await log.export()])).not.toContain('secret-plan');
    await expect(log.append(entry(1, { arguments_digest: '{"path":"/etc/secret-plan"}' }))).rejects.toThrow(TypeError);
    expect(await log.verify()).toMatchObject({ ok: true, entries: 1 });
  });
});

describe('CG-12 pruning', () => {
  it('CG-12 drops what is older than 30 days and leaves a signed checkpoint', async () => {
    const { store, log } = await makeLog(10);
    const now = new Date(START + 34 * DAY);
    expect(await log.prune(new Date(START + 4 * DAY))).toBe(0);
    expect(await log.prune(now)).toBe(4);
    expect(await recordsOf(store)).toHaveLength(6);
    expect(await log.verify()).toMatchObject({ ok: true, entries: 10 });
    expect(await log.prune(now)).toBe(0);
    await log.append(entry(10));
    expect(verifyExport(await log.export(), verifying)).toMatchObject({ ok: true, entries: 11 });
    expect(JSON.parse((await log.export()).split('\n')[0]!)).toMatchObject({ seq: 4, pruned_at: now.toISOString() });
  });

  it('CG-12 everything may be dropped, while entries come in, and the chain goes on', async () => {
    const { store, log } = await makeLog(5);
    await log.prune(new Date(START + 5 * DAY));
    const later = new Date(START + 100 * DAY);
    const [dropped] = await Promise.all([log.prune(later), log.append(entry(99)), log.append(entry(100))]);
    expect(dropped).toBe(5);
    expect(await log.verify()).toMatchObject({ ok: true, entries: 7 });
    await log.prune(new Date(START + 150 * DAY));
    await log.prune(new Date(START + 200 * DAY));
    expect(await recordsOf(store)).toEqual([]);
    const again = await openLog(store);
    await again.append(entry(200));
    expect(await again.verify()).toMatchObject({ ok: true, entries: 8 });
  });

  it('EE-25 a clock 40 days behind while the calls ran: once it is right, they are kept their 30 days all the same', async () => {
    const { store, log } = await makeLog(3);
    const right = START + 42 * DAY;
    for (const days of [0, 1, 29]) expect(await log.prune(new Date(right + days * DAY))).toBe(0);
    expect(await log.prune(new Date(right + 30 * DAY))).toBe(3);
    expect(await recordsOf(store)).toEqual([]);
    expect(await log.verify()).toMatchObject({ ok: true, entries: 3 });
  });

  it('CG-12 cover-up by waiting: an edit is still known after its record was dropped', async () => {
    const { store, log } = await makeLog(5);
    const key = (await recordsOf(store))[1]!;
    await store.write(new Map([[key, (await store.get(key))!.replace('call-1', 'call-x')]]));
    await log.prune(new Date(START + 3 * DAY));
    expect(await log.prune(new Date(START + 33.5 * DAY))).toBe(4);
    const known = { ok: false, problem: 'record_before_altered', seq: 2 };
    expect(await log.verify()).toEqual(known);
    await log.append(entry(5));
    expect(verifyExport(await log.export(), verifying)).toEqual(known);
    expect(await (await openLog(store)).verify()).toEqual(known);
  });
});

/** What someone might do to five records in the store, and what is then found. */
const ATTACKS: Record<string, { attack: (store: Store) => Promise<void>; problem: string; seq: number }> = {
  'edited record': {
    attack: async (store) => {
      const key = (await recordsOf(store))[2]!;
      await store.write(new Map([[key, (await store.get(key))!.replace('"ok"', '"denied"')]]));
    },
    problem: 'record_before_altered',
    seq: 3,
  },
  'edited last record': {
    attack: async (store) => {
      const key = (await recordsOf(store))[4]!;
      await store.write(new Map([[key, (await store.get(key))!.replace('"ok"', '"denied"')]]));
    },
    problem: 'record_altered',
    seq: 4,
  },
  'record written in another way': {
    attack: async (store) => {
      const key = (await recordsOf(store))[2]!;
      await store.write(new Map([[key, (await store.get(key))!.replace(',', ', ')]]));
    },
    problem: 'record_altered',
    seq: 2,
  },
  'deleted record': {
    attack: async (store) => store.write(new Map([[(await recordsOf(store))[2]!, null]])),
    problem: 'record_missing',
    seq: 2,
  },
  'deleted first record': {
    attack: async (store) => store.write(new Map([[(await recordsOf(store))[0]!, null]])),
    problem: 'record_missing',
    seq: 0,
  },
  'exchanged records': {
    attack: async (store) => {
      const [, one, two] = await store.list('audit/record/');
      await store.write(
        new Map([
          [one![0], two![1]],
          [two![0], one![1]],
        ]),
      );
    },
    problem: 'record_moved',
    seq: 1,
  },
  'cut off end': {
    attack: async (store) => store.write(new Map((await recordsOf(store)).slice(3).map((key) => [key, null]))),
    problem: 'record_missing',
    seq: 3,
  },
  'cut off end and no head': {
    attack: async (store) => {
      const keys = [...(await recordsOf(store)).slice(3), 'audit/head'];
      await store.write(new Map(keys.map((key) => [key, null])));
    },
    problem: 'head_missing',
    seq: 3,
  },
  'old head for a cut off end': {
    attack: async (store) => {
      const { store: other } = await makeLog(0);
      const log = await openLog(other);
      for (let n = 0; n < 3; n++) await log.append(entry(n));
      await store.write(new Map([['audit/head', (await other.get('audit/head'))!]]));
    },
    problem: 'head_behind',
    seq: 3,
  },
  'forged head': {
    attack: async (store) => {
      const head = (await store.get('audit/head'))!.replace('"count":5', '"count":3');
      await store.write(
        new Map<string, string | null>([
          ['audit/head', head],
          ...(await recordsOf(store)).slice(3).map((key) => [key, null] as const),
        ]),
      );
    },
    problem: 'head_altered',
    seq: 3,
  },
  'forged checkpoint': {
    attack: async (store) => {
      const [first, second] = await store.list('audit/record/');
      const { prev, seq } = JSON.parse(second![1]);
      const forged = { hash: prev, pruned_at: entry(40).timestamp, purpose: 'parley-audit-checkpoint-v1', seq };
      await store.write(
        new Map([
          [first![0], null],
          ['audit/checkpoint', JSON.stringify({ ...forged, signature: 'A'.repeat(86) })],
        ]),
      );
    },
    problem: 'checkpoint_altered',
    seq: 0,
  },
  'added record': {
    attack: async (store) => {
      const [key, text] = (await store.list('audit/record/')).at(-1)!;
      const next = { ...JSON.parse(text), seq: 5, prev: hashCanonical(JSON.parse(text)) };
      const sorted = Object.fromEntries(Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1)));
      await store.write(new Map([[key.replace(/4$/, '5'), JSON.stringify(sorted)]]));
    },
    problem: 'head_behind',
    seq: 5,
  },
};

describe('CG-12 attacks on the audit log', () => {
  it.each(Object.entries(ATTACKS))('CG-12 %s: found', async (_, { attack, problem, seq }) => {
    const { store, log } = await makeLog(5);
    await attack(store);
    const found = await log.verify();
    expect(found).toEqual({ ok: false, problem, seq });
    for (const locale of ['en', 'zh-CN'] as const) {
      const sentence = explainAuditProblem(found as typeof found & { ok: false }, locale);
      expect(sentence).toMatch(/[.。]$/);
      expect(sentence).not.toMatch(/[{}]/);
    }
    // A device that is opened upon it goes on, and covers nothing up.
    const again = await openLog(store);
    await again.append(entry(6));
    await again.append(entry(7));
    expect(await again.verify()).toMatchObject({ ok: false });
    expect(verifyExport(await again.export(), verifying)).toMatchObject({ ok: false });
    const calls = (await again.list()).map(({ call_id }) => call_id);
    expect(calls.slice(0, 2)).toEqual(['call-7', 'call-6']);
  });

  it('CG-12 altered export: any line edited, deleted, doubled, exchanged, and any other key, is found', async () => {
    const { log } = await makeLog(6);
    for (const days of [2, 32]) await log.prune(new Date(START + days * DAY));
    const text = await log.export();
    expect(verifyExport(text, verifying)).toMatchObject({ ok: true, entries: 6 });
    expect(verifyExport(text.replaceAll('\n', '\r\n'), verifying)).toMatchObject({ ok: true });
    const lines = text.trimEnd().split('\n');
    const altered = lines.flatMap((line, at) => [
      lines.with(
        at,
        line.replace(/\d/, (digit) => `${(Number(digit) + 1) % 10}`),
      ),
      lines.with(at, `${line} `),
      lines.with(at, 'null'),
      lines.toSpliced(at, 1),
      lines.toSpliced(at, 0, line),
      ...(at > 0 ? [lines.with(at, lines[at - 1]!).with(at - 1, line)] : []),
    ]);
    for (const variant of [...altered, [], ['{}'], ['['.repeat(10_000)]]) {
      expect(verifyExport(variant.join('\n'), verifying), variant.join('\n').slice(0, 2_000)).toMatchObject({
        ok: false,
      });
    }
    const other = toBase64Url(generateEd25519(nodeCrypto).publicKey);
    expect(verifyExport(text, { ...verifying, publicKey: other })).toMatchObject({ ok: false });
    expect(verifyExport(text, { ...verifying, publicKey: 'no key' })).toMatchObject({ ok: false });
  });
});
