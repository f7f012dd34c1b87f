import {
  type Crypto,
  generateX25519,
  type KeyPair,
  makeOneTimePrekeys,
  readState,
  signPrekey,
  writeState,
} from '@parley/e2ee';
import { keyRoutes } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';

const SIGNED = 'own/signed/';
const ONE_TIME = 'own/once/';
const DAY = 24 * 60 * 60 * 1_000;
const SIGNED_LIFE = 7 * DAY;
/** A first message may be on its way for as long as the server keeps it. */
const SIGNED_KEPT = 31 * DAY + SIGNED_LIFE;
const STOCK = 100;
const LOW = 40;
/** The most unused one-time prekeys that are stored; the oldest are dropped first. */
const MAX_ONE_TIME = 1_000;

interface Signed {
  readonly pair: KeyPair;
  readonly createdAt: string;
}

/** The keys that others begin sessions with (EE-5). */
export interface Prekeys {
  readonly signed: ReadonlyMap<number, KeyPair>;
  readonly oneTime: ReadonlyMap<number, KeyPair>;
  /** Deletes the key in the same write that stores the session it has begun. */
  deletePrekey(keyId: number): void;
  /** Makes, replaces and uploads what is missing. */
  maintain(): Promise<void>;
}

interface Deps {
  readonly api: Api;
  readonly crypto: Crypto;
  readonly store: Store;
  readonly writeBuffer: WriteBuffer;
  readonly identity: KeyPair;
  readonly now: () => Date;
}

const idOf = (key: string) => Number(key.slice(key.lastIndexOf('/') + 1));

export async function loadPrekeys({ api, crypto, store, writeBuffer, identity, now }: Deps): Promise<Prekeys> {
  const rotating = new Map<number, Signed>();
  for (const [key, text] of await store.list(SIGNED)) rotating.set(idOf(key), readState<Signed>(text));
  const signed = new Map([...rotating].map(([id, { pair }]) => [id, pair]));
  const oneTime = new Map<number, KeyPair>();
  for (const [key, text] of await store.list(ONE_TIME)) oneTime.set(idOf(key), readState<KeyPair>(text));

  const newestSigned = () => Math.max(0, ...rotating.keys());
  const rotate = (known: number): number => {
    const id = Math.max(newestSigned(), known) + 1;
    const made: Signed = { pair: generateX25519(crypto), createdAt: now().toISOString() };
    rotating.set(id, made);
    signed.set(id, made.pair);
    writeBuffer.set(SIGNED + id, writeState(made));
    return id;
  };
  const currentSigned = (known: number): number => {
    const id = newestSigned();
    const current = rotating.get(id);
    const age = current === undefined ? SIGNED_LIFE : now().getTime() - Date.parse(current.createdAt);
    return age >= SIGNED_LIFE || id < known ? rotate(known) : id;
  };
  const dropOld = (): void => {
    const newest = newestSigned();
    for (const [id, { createdAt, pair }] of rotating) {
      if (id === newest || now().getTime() - Date.parse(createdAt) < SIGNED_KEPT) continue;
      rotating.delete(id);
      signed.delete(id);
      writeBuffer.set(SIGNED + id, null);
      writeBuffer.wipe([pair.privateKey]);
    }
    const ids = [...oneTime.keys()].sort((a, b) => a - b);
    for (const id of ids.slice(0, Math.max(0, ids.length - MAX_ONE_TIME))) deletePrekey(id);
  };
  const deletePrekey = (id: number): void => {
    const pair = oneTime.get(id);
    if (pair === undefined) return;
    oneTime.delete(id);
    writeBuffer.set(ONE_TIME + id, null);
    writeBuffer.wipe([pair.privateKey]);
  };
  const refill = (left: number, nextId: number) => {
    if (left >= LOW) return [];
    const firstId = Math.max(nextId, Math.max(0, ...oneTime.keys()) + 1);
    const made = makeOneTimePrekeys(crypto, { firstId, count: STOCK - left });
    for (const [id, pair] of made.keys) {
      oneTime.set(id, pair);
      writeBuffer.set(ONE_TIME + id, writeState(pair));
    }
    return made.upload;
  };

  let running: Promise<void> | undefined;
  const maintain = async (): Promise<void> => {
    const stock = await api.call(keyRoutes.keyStatus);
    const known = stock.signed_prekey_id ?? 0;
    const id = currentSigned(known);
    const upload = refill(stock.one_time_prekeys, stock.next_key_id);
    dropOld();
    // The keys are saved before anyone can see them: a key that someone uses and nobody holds would lose their first
    // message.
    await writeBuffer.saved();
    if (id === known && upload.length === 0) return;
    const signedPrekey = signPrekey(crypto, identity, { keyId: id, publicKey: signed.get(id)!.publicKey });
    await api.call(keyRoutes.putKeys, { body: { signed_prekey: signedPrekey, one_time_prekeys: upload } });
  };

  return {
    signed,
    oneTime,
    deletePrekey,
    maintain: () => {
      running ??= maintain().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
