export { type AddressKind, classifyAddress } from './address.ts';
export { type GuardPolicy, mayConnect, parseGuardedUrl } from './guard-policy.ts';
export {
  createGuardedFetch,
  FetchError,
  type FetchErrorCode,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
  type GuardOptions,
  type Resolve,
} from './guarded-fetch.ts';
