export { type AddressKind, classifyAddress } from './address.ts';
export { type FetchErrorCode, isFetchError } from './errors.ts';
export { type GuardPolicy, mayConnect, parseGuardedUrl } from './guard-policy.ts';
export {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
  type GuardOptions,
  type Resolve,
} from './guarded-fetch.ts';
