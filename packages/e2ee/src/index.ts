export { fromBase64Url, toBase64Url, toHex, wipe } from './bytes.ts';
export type { Group } from './group.ts';
export type { PublicIdentity } from './handshake.ts';
export { type Opened, type Opening, type OpenProblem, open, type Refused } from './open.ts';
export {
  isPairingRequest,
  makePairingCode,
  openWelcome,
  type PairedKeys,
  pairingRequest,
  sealWelcome,
} from './pairing.ts';
export { addressOf, createPeer, isPinned, isSameSender, type OwnKeys, type Peer, peerName } from './peer.ts';
export { type Crypto, generateEd25519, generateX25519, type KeyPair } from './provider/crypto.ts';
export { startRatchetSession } from './ratchet-session.ts';
export { makeRecoverySecret, recoveryKeyOf } from './recovery.ts';
export { keyFingerprint, type Party, safetyNumber } from './safety-number.ts';
export { type Message, type NotSealed, type Recipient, type Sealed, seal } from './seal.ts';
export { readState, writeState } from './state-text.ts';
export { type Certificate, proveDevice, verifyCertificate } from './statements/device.ts';
export {
  boxAccountKey,
  chainVerifier,
  nameHeads,
  signDeviceList,
  signDeviceStatement,
  unboxAccountKey,
} from './statements/device-list.ts';
export { signGroupStatement } from './statements/group.ts';
export { signEntry } from './statements/ledger.ts';
export { type Connection, type ConnectionMode, isRatcheted, signMode, verifyMode } from './statements/mode.ts';
export {
  makeOneTimePrekeys,
  type OneTimePrekey,
  type SignedPrekey,
  signPrekey,
  verifyPrekey,
} from './statements/prekey.ts';
export {
  type Pin,
  type PrekeyBundleProblem,
  type PublicPrekey,
  type VerifiedPrekeyBundle,
  verifyPrekeyBundle,
  type WirePrekeyBundle,
} from './statements/prekey-bundle.ts';
export { signStatement, verifyStatement } from './statements/statement.ts';
export {
  type DeltaRefused,
  endStream,
  type OpenedDelta,
  openDelta,
  type SealedDelta,
  type StreamBinding,
  type StreamState,
  sealDelta,
  startStream,
} from './stream.ts';
