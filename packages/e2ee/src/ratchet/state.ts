import type { KeyPair } from '../provider/crypto.ts';

/** Signal's MAX_SKIP: how far one message may be ahead of what has arrived of its chain. */
export const MAX_SKIP = 1_000;
/** The limit of one session over all its chains; the oldest keys are dropped. */
export const MAX_SKIPPED = 2_000;

export interface Chain {
  readonly key: Uint8Array;
  /** The number of the next message. */
  readonly n: number;
}

/** "State variables", section 3.2 of the Double Ratchet. They are never altered: a step makes a new state. */
export interface RatchetState {
  /** RK */
  readonly root: Uint8Array;
  /** DHs */
  readonly own: KeyPair;
  /** DHr; absent until the first message from the other side. */
  readonly remote?: Uint8Array;
  /** CKs and Ns */
  readonly sending?: Chain;
  /** CKr and Nr */
  readonly receiving?: Chain;
  /** PN */
  readonly previous: number;
  /** MKSKIPPED by `skippedName`, oldest first. */
  readonly skipped: ReadonlyMap<string, Uint8Array>;
  /** True once a key was dropped from `skipped`: a message that does not open any more may never have been opened. */
  readonly dropped?: boolean;
}

export interface RatchetHeader {
  readonly dh: Uint8Array;
  readonly pn: number;
  readonly n: number;
}

export interface RatchetMessage {
  readonly header: RatchetHeader;
  readonly ciphertext: Uint8Array;
}
