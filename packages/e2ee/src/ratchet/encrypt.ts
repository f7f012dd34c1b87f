import { wipe } from '../bytes.ts';
import type { Crypto } from '../provider/crypto.ts';
import { associate, messageSealing, stepChain } from './keys.ts';
import type { RatchetMessage, RatchetState } from './state.ts';

export interface Encrypted {
  readonly state: RatchetState;
  readonly message: RatchetMessage;
  /** Wipe these keys as soon as the new state is saved. */
  readonly consumed: readonly Uint8Array[];
}

/** RatchetEncrypt, section 3.4. Undefined before the first message from the other side made a sending chain. */
export function ratchetEncrypt(
  crypto: Crypto,
  state: RatchetState,
  { plaintext, associated }: { plaintext: Uint8Array; associated: Uint8Array },
): Encrypted | undefined {
  const { sending, own, previous } = state;
  if (sending === undefined) return undefined;
  const { messageKey, chain } = stepChain(crypto, sending);
  const header = { dh: own.publicKey, pn: previous, n: sending.n };
  const ciphertext = crypto.encrypt(plaintext, messageSealing(messageKey, associate(associated, header)));
  wipe([messageKey]);
  return { state: { ...state, sending: chain }, message: { header, ciphertext }, consumed: [sending.key] };
}
