import { type OwnKeys, peerName } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import type { Envelope } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { Directory } from '../directory/directory.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import { createOpener } from './opener.ts';
import type { Peers } from './peers.ts';
import type { RatchetSessions } from './ratchet-sessions.ts';

const sender = { kind: 'human' as const, id: 'ada', device_id: 'device' };
const contact = { sender, identityKey: new Uint8Array(32) };

describe('EE-26 an opener whose memory is full', () => {
  it('has the states of group and sender, though others drive them out while the server is asked', async () => {
    const inMemory = new Set<string>();
    const seen: string[] = [];
    const peek = (name: string) => {
      if (inMemory.has(name)) seen.push(name);
      return undefined;
    };
    const opener = createOpener({
      crypto: nodeCrypto,
      own: {} as OwnKeys,
      directory: {
        conversation: async () => ({ kind: 'group', members: [sender] }),
        contact: async () => {
          inMemory.clear();
          return contact;
        },
      } as unknown as Directory,
      peers: {
        loadGroup: async (id: string) => inMemory.add(id),
        load: async () => inMemory.add(peerName(sender, contact.identityKey)),
        peek: () => peek(peerName(sender, contact.identityKey)) ?? {},
        peekGroup: peek,
      } as unknown as Peers,
      deletePrekey: () => {},
      sessions: { modeWith: () => 'websocket' } as unknown as RatchetSessions,
      writeBuffer: {} as WriteBuffer,
    });
    const envelope = { header: { sender } } as Envelope;
    expect(await opener.openEnvelope('group', envelope)).toEqual({ state: 'refused', reason: 'malformed' });
    expect(seen).toEqual([peerName(sender, contact.identityKey), 'group']);
  });
});
