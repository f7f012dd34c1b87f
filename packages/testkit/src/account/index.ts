export { newTimedId, SignedAccount, type TestDevice } from './account.ts';
export { knownAccount } from './known-account.ts';
