import type { ConnectionMode } from '@parley/e2ee';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';

type PartyKind = 'account' | 'agent';

/** A key that was seen first, followed since, or accepted (EE-9, EE-14). */
export interface Pinned {
  readonly key: string;
  readonly verified: boolean;
  /** Account keys before it, each of which vouched for the next. */
  readonly before?: readonly string[];
  /** Of an account: devices that were revoked, by identity key, with the date of the certificate that is void since. */
  readonly revoked?: Readonly<Record<string, string>>;
  /** Of an agent: what it promised. Anything weaker has to be agreed to (EE-7). */
  readonly mode?: ConnectionMode;
}

export interface Pins {
  get(kind: PartyKind, id: string): Promise<Pinned | undefined>;
  set(kind: PartyKind, id: string, pin: Pinned): void;
}

export function createPins(store: Store, writeBuffer: WriteBuffer): Pins {
  const held = new Map<string, Pinned>();
  return {
    get: async (kind, id) => {
      const name = `pin/${kind}/${id}`;
      const known = held.get(name);
      if (known !== undefined) return known;
      const text = await store.get(name);
      // Someone may have pinned while it was read.
      const pin = held.get(name) ?? (text === undefined ? undefined : (JSON.parse(text) as Pinned));
      if (pin !== undefined) held.set(name, pin);
      return pin;
    },
    set: (kind, id, pin) => {
      const name = `pin/${kind}/${id}`;
      held.set(name, pin);
      writeBuffer.set(name, JSON.stringify(pin));
    },
  };
}
