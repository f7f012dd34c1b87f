import type { ConnectionMode, Pin } from '@parley/e2ee';
import type { Sender } from '@parley/protocol';

/** A device or agent that may be written to, with its verified keys. */
export interface Contact {
  readonly sender: Sender;
  readonly address: string;
  readonly identityKey: Uint8Array;
  readonly exchangeKey: Uint8Array;
  /** An agent signs its mode; a device always uses `websocket`. */
  readonly mode: ConnectionMode;
  readonly pin: Pin;
}

/** Whether a person or an agent can be trusted now. Messages are exchanged only with those who are `ok`. */
export type TrustState =
  | { readonly state: 'ok'; readonly key: string; readonly verified: boolean; readonly mode?: ConnectionMode }
  | { readonly state: 'no_keys' }
  | { readonly state: 'mode_signature' }
  | { readonly state: 'fingerprint'; readonly offered: string }
  | { readonly state: 'identity_changed'; readonly known: string; readonly offered: string }
  /** The server shows no device list that verifies, or less of it than was seen elsewhere (EE-18). */
  | { readonly state: 'device_list' }
  /** Two successors of one statement: the recovery key has to say which one holds (EE-17). */
  | { readonly state: 'forked' }
  | { readonly state: 'weaker_mode'; readonly key: string; readonly verified: boolean; readonly mode: ConnectionMode };
