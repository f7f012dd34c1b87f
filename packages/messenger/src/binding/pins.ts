import type { ConnectionMode } from '@parley/e2ee';
import type { ListMark } from '@parley/protocol';
import type { HeldEntries } from './held-entries.ts';

type PartyKind = 'account' | 'agent';

/** A key that was pinned at first contact, followed through signed changes, or accepted (EE-9, EE-18). */
export interface Pinned {
  /** Of an agent its identity key; of an account the account key. */
  readonly key: string;
  readonly verified: boolean;
  /** For an account: how far its device list was seen. */
  readonly list?: ListMark;
  /**
   * For an account that had no list yet: the devices that the server has ever called revoked, by identity key, with the
   * date of the certificate that is void (EE-14). None of them is signed into the list unasked.
   */
  readonly revoked?: Readonly<Record<string, string>>;
  /** For an agent: the mode that it promised. A weaker one needs consent (EE-7). */
  readonly mode?: ConnectionMode;
}

export interface Pins {
  get(kind: PartyKind, id: string): Promise<Pinned | undefined>;
  /** The same right after a `get`, at once: nothing can change between this and a `set`. */
  peek(kind: PartyKind, id: string): Pinned | undefined;
  set(kind: PartyKind, id: string, pin: Pinned): void;
}

export function createPins(held: HeldEntries): Pins {
  const nameOf = (kind: PartyKind, id: string) => `pin/${kind}/${id}`;
  const parse = (text: string | undefined) => (text === undefined ? undefined : (JSON.parse(text) as Pinned));
  return {
    peek: (kind, id) => parse(held.peek(nameOf(kind, id))),
    get: async (kind, id) => parse(await held.get(nameOf(kind, id))),
    set: (kind, id, pin) => held.set(nameOf(kind, id), JSON.stringify(pin)),
  };
}

export const isSamePin = (a: Pinned | undefined, b: Pinned | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
