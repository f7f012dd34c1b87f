import { chainVerifier, generateEd25519, toBase64Url } from '@parley/e2ee';
import { nodeCrypto as crypto } from '@parley/e2ee/node';
import {
  type DeviceList,
  foldDeviceList,
  type LedgerEntry,
  listedSigner,
  readLedger,
  readRelation,
} from '@parley/protocol';
import { newTimedId, SignedAccount, SignedLedger } from '@parley/testkit/account';
import { beforeEach, describe, expect, it } from 'vitest';
import { Bench } from '../../tests/binding/bench.ts';
import { messengerError } from '../errors.ts';
import type { BoundPair } from './conversations.ts';
import { createRelationBinder, type RelationRow } from './relations.ts';

const READ = { id: 'filesystem:read', sensitivity: 'medium' } as const;
const NOTIFY = { id: 'notification:send', sensitivity: 'low' } as const;
const [AGENT, OTHER] = [newTimedId(), newTimedId()];
const agentKey = toBase64Url(generateEd25519(crypto).publicKey);
const [laptop, phone] = [SignedAccount.makeDevice(), SignedAccount.makeDevice()];

let account: SignedAccount;
let ledger: SignedLedger;
let isForked: boolean;
/** What the server shows of the ledger. */
let shown: () => readonly LedgerEntry[];
let bound: [string, BoundPair][];
let refused: string[];
let broken: string[];
/** What was pinned before contradicts. */
let contradicts: boolean;

const seen = () => {
  const { accountId, statements } = account;
  const list = foldDeviceList(statements, { accountId, verify: chainVerifier(crypto) }) as DeviceList;
  return { statements, list, forked: isForked };
};
const makeBinder = (prepare: (bench: Bench) => unknown = () => {}) => {
  const bench = new Bench().serve(readLedger, ({ after }) => ({
    entries: shown().slice(after),
    length: shown().length,
    head: null,
  }));
  prepare(bench);
  return createRelationBinder({
    ...bench.deps,
    accountId: account.accountId,
    trust: {
      signer: async (_, deviceId, chain) => (isForked ? undefined : listedSigner(seen().list, deviceId, chain)),
    },
    conversations: {
      bind: async (id, pair) => {
        if (contradicts) throw messengerError('CONVERSATION_CHANGED');
        bound.push([id, pair]);
        return true;
      },
    },
    loadOwnList: async () => seen(),
    refused: (id) => void refused.push(id),
    broken: (_, problem) => void broken.push(problem),
  });
};
const rowOf = (change: Partial<RelationRow> = {}): RelationRow => ({
  relation_id: ledger.relationId,
  conversation_id: ledger.conversationId,
  agent_id: AGENT,
  user_id: account.accountId,
  granted_scopes: [],
  capability_manifest_version: 1,
  capability_manifest_hash: null,
  agent_name: 'Bot',
  status: 'active',
  pending_scopes: [],
  current_manifest_version: 1,
  current_manifest_hash: null,
  signed: true,
  ledger_length: ledger.entries.length,
  ledger_head: ledger.head,
  created_at: '',
  updated_at: '',
  ended_at: null,
  ...change,
});
const known = (length: number) => {
  const chain = new SignedLedger(ledger);
  chain.entries = ledger.entries.slice(0, length);
  return [{ kind: 'ledger' as const, id: ledger.relationId, length, head: chain.head! }];
};

beforeEach(() => {
  account = new SignedAccount();
  account.create(laptop);
  account.add(phone);
  ledger = new SignedLedger({ accountId: account.accountId, agentId: AGENT, agentKey });
  ledger.sign(laptop, [READ]);
  [isForked, contradicts, bound, refused, broken] = [false, false, [], [], []];
  shown = () => ledger.entries;
});

describe('EE-19 the row of a relation', () => {
  it('EE-19 counts with what was signed about it, and pins its conversation', async () => {
    const relation = await makeBinder().bind(rowOf(), undefined);
    expect(relation).toMatchObject({ ledger: { scopes: [READ] }, problem: undefined });
    const pair = { kind: 'h2a', other: { kind: 'agent', id: AGENT }, relationId: ledger.relationId, signed: true };
    expect(bound).toEqual([[ledger.conversationId, pair]]);
    expect(refused).toEqual([]);
  });

  it('EE-19 attack: grant transfer: the row is given to another agent or conversation while the chain is unchanged', async () => {
    const binder = makeBinder();
    const before = await binder.bind(rowOf(), undefined);
    for (const change of [
      { agent_id: OTHER },
      { conversation_id: OTHER },
      { agent_id: OTHER, conversation_id: OTHER },
    ]) {
      refused = [];
      expect(await binder.bind(rowOf(change), before)).toBeUndefined();
      expect(refused).toEqual([ledger.relationId]);
    }
    expect(bound).toHaveLength(1);
  });

  it('EE-19 attack: grant transfer before a device has ever seen the relation, or after it forgot the row', async () => {
    const binder = makeBinder();
    expect(await binder.bind(rowOf({ conversation_id: OTHER }), undefined)).toBeUndefined();
    expect(refused).toEqual([ledger.relationId]);
    const moved = await binder.bind(rowOf({ agent_id: OTHER }), undefined);
    // The chain is not about this agent: nothing of it counts, and nothing signed is said of the conversation.
    expect(moved).toMatchObject({ ledger: { scopes: [], entries: [] }, problem: 'party' });
    expect(bound).toMatchObject([[ledger.conversationId, { signed: false }]]);
  });

  it('EE-19 attack: the row is moved while nobody has signed anything of the new form about it', async () => {
    for (const sign of [() => {}, () => ledger.signOld(laptop, [READ])]) {
      ledger = new SignedLedger({ accountId: account.accountId, agentId: AGENT, agentKey });
      sign();
      refused = [];
      const binder = makeBinder();
      const before = await binder.bind(rowOf(), undefined);
      expect(await binder.bind(rowOf({ conversation_id: OTHER }), before)).toBeUndefined();
      expect(await binder.bind(rowOf({ agent_id: OTHER }), before)).toBeUndefined();
      expect(refused).toHaveLength(2);
    }
  });

  it('EE-19 attack: the relation of someone else', async () => {
    expect(await makeBinder().bind(rowOf({ user_id: OTHER }), undefined)).toBeUndefined();
    expect(refused).toEqual([ledger.relationId]);
  });

  it('EE-19 attack: grant transfer with the ids of a stored relation, after a restart', async () => {
    const before = await makeBinder().restore({ row: rowOf(), entries: ledger.entries });
    expect(before).toMatchObject({ ledger: { scopes: [READ] }, problem: undefined });
    expect(await makeBinder().bind(rowOf({ agent_id: OTHER }), before)).toBeUndefined();
    expect(await makeBinder().bind(rowOf({ conversation_id: OTHER }), before)).toBeUndefined();
  });

  it('EE-20 attack: the row names a conversation that is pinned to someone else', async () => {
    contradicts = true;
    expect(await makeBinder().bind(rowOf(), undefined)).toBeUndefined();
    expect(refused).toEqual([ledger.relationId]);
  });

  it('EE-19 attack: asked for one relation, the server answers with another', async () => {
    const row = rowOf();
    const binder = makeBinder((bench) => bench.serve(readRelation, () => row));
    expect(await binder.read(ledger.relationId)).toEqual(row);
    await expect(binder.read(OTHER)).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
    expect(refused).toEqual([OTHER]);
  });

  it('EE-19 entries of the old form bind nothing: they count once they are signed anew', async () => {
    ledger = new SignedLedger({ accountId: account.accountId, agentId: AGENT, agentKey });
    ledger.signOld(laptop, [READ]);
    const binder = makeBinder();
    const before = await binder.bind(rowOf(), undefined);
    expect(before).toMatchObject({ ledger: { subject: undefined } });
    expect(bound).toMatchObject([[ledger.conversationId, { signed: false }]]);
    ledger.sign(laptop, [READ]);
    expect(await binder.bind(rowOf(), before)).toMatchObject({ ledger: { subject: { agentKey } } });
    expect(bound[1]).toMatchObject([ledger.conversationId, { signed: true }]);
  });
});

describe('EE-18 entries of a device that was revoked since', () => {
  beforeEach(() => {
    ledger.sign(laptop, [NOTIFY]);
    ledger.sign(phone, [NOTIFY, READ]);
  });

  it('EE-18 attack: they are void although the chain has not changed', async () => {
    const binder = makeBinder();
    const before = await binder.bind(rowOf(), undefined);
    expect(before).toMatchObject({ ledger: { scopes: [NOTIFY, READ] } });
    account.revoke(phone, known(2));
    expect(await binder.bind(rowOf(), before)).toMatchObject({ ledger: { length: 3, scopes: [NOTIFY] } });
  });

  it('EE-18 attack: they stay void when the server shows less of the chain', async () => {
    const binder = makeBinder();
    const before = await binder.bind(rowOf(), undefined);
    account.revoke(phone, known(2));
    shown = () => ledger.entries.slice(0, 2);
    const after = await binder.bind(rowOf({ ledger_length: 2, ledger_head: null }), before);
    expect(after).toMatchObject({ ledger: { length: 3, scopes: [NOTIFY] }, problem: undefined });
    expect(broken).toEqual(['shortened']);
  });

  it('EE-18 attack: they are void in a stored relation, before the server was asked', async () => {
    account.revoke(phone, known(2));
    const relation = await makeBinder().restore({ row: rowOf(), entries: ledger.entries });
    expect(relation).toMatchObject({ ledger: { scopes: [NOTIFY] }, problem: undefined });
  });
});

describe('RL-10 the chain of a relation', () => {
  it('RL-10 attack: the server shows less of it than was seen; what was seen counts', async () => {
    const binder = makeBinder();
    ledger.sign(laptop, [NOTIFY]);
    const before = await binder.bind(rowOf(), undefined);
    shown = () => ledger.entries.slice(0, 1);
    const after = await binder.bind(rowOf({ ledger_length: 1, ledger_head: null }), before);
    expect(after).toMatchObject({ ledger: { length: 2, scopes: [NOTIFY] }, problem: undefined });
    expect(broken).toEqual(['shortened']);
  });

  it('RL-10 attack: an entry that nobody signed makes all of it a problem, until the server shows the true ones', async () => {
    const binder = makeBinder();
    const before = await binder.bind(rowOf(), undefined);
    const honest = ledger.entries;
    ledger.sign({ ...laptop, identity: generateEd25519(crypto) }, [READ, NOTIFY]);
    const after = await binder.bind(rowOf(), before);
    expect(after).toMatchObject({ ledger: { length: 1, scopes: [READ] }, problem: 'signature' });
    ledger.entries = honest;
    expect(await binder.bind(rowOf(), after)).toMatchObject({ ledger: { scopes: [READ] }, problem: undefined });
  });

  it('EE-17 a list that is forked restores no grants, and a restart does not make the chain forgotten', async () => {
    ledger.sign(laptop, [NOTIFY]);
    isForked = true;
    const stopped = await makeBinder().restore({ row: rowOf(), entries: ledger.entries });
    expect(stopped).toMatchObject({ ledger: { scopes: [], length: 2 }, problem: 'device' });
    isForked = false;
    const { entries } = ledger;
    shown = () => entries.slice(0, 1);
    const rolledBack = await makeBinder().bind(rowOf({ ledger_length: 1, ledger_head: null }), stopped);
    expect(rolledBack!.ledger.scopes).not.toContainEqual(READ);
    shown = () => entries;
    expect(await makeBinder().bind(rowOf(), stopped)).toMatchObject({
      ledger: { scopes: [NOTIFY] },
      problem: undefined,
    });
  });
});
