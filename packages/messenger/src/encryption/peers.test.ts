import { createPeer, generateEd25519, generateX25519, toBase64Url, writeState } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { describe, expect, it } from 'vitest';
import type { Contact } from '../binding/contact.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { createWriteBuffer } from '../stores/write-buffer.ts';
import { createPeers } from './peers.ts';

const DEVICE = '01900000-0000-7000-8000-000000000001';

function contactOf(accountId: string, deviceId = DEVICE): Contact {
  const [identityKey, exchangeKey] = [generateEd25519(nodeCrypto).publicKey, generateX25519(nodeCrypto).publicKey];
  const pin = {
    kind: 'device' as const,
    id: deviceId,
    identityKey: toBase64Url(identityKey),
    exchangeKey: toBase64Url(exchangeKey),
  };
  const sender = { kind: 'human' as const, id: accountId, device_id: deviceId };
  return { sender, address: deviceId, identityKey, exchangeKey, mode: 'websocket', pin };
}

function setUp(entries = new Map<string, string>()) {
  const store = createMemoryStore(entries);
  const writeBuffer = createWriteBuffer({ store, setTimer: () => () => {}, onBroken: () => {} });
  return { peers: createPeers(store, writeBuffer), writeBuffer, entries };
}

const seen = (name: string) => new Map([['c', { floor: '', buckets: [{ names: new Set([name]), latest: '' }] }]]);

describe('EE-22 the state of a peer', () => {
  it('belongs to kind, account, device and key: nobody else under the same device id reaches it', async () => {
    const { peers, writeBuffer, entries } = setUp();
    const [ada, eve] = [contactOf('ada'), contactOf('eve')];
    const changed = { ...eve, sender: ada.sender };
    peers.set({ ...(await peers.load(ada)), replay: seen('order') });
    expect((await peers.load(eve)).replay.size).toBe(0);
    expect((await peers.load(changed)).replay.size).toBe(0);
    const agent = { ...ada, sender: { kind: 'agent' as const, id: DEVICE } };
    expect((await peers.load(agent)).replay.size).toBe(0);
    expect(peers.peek(ada)!.replay).toEqual(seen('order'));
    await writeBuffer.saved();
    // Of the others nothing was opened, so nothing is stored.
    expect([...entries.keys()]).toEqual([`peer/human/ada/${DEVICE}/${ada.pin.identityKey}`]);
    expect(await setUp(entries).peers.find(eve)).toBeUndefined();
    expect((await setUp(entries).peers.find(ada))!.replay).toEqual(seen('order'));
  });

  it('of the version before is taken over by whom it belongs to, and then gone from its old place', async () => {
    const [ada, eve] = [contactOf('ada'), contactOf('eve')];
    const old = writeState({ ...createPeer(ada.sender, ada), replay: seen('order') });
    const { peers, writeBuffer, entries } = setUp(new Map([[`peer/${DEVICE}`, old]]));
    expect((await peers.load(eve)).replay.size).toBe(0);
    const known = await peers.load(ada);
    expect(known.replay).toEqual(seen('order'));
    peers.set(known);
    await writeBuffer.saved();
    expect([...entries.keys()]).toEqual([`peer/human/ada/${DEVICE}/${ada.pin.identityKey}`]);
  });
});
