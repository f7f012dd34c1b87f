export { newTimedId, SignedAccount, type TestDevice } from './account.ts';
