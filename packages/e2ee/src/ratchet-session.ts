import { concat, fromBase64Url, isEqual, toBase64Url, wipe } from './bytes.ts';
import { initiate, respond } from './handshake.ts';
import type { OwnKeys, Peer, RatchetSession } from './peer.ts';
import type { Crypto } from './provider/crypto.ts';
import { type Decrypted, type NotDecrypted, ratchetDecrypt } from './ratchet/decrypt.ts';
import { ratchetEncrypt } from './ratchet/encrypt.ts';
import { startReceiving, startSending } from './ratchet/start.ts';
import type { VerifiedPrekeyBundle } from './statements/prekey-bundle.ts';
import type { Handshake, RatchetWrap } from './wraps.ts';

/** Enough for both sides to begin at once several times, with messages still on their way in all sessions. */
const MAX_SESSIONS = 8;
/** Far more than anyone honest begins while a signed prekey lasts. */
const MAX_BEGUN = 256;

/**
 * Begins a session with a peer whose bundle was verified, and uses it for writing from now on. Older sessions stay, so
 * that a reset loses no message on its way. Returns undefined if a key of the bundle is of low order.
 */
export function startRatchetSession(
  crypto: Crypto,
  own: OwnKeys,
  { peer, bundle }: { peer: Peer; bundle: VerifiedPrekeyBundle },
) {
  if (!isEqual(peer.identityKey, bundle.identityKey)) throw new TypeError('bundle must be of the peer');
  const { exchangeKey, identityKey, signedPrekey, oneTimePrekey } = bundle;
  const agreement = initiate(
    crypto,
    { identityKey: own.identity.publicKey, exchange: own.exchange },
    {
      identityKey,
      exchangeKey,
      signedPrekey: signedPrekey.publicKey,
      ...(oneTimePrekey === undefined ? {} : { oneTimePrekey: oneTimePrekey.publicKey }),
    },
  );
  const ratchet = agreement && startSending(crypto, agreement.secret, signedPrekey.publicKey);
  if (agreement === undefined || ratchet === undefined) return undefined;
  wipe([agreement.secret]);
  const handshake: Handshake = {
    exchange_key: toBase64Url(own.exchange.publicKey),
    signed_prekey_id: signedPrekey.keyId,
    ...(oneTimePrekey === undefined ? {} : { one_time_prekey_id: oneTimePrekey.keyId }),
  };
  const { ephemeralKey, associated } = agreement;
  return withSession(peer, { id: toBase64Url(ephemeralKey), associated, ratchet, handshake });
}

function withSession(peer: Peer, session: RatchetSession): Peer {
  const others = peer.sessions.filter(({ id }) => id !== session.id);
  return { ...peer, sessions: [session, ...others].slice(0, MAX_SESSIONS) };
}

export interface SessionSealed {
  readonly peer: Peer;
  readonly wrap: RatchetWrap;
  readonly consumed: readonly Uint8Array[];
}

/**
 * L4 (EE-4): seals the secret under the next message key of the peer's first session. Returns undefined if there is
 * none.
 */
export function sealInSession(
  crypto: Crypto,
  peer: Peer,
  what: { secret: Uint8Array; to: string; context: Uint8Array },
): SessionSealed | undefined {
  const [session] = peer.sessions;
  if (session === undefined) return undefined;
  const associated = concat(session.associated, what.context);
  const sealed = ratchetEncrypt(crypto, session.ratchet, { plaintext: what.secret, associated });
  if (sealed === undefined) return undefined;
  const { header, ciphertext } = sealed.message;
  const wrap: RatchetWrap = {
    kind: 'ratchet',
    to: what.to,
    session: session.id,
    dh: toBase64Url(header.dh),
    pn: header.pn,
    n: header.n,
    ct: toBase64Url(ciphertext),
    ...(session.handshake === undefined ? {} : { handshake: session.handshake }),
  };
  return { peer: withSession(peer, { ...session, ratchet: sealed.state }), wrap, consumed: sealed.consumed };
}

export interface SessionOpened {
  readonly ok: true;
  readonly peer: Peer;
  readonly secret: Uint8Array;
  /** A one-time prekey that was used; it must be deleted in the same write that stores the peer. */
  readonly spentPrekey?: number;
  readonly consumed: readonly Uint8Array[];
}
export interface SessionRefused {
  readonly ok: false;
  readonly problem: NotDecrypted['problem'] | 'session_unknown' | 'prekey_unknown' | 'sender_key';
}

const refuse = (problem: SessionRefused['problem']): SessionRefused => ({ ok: false, problem });

/**
 * The session in which the other side wrote last becomes the first, so that two sides that began at once end up in one.
 */
export function openInSession(
  crypto: Crypto,
  own: OwnKeys,
  { peer, wrap, context }: { peer: Peer; wrap: RatchetWrap; context: Uint8Array },
): SessionOpened | SessionRefused {
  const known = peer.sessions.find(({ id }) => id === wrap.session);
  const begun = known === undefined ? answer(crypto, own, { peer, wrap }) : { ok: true as const, session: known };
  if (!begun.ok) return begun;
  const { session } = begun;
  const opened = decrypt(crypto, session, { wrap, context });
  if (!opened.ok) return opened;
  const { handshake: _, ...answered } = session;
  const spentPrekey = known === undefined ? wrap.handshake?.one_time_prekey_id : undefined;
  const began = known === undefined ? withBegun(peer, wrap, own) : peer;
  return {
    ok: true,
    peer: withSession(began, { ...answered, ratchet: opened.state }),
    secret: opened.plaintext,
    ...(spentPrekey === undefined ? {} : { spentPrekey }),
    consumed: opened.consumed,
  };
}

/** Remembers a session that was begun without a one-time prekey, for as long as its signed prekey exists. */
function withBegun(peer: Peer, { session, handshake }: RatchetWrap, { signedPrekeys }: OwnKeys): Peer {
  if (handshake === undefined || handshake.one_time_prekey_id !== undefined) return peer;
  const left = (peer.begun ?? []).filter(({ signedPrekeyId }) => signedPrekeys.has(signedPrekeyId));
  return { ...peer, begun: [...left, { id: session, signedPrekeyId: handshake.signed_prekey_id }] };
}

/** With a memory that is full, only a one-time prekey proves that a first message is new. */
function mayBegin({ begun = [] }: Peer, { session, handshake }: RatchetWrap, { signedPrekeys }: OwnKeys): boolean {
  if (handshake?.one_time_prekey_id !== undefined) return true;
  const left = begun.filter(({ signedPrekeyId }) => signedPrekeys.has(signedPrekeyId));
  return left.length < MAX_BEGUN && left.every(({ id }) => id !== session);
}

function decrypt(
  crypto: Crypto,
  session: RatchetSession,
  { wrap, context }: { wrap: RatchetWrap; context: Uint8Array },
): Decrypted | NotDecrypted {
  const header = { dh: fromBase64Url(wrap.dh)!, pn: wrap.pn, n: wrap.n };
  const message = { header, ciphertext: fromBase64Url(wrap.ct)! };
  return ratchetDecrypt(crypto, session.ratchet, { message, associated: concat(session.associated, context) });
}

function answer(
  crypto: Crypto,
  own: OwnKeys,
  { peer, wrap }: { peer: Peer; wrap: RatchetWrap },
): { ok: true; session: RatchetSession } | SessionRefused {
  const { handshake } = wrap;
  if (handshake === undefined || !mayBegin(peer, wrap, own)) return refuse('session_unknown');
  const exchangeKey = fromBase64Url(handshake.exchange_key)!;
  if (peer.exchangeKey !== undefined && !isEqual(peer.exchangeKey, exchangeKey)) return refuse('sender_key');
  const signedPrekey = own.signedPrekeys.get(handshake.signed_prekey_id);
  const oneTimeId = handshake.one_time_prekey_id;
  const oneTimePrekey = oneTimeId === undefined ? undefined : own.oneTimePrekeys.get(oneTimeId);
  if (signedPrekey === undefined || (oneTimeId !== undefined && oneTimePrekey === undefined)) {
    return refuse('prekey_unknown');
  }
  const agreement = respond(
    crypto,
    {
      own: { identityKey: own.identity.publicKey, exchange: own.exchange },
      signedPrekey,
      ...(oneTimePrekey === undefined ? {} : { oneTimePrekey }),
    },
    { identityKey: peer.identityKey, exchangeKey, ephemeralKey: fromBase64Url(wrap.session)! },
  );
  if (agreement === undefined) return refuse('wrap');
  const ratchet = startReceiving(agreement.secret, signedPrekey);
  return { ok: true, session: { id: wrap.session, associated: agreement.associated, ratchet } };
}
