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
/** Others may hold it for a day after it was replaced, and a first message is on its way for as long as the server keeps it. */
const SIGNED_KEPT = 32 * DAY;
const STOCK = 100;
const LOW = 40;
/** Beyond this, a number that the server claims to know of us is made up: taken over, it would use up all that there are. */
const MAX_CLAIMED_ID = 2 ** 30;
/** The most unused one-time prekeys that are stored; the oldest are dropped first. */
const MAX_ONE_TIME = 1_000;

interface Signed {
  readonly pair: KeyPair;
  readonly createdAt: string;
  /** When it was first known to be replaced, by a clock that the server's agreed with (EE-25). */
  readonly replacedAt?: string;
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

const orUnclaimed = (id: number) => (id <= MAX_CLAIMED_ID ? id : 0);
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
    // One that is dated ahead was made by a clock that has been put back since.
    const isDue = age >= SIGNED_LIFE || age < -DAY;
    return isDue || id < known ? rotate(known) : id;
  };
  const dropOld = (): void => {
    const newest = newestSigned();
    const time = api.clock.pruningTime();
    for (const [id, key] of time === undefined ? [] : rotating) {
      if (id === newest) continue;
      if (key.replacedAt === undefined) {
        const replaced: Signed = { ...key, replacedAt: time!.toISOString() };
        rotating.set(id, replaced);
        writeBuffer.set(SIGNED + id, writeState(replaced));
      } else if (time!.getTime() - Date.parse(key.replacedAt) >= SIGNED_KEPT) {
        rotating.delete(id);
        signed.delete(id);
        writeBuffer.set(SIGNED + id, null);
        writeBuffer.wipe([key.pair.privateKey]);
      }
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
    const id = currentSigned(orUnclaimed(known));
    const upload = refill(stock.one_time_prekeys, orUnclaimed(stock.next_key_id));
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
