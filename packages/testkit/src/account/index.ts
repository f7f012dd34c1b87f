export { newTimedId, SignedAccount, type TestDevice } from './account.ts';
export { type GroupSigner, SignedGroup } from './group.ts';
export { knownAccount } from './known-account.ts';
export { SignedLedger } from './ledger.ts';
