import type { ConnectionMode } from '@parley/e2ee';
import type { ListMark } from '@parley/protocol';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';

type PartyKind = 'account' | 'agent';

/** A key that was pinned at first contact, followed through signed changes, or accepted (EE-9, EE-18). */
export interface Pinned {
  /** Of an agent its identity key; of an account the account key. */
  readonly key: string;
  readonly verified: boolean;
  /** For an account: how far its device list was seen. */
  readonly list?: ListMark;
  /**
   * For an account that had no list yet: its revoked devices, by identity key, with the date of the certificate that is
   * void (EE-14).
   */
  readonly revoked?: Readonly<Record<string, string>>;
  /** For an agent: the mode that it promised. A weaker one needs consent (EE-7). */
  readonly mode?: ConnectionMode;
}

export interface Pins {
  get(kind: PartyKind, id: string): Promise<Pinned | undefined>;
  /** The same after a `get`, at once: nothing can change between this and a `set`. */
  peek(kind: PartyKind, id: string): Pinned | undefined;
  set(kind: PartyKind, id: string, pin: Pinned): void;
}

export function createPins(store: Store, writeBuffer: WriteBuffer): Pins {
  const held = new Map<string, Pinned>();
  const nameOf = (kind: PartyKind, id: string) => `pin/${kind}/${id}`;
  return {
    peek: (kind, id) => held.get(nameOf(kind, id)),
    get: async (kind, id) => {
      const name = nameOf(kind, id);
      const known = held.get(name);
      if (known !== undefined) return known;
      const text = await store.get(name);
      // Another call may have pinned a key during the read.
      const pin = held.get(name) ?? (text === undefined ? undefined : (JSON.parse(text) as Pinned));
      if (pin !== undefined) held.set(name, pin);
      return pin;
    },
    set: (kind, id, pin) => {
      const name = nameOf(kind, id);
      held.set(name, pin);
      writeBuffer.set(name, JSON.stringify(pin));
      // Soon, also where nothing else is written: after a crash the server could show less than was seen.
      writeBuffer.savedLater().catch(() => {});
    },
  };
}
