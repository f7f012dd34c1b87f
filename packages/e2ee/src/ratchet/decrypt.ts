import { isEqual, toBase64Url, wipe } from '../bytes.ts';
import { type Crypto, generateX25519 } from '../provider/crypto.ts';
import { associate, deriveRoot, messageSealing, stepChain } from './keys.ts';
import { MAX_SKIP, MAX_SKIPPED, type RatchetMessage, type RatchetState } from './state.ts';

export interface Decrypted {
  readonly ok: true;
  readonly state: RatchetState;
  readonly plaintext: Uint8Array;
  /** Wipe these keys as soon as the new state is saved. */
  readonly consumed: readonly Uint8Array[];
}
/** `replayed`: its key was used; `skipped`: too far ahead, or its key may have been dropped; `wrap`: it does not open. */
export interface NotDecrypted {
  readonly ok: false;
  readonly problem: 'replayed' | 'skipped' | 'wrap';
}

interface Step {
  readonly state: RatchetState;
  readonly consumed: readonly Uint8Array[];
}

const refuse = (problem: NotDecrypted['problem']): NotDecrypted => ({ ok: false, problem });
const skippedName = (dh: Uint8Array, n: number) => `${toBase64Url(dh)}.${n}`;

/** RatchetDecrypt, section 3.5. A message that does not open changes nothing, however far ahead it claims to be. */
export function ratchetDecrypt(
  crypto: Crypto,
  state: RatchetState,
  { message, associated }: { message: RatchetMessage; associated: Uint8Array },
): Decrypted | NotDecrypted {
  const { header } = message;
  const name = skippedName(header.dh, header.n);
  const kept = state.skipped.get(name);
  if (kept !== undefined) {
    const plaintext = openMessage(crypto, kept, { message, associated });
    if (plaintext === undefined) return refuse('wrap');
    const skipped = new Map(state.skipped);
    skipped.delete(name);
    return { ok: true, state: { ...state, skipped }, plaintext, consumed: [kept] };
  }
  const turn = takeTurn(crypto, state, message);
  if ('problem' in turn) return turn;
  const arrived = skipTo(crypto, turn.state, header.n);
  const { receiving } = arrived.state;
  const { messageKey, chain } = stepChain(crypto, receiving!);
  const plaintext = openMessage(crypto, messageKey, { message, associated });
  wipe([messageKey]);
  if (plaintext === undefined) return refuse('wrap');
  return {
    ok: true,
    state: { ...arrived.state, receiving: chain },
    plaintext,
    consumed: [...turn.consumed, ...arrived.consumed, receiving!.key],
  };
}

function openMessage(
  crypto: Crypto,
  messageKey: Uint8Array,
  { message, associated }: { message: RatchetMessage; associated: Uint8Array },
): Uint8Array | undefined {
  return crypto.decrypt(message.ciphertext, messageSealing(messageKey, associate(associated, message.header)));
}

/** Returns the state in which the message's chain is the receiving one: unchanged, or after a Diffie-Hellman step. */
function takeTurn(crypto: Crypto, state: RatchetState, { header }: RatchetMessage): Step | NotDecrypted {
  const { remote, receiving } = state;
  const same = receiving !== undefined && remote !== undefined && isEqual(remote, header.dh);
  const next = receiving?.n ?? 0;
  if (same && header.n < next) return refuse(state.dropped ? 'skipped' : 'replayed');
  // This is checked before a single key is derived: a flood of skipped keys costs its sender a message each, and us
  // nothing.
  if (header.n - (same ? next : 0) > MAX_SKIP || (!same && header.pn - next > MAX_SKIP)) return refuse('skipped');
  if (same) return { state, consumed: [] };
  const finished = receiving === undefined ? { state, consumed: [] } : skipTo(crypto, state, header.pn);
  const stepped = stepRoot(crypto, finished.state, header.dh);
  if (stepped === undefined) return refuse('wrap');
  return { state: stepped.state, consumed: [...finished.consumed, ...stepped.consumed] };
}

/** DHRatchet, section 3.5. Undefined for a key of low order. */
function stepRoot(crypto: Crypto, state: RatchetState, remote: Uint8Array): Step | undefined {
  const first = crypto.x25519(state.own.privateKey, remote);
  if (first === undefined) return undefined;
  const own = generateX25519(crypto);
  const second = crypto.x25519(own.privateKey, remote)!;
  const receiving = deriveRoot(crypto, state.root, first);
  const sending = deriveRoot(crypto, receiving.root, second);
  wipe([first, second, receiving.root]);
  return {
    state: {
      root: sending.root,
      own,
      remote,
      sending: sending.chain,
      receiving: receiving.chain,
      previous: state.sending?.n ?? 0,
      skipped: state.skipped,
      ...(state.dropped ? { dropped: true } : {}),
    },
    consumed: [state.root, state.own.privateKey, ...keysOf(state.sending), ...keysOf(state.receiving)],
  };
}

const keysOf = (chain: { key: Uint8Array } | undefined) => (chain === undefined ? [] : [chain.key]);

/** SkipMessageKeys, section 3.5: keeps the keys of the messages before `until`, and drops the oldest. */
function skipTo(crypto: Crypto, state: RatchetState, until: number): Step {
  let { receiving, remote } = state;
  if (receiving === undefined || remote === undefined || receiving.n >= until) return { state, consumed: [] };
  const skipped = new Map(state.skipped);
  const consumed: Uint8Array[] = [];
  while (receiving.n < until) {
    const { messageKey, chain } = stepChain(crypto, receiving);
    skipped.set(skippedName(remote, receiving.n), messageKey);
    consumed.push(receiving.key);
    receiving = chain;
  }
  const isFull = skipped.size > MAX_SKIPPED;
  for (const [name, key] of skipped) {
    if (skipped.size <= MAX_SKIPPED) break;
    skipped.delete(name);
    consumed.push(key);
  }
  return { state: { ...state, receiving, skipped, ...(isFull ? { dropped: true } : {}) }, consumed };
}
