import { chainVerifier, generateEd25519, toBase64Url } from '@parley/e2ee';
import { nodeCrypto as crypto } from '@parley/e2ee/node';
import { entryHash, foldLedger, type LedgerEntry } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { AGENT, MANIFEST } from '../../tests/guard-fixtures.ts';
import { type Consent, makeEntry, toChain, withLevels } from './ledger.ts';

const id = (n: number) => `018f0000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`;
const identity = generateEd25519(crypto);
const subject = {
  relationId: id(1),
  agentId: AGENT,
  accountId: id(2),
  deviceId: id(3),
  conversationId: id(4),
  agentKey: toBase64Url(identity.publicKey),
};
const createdAt = '2026-03-01T12:00:00.000Z';

function build(...consents: readonly Partial<Consent>[]): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const consent of consents) {
    const last = entries.at(-1);
    const chain = { entries, head: last === undefined ? null : entryHash(last) };
    const given = {
      action: 'change',
      scopes: [],
      manifestHash: 'a'.repeat(64),
      manifestVersion: 1,
      ...consent,
    } as const;
    entries.push(makeEntry(given, subject, { crypto, identity, chain, createdAt }));
  }
  return entries;
}

function read(entries: readonly LedgerEntry[]) {
  const ledger = foldLedger(entries, {
    relationId: subject.relationId,
    signerOf: () => ({ key: toBase64Url(identity.publicKey) }),
    verify: chainVerifier(crypto),
  });
  if (!ledger.ok) throw new Error(ledger.problem);
  return toChain({ ...ledger, entries });
}

const low = withLevels(MANIFEST, ['note:low']);
const both = withLevels(MANIFEST, ['note:low', 'note:high']);

describe('RL-10 chains', () => {
  it('RL-10 says what is granted, at which level, what was once, and since which consent', () => {
    const entries = build(
      { action: 'grant', scopes: both },
      { scopes: low },
      { scopes: both },
      { scopes: both, manifestHash: 'b'.repeat(64), manifestVersion: 2 },
      { scopes: low, manifestHash: 'b'.repeat(64), manifestVersion: 2 },
    );
    const chain = read(entries);
    expect(chain.subject).toMatchObject({ conversationId: id(4), agentKey: subject.agentKey });
    expect(chain.granted).toEqual(new Map([['note:low', 'low']]));
    expect(chain.once).toEqual(new Set(['note:low', 'note:high']));
    expect(chain.epochs).toEqual(new Map([['note:low', 4]]));
    const epochs = entries.map((_, index) => Object.fromEntries(read(entries.slice(0, index + 1)).epochs));
    expect(epochs).toEqual([
      { 'note:low': 1, 'note:high': 1 },
      { 'note:low': 1 },
      { 'note:low': 1, 'note:high': 3 },
      { 'note:low': 4, 'note:high': 4 },
      { 'note:low': 4 },
    ]);
  });
});
