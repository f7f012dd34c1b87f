import { chainVerifier, generateEd25519, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { createMemoryStore } from '@parley/messenger';
import { entryHash, foldDeviceList } from '@parley/protocol';
import { newTimedId, SignedAccount, SignedLedger } from '@parley/testkit/account';
import { describe, expect, it } from 'vitest';
import { readChainHeads } from './chain-heads.ts';

const LOW = { id: 'note:low', sensitivity: 'low' } as const;

describe('EE-18 the heads that a statement names', () => {
  it('EE-18 attack: a recovery names what an earlier revocation has made void: it would count again', async () => {
    const account = new SignedAccount();
    const [laptop, phone] = [SignedAccount.makeDevice(), SignedAccount.makeDevice()];
    account.create(laptop);
    account.add(phone);
    const ledger = new SignedLedger({
      accountId: account.accountId,
      agentId: newTimedId(),
      agentKey: toBase64Url(generateEd25519(nodeCrypto).publicKey),
    });
    const first = ledger.sign(laptop, [LOW]);
    const honest = { kind: 'ledger' as const, id: ledger.relationId, length: 1, head: entryHash(first) };
    account.revoke(phone, [honest]);
    const stolen = ledger.sign(phone, [LOW, { id: 'note:high', sensitivity: 'low' }]);
    const store = createMemoryStore();
    await store.write(
      new Map([[`client/relation/${ledger.relationId}`, JSON.stringify({ entries: [first, stolen] })]]),
    );
    const { accountId } = account;
    const list = foldDeviceList(account.statements, { accountId, verify: chainVerifier(nodeCrypto) });
    if (!list.ok) throw new Error(list.problem);
    expect(await readChainHeads(store, { accountId, list })).toEqual([honest]);
    // A revocation speaks of one device, and of the chain as it is.
    expect(await readChainHeads(store, { accountId })).toMatchObject([{ length: 2, head: entryHash(stolen) }]);
  });
});
