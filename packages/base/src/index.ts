export { type Batcher, type BatcherOptions, createBatcher } from './batcher.ts';
export { type Coalescer, type CoalescerOptions, createCoalescer } from './coalescer.ts';
export { createDeferred, type Deferred } from './deferred.ts';
export {
  createErrorFactory,
  type ErrorEntry,
  type ErrorOptions,
  type ErrorTable,
  isParleyError,
  ParleyError,
} from './errors.ts';
export { type Admission, createFairQueue, type FairQueue, type FairQueueOptions } from './fair-queue.ts';
export { createFairScheduler, type FairScheduler, type FairSchedulerOptions } from './fair-scheduler.ts';
export { ID_PATTERN, isId, TIMED_ID_PATTERN, toRandomId, toTimedId } from './ids.ts';
export { createKeyedQueue, type KeyedQueue } from './keyed-queue.ts';
export {
  fillText,
  LOCALES,
  type Locale,
  localeOfEnvironment,
  type Params,
  readAcceptLanguage,
  type Texts,
  toLocale,
} from './locale.ts';
export { createLru, type Lru } from './lru.ts';
export { createObservable, type Observable, type Readable, waitUntil } from './observable.ts';
export { findNextPage, type PageCursor } from './pages.ts';
export { createRateWindow, type RateWindow, type RateWindowOptions } from './rate-window.ts';
export { addJitter, createRetrier, type Retrier, type RetryOptions } from './retry.ts';
export { type BucketSize, createTokenBuckets, type TokenBuckets, type TokenBucketsOptions } from './token-buckets.ts';
