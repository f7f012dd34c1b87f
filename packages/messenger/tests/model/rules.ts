import { isPairingRequest, openWelcome } from '@parley/e2ee';
import { listedSigner, type Verify } from '@parley/protocol';
import { judgeList } from '../../src/binding/device-lists.ts';
import { verify } from './symbols.ts';

/** What the parties decide by: the product's own functions. A test puts a weaker one in the place of one of them. */
export interface Rules {
  readonly verifyList: Verify;
  readonly verifyEntry: Verify;
  readonly judgeList: typeof judgeList;
  readonly listedSigner: typeof listedSigner;
  readonly isPairingRequest: typeof isPairingRequest;
  readonly openWelcome: typeof openWelcome;
  /** Whose revocation replaces the account key. */
  readonly rotates: 'always' | 'keepers';
  /** Does a recovery name a ledger beyond the first entry that is void to its maker? */
  readonly namesVoid: boolean;
  /** Does N believe what it is shown next, and not the list that it has recovered itself? */
  readonly believesAfterRecovery: boolean;
}

export const REAL: Rules = {
  verifyList: verify,
  verifyEntry: verify,
  judgeList,
  listedSigner,
  isPairingRequest,
  openWelcome,
  rotates: 'always',
  namesVoid: false,
  believesAfterRecovery: false,
};
