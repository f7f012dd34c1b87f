import { generateEd25519, toBase64Url } from '@parley/e2ee';
import { nodeCrypto as crypto } from '@parley/e2ee/node';
import type { LedgerEntry } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { AGENT, CONVERSATION, MANIFEST } from '../../tests/guard-fixtures.ts';
import { type Chain, type Consent, EMPTY_CHAIN, makeEntry, readChain, toChain, withLevels } from './ledger.ts';

const id = (n: number) => `018f0000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`;
const subject = { relationId: id(1), agentId: AGENT, accountId: id(2), deviceId: id(3) };
const identity = generateEd25519(crypto);
const createdAt = '2026-03-01T12:00:00.000Z';
const keyOf = async (deviceId: string) => (deviceId === id(3) ? toBase64Url(identity.publicKey) : undefined);
const reading = { crypto, keyOf };

const sign = (chain: Chain, consent: Partial<Consent>, about: Partial<typeof subject> = {}) =>
  makeEntry(
    { action: 'change', scopes: [], manifestHash: 'a'.repeat(64), manifestVersion: 1, ...consent },
    { ...subject, ...about },
    { crypto, identity, chain, createdAt },
  );

function build(...consents: readonly Partial<Consent>[]): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const consent of consents) entries.push(sign(toChain(entries), consent));
  return entries;
}

const low = withLevels(MANIFEST, ['note:low']);
const both = withLevels(MANIFEST, ['note:low', 'note:high']);

describe('RL-10 chains', () => {
  it('RL-10 says what is granted, at which level, what was once, and since which consent', async () => {
    const entries = build(
      { action: 'grant', scopes: both },
      { scopes: low },
      { scopes: both },
      { scopes: both, manifestHash: 'b'.repeat(64), manifestVersion: 2 },
      { scopes: low, manifestHash: 'b'.repeat(64), manifestVersion: 2 },
    );
    const read = await readChain(entries, subject, reading);
    if (!read.ok) throw new Error(read.problem);
    expect(read.chain.granted).toEqual(new Map([['note:low', 'low']]));
    expect(read.chain.once).toEqual(new Set(['note:low', 'note:high']));
    expect(read.chain.epochs).toEqual(new Map([['note:low', 4]]));
    const epochs = entries.map((_, index) => Object.fromEntries(toChain(entries.slice(0, index + 1)).epochs));
    expect(epochs).toEqual([
      { 'note:low': 1, 'note:high': 1 },
      { 'note:low': 1 },
      { 'note:low': 1, 'note:high': 3 },
      { 'note:low': 4, 'note:high': 4 },
      { 'note:low': 4 },
    ]);
  });

  it('RL-10 pass off the chain of another agent or account: refused', async () => {
    const entries = [sign(EMPTY_CHAIN, { action: 'grant', scopes: both }, { agentId: CONVERSATION })];
    expect(await readChain(entries, subject, reading)).toEqual({ ok: false, problem: 'party' });
    const others = [sign(EMPTY_CHAIN, { action: 'grant', scopes: both }, { accountId: CONVERSATION })];
    expect(await readChain(others, subject, reading)).toEqual({ ok: false, problem: 'party' });
    const moved = build({ action: 'grant', scopes: both });
    expect(await readChain(moved, { ...subject, relationId: id(9) }, reading)).toEqual({
      ok: false,
      problem: 'relation',
    });
  });

  it('EE-14 ghost device: an entry signed by a device that nobody certified voids the chain', async () => {
    const entries = [sign(EMPTY_CHAIN, { action: 'grant', scopes: both }, { deviceId: id(8) })];
    expect(await readChain(entries, subject, reading)).toEqual({ ok: false, problem: 'device' });
  });

  it('RL-10 roll back, rewrite, forge: refused', async () => {
    const entries = build({ action: 'grant', scopes: both }, { scopes: low });
    const seen = { length: 2, head: toChain(entries).head };
    expect(await readChain(entries.slice(0, 1), subject, { ...reading, seen })).toEqual({
      ok: false,
      problem: 'shortened',
    });
    const other = build({ action: 'grant', scopes: both }, { scopes: both });
    expect(await readChain(other, subject, { ...reading, seen })).toEqual({ ok: false, problem: 'rewritten' });
    const forged = [{ ...entries[0]!, scopes: [{ id: 'note:high', sensitivity: 'low' as const }] }];
    expect(await readChain(forged, subject, reading)).toEqual({ ok: false, problem: 'signature' });
  });
});
