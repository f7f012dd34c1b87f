import type { ConnectionMode, Pin } from '@parley/e2ee';
import type { Sender } from '@parley/protocol';

/** A device or agent one may write to, with the keys that were shown to be theirs. */
export interface Contact {
  readonly sender: Sender;
  readonly address: string;
  readonly identityKey: Uint8Array;
  readonly exchangeKey: Uint8Array;
  /** Of an agent, signed by it; of a device always `websocket`. */
  readonly mode: ConnectionMode;
  readonly pin: Pin;
}

/** Whether a person or an agent can be trusted right now. Messages go to and come from those who are `ok` only. */
export type TrustState =
  | { readonly state: 'ok'; readonly key: string; readonly verified: boolean; readonly mode?: ConnectionMode }
  | { readonly state: 'no_keys' }
  | { readonly state: 'mode_signature' }
  | { readonly state: 'identity_changed'; readonly known: string; readonly offered: string }
  | { readonly state: 'weaker_mode'; readonly key: string; readonly verified: boolean; readonly mode: ConnectionMode };
